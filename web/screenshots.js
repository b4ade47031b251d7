// Takes the screenshots docs/images/page-*.png with five real agents, after a fit and an evaluation: npm run screenshots.
import { fileURLToPath } from "node:url";
import { Consortium } from "./tests/agents.js";
import { openBrowser, openPage } from "./tests/browser.js";

const folder = fileURLToPath(new URL("../docs/images/", import.meta.url));
const [browser, all] = await Promise.all([openBrowser(), Consortium.of(5)]);
try {
  await all.tacit("fit", "--agent", "hospital-2");
  await all.tacit("evaluate", "--agent", "hospital-1");
  for (const colorScheme of ["light", "dark"]) {
    const page = await openPage(browser, await all.link(), { colorScheme, viewport: { width: 1100, height: 760 } });
    const take = async (name, text) => {
      await page.getByText(text).first().waitFor();
      const height = Math.min(1200, await page.evaluate("document.documentElement.scrollHeight"));
      const clip = { x: 0, y: 0, width: 1100, height };
      await page.screenshot({ path: `${folder}page-${name}-${colorScheme}.png`, fullPage: true, clip });
    };
    const go = (view) => page.locator(`nav a[href="#/${view}"]`).click();
    await page.getByText(/^RMSE .* held-out rows$/).waitFor();
    await take("overview", "All 4 links are up.");
    await go("ask");
    await page.getByLabel("Rows to predict").fill(all.points);
    await page.getByRole("button", { name: "Predict", exact: true }).click();
    await page.locator(".plot svg").waitFor();
    await take("ask", "Answered at home");
    await go("ledger");
    await take("ledger", "No line was changed or removed.");
    await page.context().close();
  }
} finally {
  await browser.close();
  await all.end();
}
