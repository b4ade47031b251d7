// Takes the pictures of docs/images: npm run screenshots. The agent's page is that of five real agents, after a fit and
// an evaluation; the reports are those of a simulation and an audit.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Consortium } from "./tests/agents.js";
import { openBrowser, openPage } from "./tests/browser.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const images = root + "docs/images/";
const program = process.env.TACIT ?? root + "build/tacit";

async function pageOfAnAgent(browser, all) {
  await all.tacit("fit", "--agent", "hospital-2");
  await all.tacit("evaluate", "--agent", "hospital-1");
  const page = await openPage(browser, await all.link(), { colorScheme: "light", viewport: { width: 1100, height: 760 } });
  const take = async (name, text) => {
    await page.getByText(text).first().waitFor();
    const height = Math.min(1200, await page.evaluate("document.documentElement.scrollHeight"));
    await page.screenshot({ path: `${images}page-${name}-light.png`, fullPage: true, clip: { x: 0, y: 0, width: 1100, height } });
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
}

// From a heading, or the top, to the line above another heading.
async function partOfReport(browser, report, name, from, to) {
  const page = await openPage(browser, pathToFileURL(report).href, { colorScheme: "light", viewport: { width: 1060, height: 900 } });
  const top = async (text) => (await page.locator("h2, h3").filter({ hasText: text }).first().boundingBox()).y;
  await page.locator("svg").first().waitFor();
  const y = from ? (await top(from)) - 42 : 0;
  await page.screenshot({ path: `${images}report-${name}.png`, fullPage: true, clip: { x: 0, y, width: 1060, height: (await top(to)) - 45 - y } });
}

async function reports(browser) {
  const folder = await mkdtemp(tmpdir() + "/tacit-reports-");
  const report = async (name, ...options) => {
    await promisify(execFile)(program, [...options, "--report", `${folder}/${name}.html`], { cwd: root });
    return `${folder}/${name}.html`;
  };
  try {
    const study = await report("study", "simulate", "--data", "data/diabetes.csv", "--target", "y");
    await partOfReport(browser, study, "simulate", "", "Largest errors");
    await partOfReport(browser, study, "private", "Privacy", "How to reproduce");
    const audit = await report("audit", "audit", "--protocol", "consensus", "--agents", "10", "--topology", "ring:4",
      "--coalition", "0,3", "--lz", "1e-6", "--iterations", "60", "--value-bound", "1");
    await partOfReport(browser, audit, "audit", "What a coalition sees", "How to reproduce");
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [browser, all] = await Promise.all([openBrowser(), Consortium.of(5)]);
try {
  await pageOfAnAgent(browser, all);
  await reports(browser);
} finally {
  await browser.close();
  await all.end();
}
