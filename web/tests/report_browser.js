// A browser for reports. It opens them as files and records everything that a report must not do.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser, violations } from "./browser.js";

let browser, folder;
let made = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tacit-report-"));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

// Opens a report in its own window. `faults` lists everything that the report must not do.
export async function opened(html, { width = 768, ...options } = {}) {
  const file = join(folder, `${++made}.html`);
  const faults = [];
  await writeFile(file, html);
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  page.on("console", (message) => message.type() !== "log" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => (faults.push(`dialog ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => request.url() !== url && faults.push(`request ${request.url()}`));
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

export const drawn = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector("main h1") &&
      [...document.querySelectorAll(".chart")].every((one) => one.querySelector("svg[role=img]")),
  );

export async function fits(page, width) {
  await page.setViewportSize({ width, height: 900 });
  await page
    .waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth)
    .catch(() => assert.fail(`the report is wider than a screen of ${width} pixels`));
}

export const accessible = async (page) => assert.deepEqual(await violations(page), []);

// Opens all tables. `table` returns the rows of the first one with this caption.
export async function openAll(page) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await page.waitForFunction(() =>
    [...document.querySelectorAll("details")].every((one) => one.querySelector("table")),
  );
}
export async function table(page, caption) {
  await openAll(page);
  const found = page.locator("table", { has: page.locator("caption", { hasText: caption }) }).first();
  await found.waitFor({ state: "attached" });
  return found
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
}
export const text = (row) => row.map((cell) => (cell === null || cell === undefined ? "–" : String(cell)));
