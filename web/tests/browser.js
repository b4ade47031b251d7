// A browser for tests. It records console errors and requests that leave this machine; no page may cause either.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const openBrowser = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

export async function openPage(browser, link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: "Europe/Berlin", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.seen = { errors: [], requests: [] };
  page.on("console", (message) => message.type() === "error" && page.seen.errors.push(message.text()));
  page.on("pageerror", (error) => page.seen.errors.push(String(error)));
  page.on("request", (request) => page.seen.requests.push(request.url()));
  await page.goto(link);
  return page;
}

export function assertQuiet(page) {
  assert.deepEqual(page.seen.errors, [], "errors on the console");
  const away = page.seen.requests.filter((url) => !/^(http:\/\/127\.0\.0\.1[:/]|data:|blob:)/.test(url));
  assert.deepEqual(away, [], "requests that leave this machine");
}

// The violations that axe finds, one line each.
export async function violations(page) {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe);
  const found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})");
  return found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

export const sidewaysScroll = (page) => page.evaluate("document.documentElement.scrollWidth - innerWidth");

// Presses Tab until the element has the focus. Fails if the key does not reach it.
export async function tabTo(page, locator, key = "Tab") {
  for (let k = 0; k < 200; ++k) {
    if (await locator.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`the key ${key} does not reach ${locator}`);
}
