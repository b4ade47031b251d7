// Users of the page: asking, stopping and searching, also by keyboard alone, and with an agent that disappears.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import { assertQuiet, openBrowser, openPage, tabTo } from "./browser.js";
import { MockAgent, plot_style, token } from "./mock.js";

let browser, agent, page;
before(async () => (browser = await openBrowser()));
after(() => browser.close());
beforeEach(async (t) => {
  agent = await new MockAgent().start();
  page = await openPage(browser, agent.link);
  t.after(async () => {
    await page.context().close();
    await agent.stop();
  });
});

const go = (view) => page.locator(`nav a[href="#/${view}"]`).click();
const shows = (text) => page.getByText(text).first().waitFor();
const csv = 'patient,age,sex,bmi,bp\n"P, 1",48,f,25,90\nP-2,250,m,22,87\nP-3,61,f,31,101\n';

test("the token is in no address, no request and no header", async () => {
  const headers = [];
  page.on("request", (request) => headers.push(JSON.stringify(request.headers())));
  await shows("links up");
  assert.equal(page.url(), `${agent.origin}/#/overview`);
  assert.ok(page.seen.requests.every((url) => !url.replace(/#.*/, "").includes(token)));
  assert.deepEqual(await page.context().cookies(), []);
  await page.reload();
  await shows("links up");
  assert.ok(headers.some((one) => one.includes("Bearer")));
  assert.ok(headers.every((one) => !one.includes(token)));
  assertQuiet(page);
});

test("a wrong token leads to the sentence that says how to get the link", async () => {
  await page.goto(agent.origin + "/#token=00ff");
  await shows("This link is no longer valid");
  await page.goto(agent.link);
  await shows("links up");
});

// Another user's program on the agent's port: it answers everything with success, and repeats what the agent has
// answered.
async function impostor(port, hello) {
  const heard = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    heard.push({ url: request.url, authorization: request.headers.authorization, text });
    const said = hello(new URL(request.url, agent.origin));
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(said));
  });
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { heard, close };
}

for (const [what, hello] of [
  ["nothing", () => ({})],
  ["an old answer", (url, old) => old],
  ["the challenge", (url) => ({ nonce: url.searchParams.get("challenge"), proof: url.searchParams.get("challenge") })],
])
  test(`a program that takes the port and answers with ${what} learns nothing from an open page`, async (t) => {
    await shows("links up");
    await go("ask");
    await page.getByLabel("Rows to predict").fill(csv);
    const old = await (await fetch(`${agent.origin}/api/hello?challenge=${"0".repeat(64)}`)).json();
    await agent.stop();
    const other = await impostor(agent.port, (url) => hello(url, old));
    t.after(() => other.close());
    await page.getByRole("button", { name: "Predict" }).click({ timeout: 1000 }).catch(() => {});
    await shows("another program answers at its address");
    assert.ok(other.heard.length > 0);
    for (const one of other.heard) {
      assert.match(one.url, /^\/api\/hello\?challenge=[0-9a-f]{64}$/);
      assert.equal(one.authorization, undefined);
      assert.equal(one.text, "");
    }
  });

test("a pass is worth nothing to the next program on the port", async () => {
  const passes = new Set();
  page.on("request", (request) => request.headers().authorization && passes.add(request.headers().authorization));
  await go("charter");
  await agent.stop();
  await shows(/The agent has not responded since/);
  await agent.start();
  await page.locator(".banner").waitFor({ state: "detached" });
  assert.ok(passes.size >= 2, "the page has a new pass");
  for (const pass of [...passes].slice(0, -1)) {
    const answer = await fetch(`${agent.origin}/api/status`, { headers: { Authorization: pass } });
    assert.equal(answer.status, 401);
  }
});

test("what changes at the agent is seen without asking", async () => {
  await shows("Nothing is running.");
  agent.status.running = "evaluate, asked for by bonn";
  agent.status.peers[0].up = false;
  agent.status.peers[0].why_down = "it was stopped";
  agent.tell();
  await shows("evaluate, asked for by bonn");
  await shows("down: it was stopped");
  assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0, "requests of other agents cannot be stopped here");
});

test("the agent goes away and comes back", async () => {
  await shows("links up");
  await agent.stop();
  await shows(/The agent has not responded since \d\d:\d\d; retrying\./);
  await go("ask");
  assert.equal(await page.getByRole("button", { name: "Evaluate" }).getAttribute("aria-disabled"), "true");
  agent.status.title = "Thirteen hospitals again";
  await agent.start();
  await shows("Thirteen hospitals again");
  await page.locator(".banner").waitFor({ state: "detached" });
  await page.getByLabel("bonn").waitFor();
});

