// Every view at three widths, light and dark: accessible, without horizontal scrolling and without errors.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, openBrowser, openPage, sidewaysScroll, violations } from "./browser.js";
import { MockAgent } from "./mock.js";
import { markup } from "./mock_answers.js";

let browser, agent;
before(async () => ([browser, agent] = await Promise.all([openBrowser(), new MockAgent().start()])));
after(async () => {
  await browser.close();
  await agent.stop();
});

const widths = [360, 768, 1600];

// Tables detect in the next frame whether they must scroll.
const drawn = (page) => page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));

async function looksRight(page, what) {
  for (const width of widths)
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await drawn(page);
      const where = `${what}, ${width} pixels, ${colorScheme}`;
      assert.ok((await sidewaysScroll(page)) <= 0, `${where}: the page scrolls horizontally`);
      assert.deepEqual(await violations(page), [], where);
    }
}

const views = {
  overview: "All|links? up",
  ask: "Rows to predict",
  charter: "Not signed by gera",
  runs: "the link to celle was lost",
  ledger: "10,000 runs",
  policy: "at least 5 agents",
};
for (const [path, text] of Object.entries(views))
  test(`${path} can be read by everybody at every width`, async () => {
    const page = await openPage(browser, agent.link);
    await page.locator(`nav a[href="#/${path}"]`).click();
    await page.getByText(new RegExp(text)).first().waitFor();
    await looksRight(page, path);
    assert.equal(await page.title(), `${path[0].toUpperCase()}${path.slice(1)} – aachen`);
    assert.equal(await page.evaluate("window.hacked"), undefined, "markup from an agent ran");
    assert.equal(await page.locator("img").count(), 0, "markup from an agent became an element");
    assertQuiet(page);
    await page.context().close();
  });

test("markup in names is shown as it is", async () => {
  const page = await openPage(browser, agent.link);
  await page.getByRole("rowheader", { name: markup, exact: true }).waitFor();
  await page.getByRole("rowheader", { name: `bp ${markup}`, exact: true }).waitFor();
  await page.context().close();
});

test("length-scales go by column, the shortest first", async () => {
  const page = await openPage(browser, agent.link);
  const table = page.getByRole("table", { name: /Length-scales of se\./ });
  await table.getByRole("rowheader", { name: "bmi" }).waitFor();
  assert.deepEqual(await table.locator("tbody th").allTextContents(), ["bmi", `bp ${markup}`, "sex=f", "age", "sex=m"]);
  await page.getByText("se.signal = 0.9772, linear.signal = 0.31, noise = 0.6547").waitFor();
  await page.getByText("RMSE 53.71, mean log density −5.412, on 1,458 held-out rows").waitFor();
  await page.context().close();
});

test("predictions are a plot and a table, and the plot is loaded only then", async () => {
  const page = await openPage(browser, agent.link);
  await page.locator('nav a[href="#/ask"]').click();
  const csv = "patient,age,sex,bmi,bp\n" + Array.from({ length: 12 }, (_, k) => `P-${k},4${k},f,25,90`).join("\n");
  await page.getByLabel("Rows to predict").fill(csv);
  assert.ok(!page.seen.requests.some((url) => url.endsWith("/plot.js")));
  await page.getByRole("button", { name: "Predict" }).click();
  await page.locator(".plot svg").waitFor();
  assert.equal(await page.locator(".plot svg circle").count(), 12);
  assert.ok(page.seen.requests.some((url) => url.endsWith("/plot.js")));
  await looksRight(page, "predictions");
  assertQuiet(page);
  await page.context().close();
});

test("without a link the page says how to get it", async () => {
  const page = await openPage(browser, agent.origin);
  await page.getByText("tacit page --agent agent.toml").waitFor();
  await looksRight(page, "no token");
  assertQuiet(page);
  await page.context().close();
});

test("the first view is small", async () => {
  const sizes = await Promise.all(
    ["/", "/index.js", "/index.css"].map(async (path) => (await (await fetch(agent.origin + path)).arrayBuffer()).byteLength),
  );
  const all = sizes.reduce((a, b) => a + b);
  assert.ok(all < 64_000, `${all} bytes`);
});
