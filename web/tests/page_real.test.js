// The page with five real agents: every action by mouse, agents that stop, and a hostile page on another port.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Consortium } from "./agents.js";
import { assertQuiet, openBrowser, openPage, violations } from "./browser.js";
import { plot_style } from "./mock.js";

let browser, all, link;
const limit = { timeout: 240_000 };
before(async () => {
  [browser, all] = await Promise.all([openBrowser(), Consortium.of(5)]);
  link = await all.link();
}, limit);
after(async () => {
  await browser?.close();
  await all?.end();
});

const shows = (page, text) => page.getByText(text).first().waitFor();
const go = (page, view) => page.locator(`nav a[href="#/${view}"]`).click();

test("a fit, an evaluation and predictions by clicking, and every view tells of them", limit, async () => {
  const page = await openPage(browser, link);
  await shows(page, "All 4 links are up.");
  await shows(page, "There is no model yet. Ask for a fit.");
  await go(page, "ask");
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await shows(page, "Version 1 was fitted to the data of hospital-1, hospital-2, hospital-3, hospital-4 and hospital-5.");
  await page.getByRole("button", { name: "Evaluate" }).click();
  await shows(page, /50 held-out rows, scored at home: RMSE/);
  await page.getByLabel("Rows to predict").fill(all.points);
  await page.getByRole("button", { name: "Predict", exact: true }).click();
  await shows(page, "Answered at home. No other agent was asked.");
  await page.locator(".plot svg").waitFor();
  await page.getByLabel("All agents of the model, together").click();
  await page.getByRole("button", { name: "Show 5 rows to 4 agents and predict" }).click();
  await shows(page, "Answered by hospital-1, hospital-2, hospital-3, hospital-4 and hospital-5 together.");
  assert.deepEqual(await violations(page), []);

  const told = {
    overview: /RMSE .*, on 50 held-out rows/,
    charter: "Signed by all parties.",
    runs: "predict",
    ledger: "No line was changed or removed.",
    policy: "the data of at least",
  };
  for (const [view, text] of Object.entries(told)) {
    await go(page, view);
    await shows(page, text);
    assert.deepEqual(await violations(page), [], view);
  }
  assertQuiet(page);
  await page.context().close();
});

test("what the agent refuses is said in its own words", limit, async () => {
  const page = await openPage(browser, link);
  await go(page, "ask");
  await page.getByLabel("Rows to predict").fill(all.points.replace(/\n\d+,/, "\n4000,"));
  await page.getByRole("button", { name: "Predict", exact: true }).click();
  await shows(page, /age.*4000/);
  await page.context().close();
});

test("a fit that waits for an agent can be stopped", limit, async (t) => {
  const page = await openPage(browser, link);
  await go(page, "ask");
  await all.freeze("hospital-4");
  t.after(() => all.thaw("hospital-4"));
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await page.getByRole("button", { name: "Stop" }).and(page.locator(":not([aria-disabled=true])")).click();
  await page.locator(".result .warn").waitFor(); // a stopped run is not shown as a failure
  await go(page, "overview");
  await shows(page, "Nothing is running.");
  await page.context().close();
});

test("an agent dies while the page is open, and comes back; so does the agent of the page", limit, async () => {
  const page = await openPage(browser, link);
  await shows(page, "All 4 links are up.");
  await all.kill("hospital-3");
  await shows(page, "3 of 4 links up.");
  await page.getByRole("row", { name: /hospital-3 down/ }).waitFor();
  all.start("hospital-3");
  await shows(page, "All 4 links are up.");
  await all.kill("hospital-1");
  await shows(page, /The agent has not responded since \d\d:\d\d; retrying\./);
  all.start("hospital-1");
  // Every start makes a new link.
  await shows(page, "This link is no longer valid");
  const before = link;
  link = await all.newLink();
  assert.notEqual(link, before);
  await page.goto(link);
  await shows(page, "All 4 links are up.");
  await page.reload();
  await shows(page, "All 4 links are up.");
  await page.context().close();
});

test("the agent allows the style that Plot writes, and nobody else to show its page", async () => {
  const headers = (await fetch(link.replace(/#.*/, ""))).headers;
  assert.ok(headers.get("content-security-policy").includes(`'${plot_style}'`));
  assert.match(headers.get("content-security-policy"), /frame-ancestors 'none'/);
});

// This page knows the address and even the token. It may send what browsers allow, but must not read or start anything.
const hostile = (agent, token) => `<!doctype html><title>elsewhere</title>
<iframe id="frame" src="${agent}"></iframe><iframe name="form"></iframe>
<form id="form" method="post" action="${agent}api/fit" enctype="text/plain" target="form"><input name='{"without":[],"x":"' value='"}'></form>
<script>
const seen = [];
const tried = (what, promise) => promise.then(() => seen.push(what), () => {});
const load = (one) => new Promise((yes, no) => ((one.onload = yes), (one.onerror = no), document.body.append(one)));
const make = (tag, src) => Object.assign(document.createElement(tag), { src });
const key = { Authorization: "Bearer ${token}" }, json = { ...key, "Content-Type": "application/json" };
document.getElementById("form").submit();
window.done = Promise.all([
  tried("status", fetch("${agent}api/status")),
  tried("status with the token", fetch("${agent}api/status", { headers: key })),
  tried("fit with the token", fetch("${agent}api/fit", { method: "POST", headers: json, body: "{}" })),
  tried("opaque fit", fetch("${agent}api/fit", { method: "POST", mode: "no-cors", body: "{}" }).then((answer) => answer.text()).then((text) => text || Promise.reject())),
  tried("image", load(make("img", "${agent}api/status"))),
  tried("script", load(make("script", "${agent}index.js"))),
  tried("frame", new Promise((yes, no) => setTimeout(() => (document.getElementById("frame").contentDocument?.body?.textContent ? yes() : no())))),
]).then(() => seen);
</script>`;

test("a page of another port gets nothing and starts nothing", limit, async (t) => {
  const [agent, token] = link.split("#token=");
  const server = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(hostile(agent, token)));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const context = await browser.newContext();
  t.after(async () => {
    await context.close();
    server.close();
  });
  const before = await all.status();
  const page = await context.newPage();
  const requests = [];
  page.on("request", (request) => request.url().startsWith(agent + "api/") && requests.push(request));
  const form = page.waitForRequest((request) => request.isNavigationRequest() && request.method() === "POST");
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  assert.deepEqual(await page.evaluate("window.done"), []);
  await form;
  assert.ok(requests.length >= 4, "the hostile page sent requests");
  for (const request of requests) {
    const answer = await request.response(); // null if the browser blocks the request
    assert.ok(answer === null || answer.status() >= 400, `${request.method()} ${request.url()} returned ${answer?.status()}`);
  }
  for (const frame of page.frames().slice(1)) assert.ok(!(await frame.content()).includes("index.js"), "the page is shown in a frame");
  const now = await all.status();
  assert.deepEqual([now.ledger, now.runs], [before.ledger, before.runs]);
});