test("a fit by keyboard alone: members left out, progress, stop, and again to the end", async () => {
  await tabTo(page, page.getByText("Skip to content"));
  await tabTo(page, page.locator('nav a[href="#/ask"]'));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ask", level: 1 }).waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Ask");
  await page.getByLabel("celle").waitFor();
  await tabTo(page, page.getByLabel("celle"));
  await page.keyboard.press("Space");
  const fit = page.getByRole("button", { name: "Fit without celle" });
  await tabTo(page, fit);
  await page.keyboard.press("Enter");
  await agent.say("words", { words: "tuning, evaluation 12: summed log likelihood -400.6" });
  await shows("tuning, evaluation 12: summed log likelihood");
  await go("overview"); // it continues while another view is shown
  await shows("tuning, evaluation 12: summed log likelihood");
  await go("ask");
  const stop = page.getByRole("button", { name: "Stop" });
  await tabTo(page, stop);
  await page.keyboard.press("Enter");
  await shows("stopped: bonn and celle were notified; no model was created");
  await page.waitForFunction(() => document.activeElement.classList.contains("result")); // the focus moves to the result
  assert.deepEqual(agent.asked, [
    ["fit", { without: ["celle"] }],
    ["stop", { ask: "ask-1" }],
  ]);

  await tabTo(page, page.getByRole("button", { name: "Fit", exact: true }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await agent.say("result", {
    model: { ...agent.status.model, version: 8 },
    roster: ["aachen", "bonn", "celle"],
    without: [],
    notes: ["a note"],
  });
  await shows("Version 8 was fitted to the data of aachen, bonn and celle.");
  assertQuiet(page);
});

test("a fit can be stopped after the tab was loaded anew", async () => {
  await go("ask");
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await page.getByRole("button", { name: "Stop" }).and(page.locator(":not([aria-disabled=true])")).waitFor();
  agent.status.running = "tuning, evaluation 3";
  await page.reload();
  await go("overview");
  await shows("Your earlier request");
  await Promise.all([page.waitForResponse(/\/api\/stop$/), page.getByRole("button", { name: "Stop" }).click()]);
  assert.deepEqual(agent.asked.at(-1), ["stop", { ask: "ask-1" }]);
  agent.status.running = "";
  agent.tell();
  await shows("Nothing is running.");
  assert.equal(await page.evaluate("sessionStorage.getItem('tacit-asked')"), null);
});

test("an evaluation ends with its score, a failed one with its sentence", async () => {
  await go("ask");
  await page.getByRole("button", { name: "Evaluate" }).click();
  await agent.say("result", { rows: 58, rmse: 59.36962, log_density: -5.519, inputs_shown: false });
  await shows("58 held-out rows, scored at home: RMSE 59.37, mean log density −5.519.");
  await page.getByRole("button", { name: "Evaluate" }).click();
  await agent.say("error", { error: "celle is down, and the model uses its data; try again once it is up", stopped: false });
  await shows("celle is down, and the model uses its data");
});

test("predicting by keyboard: who sees what is said first, rows get their names, and the file has them", async () => {
  await tabTo(page, page.locator('nav a[href="#/ask"]'));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Rows to predict"));
  await page.keyboard.insertText(csv);
  await shows("3 rows.");
  await shows("Nothing leaves this agent.");
  await tabTo(page, page.getByLabel("This agent, at home"));
  await page.keyboard.press("ArrowDown");
  await shows(/will see the inputs of all 3 rows/);
  await tabTo(page, page.getByLabel("Leave the result of a row empty"));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Show 3 rows to 12 agents and predict" }));
  await page.keyboard.press("Enter");
  await shows(/^Answered by aachen, bonn, .* together\.$/);
  assert.deepEqual(agent.asked, [["predict", { csv, together: true, skip_bad: true }]]);
  await shows("1 row was skipped: age is 250");
  await tabTo(page, page.getByLabel("Name rows by"));
  await page.keyboard.type("patient");
  const table = page.getByRole("table", { name: /Predictions/ });
  await table.getByRole("rowheader", { name: "P, 1" }).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Download as CSV" }));
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  const lines = (await readFile(await file.path(), "utf8")).split("\n");
  assert.equal(lines[0], "patient,y_mean,y_latent_sd,y_observed_sd,y_low,y_high");
  assert.match(lines[1], /^"P, 1",120,12,50,22,218$/);
  assert.equal(lines[2], "P-2,,,,,");
  assertQuiet(page);
});

test("answers are said to be old once the table is another one", async () => {
  await go("ask");
  const old = page.getByText("not for the one above");
  await page.getByLabel("Rows to predict").fill(csv);
  await page.getByRole("button", { name: "Predict" }).click();
  await shows("Answered at home. No other agent was asked.");
  assert.equal(await old.count(), 0);
  await page.getByLabel("Rows to predict").fill(csv + "P-4,33,m,24,80\n");
  await old.waitFor();
  await page.getByLabel("Rows to predict").fill(csv);
  await old.waitFor({ state: "detached" });
});

test("a tab that nobody sees asks for nothing, and knows all when it is seen again", async () => {
  await shows("links up");
  const turn = (hidden) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await turn(true);
  const later = (milliseconds) => new Promise((then) => setTimeout(then, milliseconds));
  while (agent.streams.size > 0) await later(20);
  await later(500);
  assert.equal(agent.streams.size, 0, "a hidden tab has reconnected");
  agent.status.title = "Seen again";
  await turn(false);
  await shows("Seen again");
  assert.equal(agent.streams.size, 1);
});

test("an agent that dies in the middle of a fit is not taken for one that is done", async () => {
  await go("ask");
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await agent.say("words", { words: "tuning, evaluation 3" });
  await shows("tuning, evaluation 3");
  await agent.stop();
  await shows("The connection to the agent was lost.");
  await agent.start();
  await page.locator(".banner").waitFor({ state: "detached" });
});

test("a file can be chosen or dropped", async () => {
  await go("ask");
  await page.getByLabel("Or choose a file").setInputFiles({ name: "new_patients.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await shows("3 rows from new_patients.csv.");
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["age;bmi\n1;2\n3;4\n"], "dropped.csv"));
    return data;
  });
  await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
  await shows("2 rows from dropped.csv.");
});

test("what the agent refuses is said in its own sentence", async () => {
  await go("ask");
  agent.refusal = "line 3: age is 250, outside 0 to 110; correct it, or skip such rows";
  await page.getByLabel("Rows to predict").fill(csv);
  await page.getByRole("button", { name: "Predict" }).click();
  await shows(agent.refusal);
});

test("the agent allows exactly the style that Plot writes", async () => {
  await go("ask");
  await page.getByLabel("Rows to predict").fill(csv);
  await page.getByRole("button", { name: "Predict" }).click();
  await page.locator(".plot svg").waitFor();
  const style = await page.locator(".plot svg style").evaluate((one) => one.textContent);
  assert.equal("sha256-" + createHash("sha256").update(style).digest("base64"), plot_style, "update this hash in the header of the agent as well");
  assertQuiet(page); // a style that is not allowed causes a console error
});

test("10,000 lines: few are drawn, each is in its place, and all can be found", async () => {
  await go("ledger");
  const table = page.getByRole("table", { name: /Runs in the ledger/ });
  await table.waitFor();
  assert.equal(await table.getAttribute("aria-rowcount"), "10001");
  const box = page.locator(".windowed");
  await box.evaluate((one) => one.scrollTo(0, 4000 * 36));
  await table.locator('tr[aria-rowindex="4002"]').waitFor();
  const off = await table.locator('tr[aria-rowindex="4002"]').evaluate((row) => {
    const head = row.closest("table").tHead.getBoundingClientRect();
    return row.getBoundingClientRect().top - row.closest(".windowed").getBoundingClientRect().top - head.height;
  });
  assert.ok(Math.abs(off) < 80, `line 4,000 is ${off} pixels from its place`);
  assert.ok((await table.locator("tr").count()) < 100);
  await box.focus();
  await page.keyboard.press("End");
  await table.locator('tr[aria-rowindex="10001"]').waitFor();

  await page.getByRole("combobox", { name: "Asker" }).selectOption("bonn");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("fit");
  const theirs = agent.answers.ledger.runs.filter((run) => run.asker === "bonn" && run.kind === "fit").length;
  await shows(`${theirs} of 10,000 runs`);
  assert.equal(await table.getAttribute("aria-rowcount"), String(theirs + 1));
  await table.locator('tr[aria-rowindex="2"]').waitFor();
  const words = await table.locator("tbody tr[aria-rowindex]").allTextContents();
  assert.equal(words.length, theirs);
  assert.ok(words.every((one) => one.includes("bonn") && one.includes("fit")));
  assertQuiet(page);
});
