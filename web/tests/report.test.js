// Reports opened as files: they are drawn, fit every screen, show the digits of the JSON and make no network requests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, drawn, fits, openAll, opened, table, text } from "./report_browser.js";
import { filled, hostile, madeUp, markup, samples } from "./report_samples.js";

for (const [name, result] of Object.entries(samples()))
  test(`${name} is drawn, fits and can be read by all`, async () => {
    for (const colorScheme of ["light", "dark"]) {
      const { page, faults, close } = await opened(filled(result), { colorScheme });
      await drawn(page);
      for (const width of [360, 768, 1600]) await fits(page, width);
      if (colorScheme === "light") {
        await fits(page, 360);
        await page.evaluate(() =>
          document.querySelectorAll("details.brief").forEach((one) => (one.open = true)),
        );
      }
      await accessible(page);
      for (const label of await page
        .locator("svg[role=img]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))))
        assert.ok(label?.length > 10, "every chart has a description");
      assert.deepEqual(faults, []);
      await close();
    }
  });

test("tables of a simulation have the JSON's digits", async () => {
  for (const result of [samples()["simulate-holdout-ard"], samples()["seven-targets"]]) {
    const { page, close } = await opened(filled(result));
    await drawn(page);
    const { accuracy, hyperparameters: prior } = result,
      last = result.targets.length - 1,
      target = result.targets[last];
    if (last > 0) await page.getByLabel("Shown target").selectOption({ label: target });
    assert.deepEqual(
      await table(page, `predictions of ${target}`),
      result.predictions.map((one, k) =>
        text([result.test.rows[k], result.test.targets[k][last], one.mean[last], one.variance[last]]),
      ),
    );
    assert.deepEqual(
      await table(page, "Error of each party"),
      result.names.map((one, k) =>
        text([one, result.rows[k], accuracy.local_agents[k], accuracy.at_home_agents[k]]),
      ),
    );
    assert.deepEqual(
      (await table(page, "mean log density")).map((row) => row.slice(1)),
      ["local", "at_home", "private", "pooled"].map((one) => text(Object.values(accuracy.calibration[one]))),
    );
    const curve = accuracy.curve.by_target[target];
    assert.deepEqual(
      await table(page, "inside the intervals"),
      accuracy.curve.nominal.map((share, k) =>
        text([share, curve.alone[k], curve.at_home[k], curve.together[k], curve.pooled[k]]),
      ),
    );
    const scales = Object.entries((prior.outputs?.[0] ?? prior).by_column)
      .map(([column, numbers]) => [column, numbers["se.lengthscale"]])
      .sort((a, b) => a[1] - b[1]);
    assert.deepEqual(await table(page, "Length-scale of each column"), scales.map(text));
    assert.deepEqual(
      await table(page, "at every trial"),
      result.tuning.trials.map((one, k) => text([k + 1, 1, one.likelihood])),
    );
    assert.deepEqual(
      await table(page, "Traffic of each link"),
      result.network.edges.map((one) =>
        text([result.names[one.a], result.names[one.b], one.messages, one.bytes]),
      ),
    );
    assert.deepEqual((await table(page, "Seconds by stage")).at(-1), text(["total", result.seconds.total]));
    assert.deepEqual(
      (await table(page, "Numbers opened")).map((row) => row[1]),
      text([result.landmarks.held, result.landmarks.opened_by_the_fit, result.landmarks.opened]),
    );
    await close();
  }
});

test("a seed keeps all its digits", async () => {
  const json = JSON.stringify({ ...samples().evaluate, about: { seed: 1 } }).replace(
    '"seed":1',
    '"seed":18446744073709551615',
  );
  const { page, close } = await opened(filled(json));
  await drawn(page);
  assert.match(await page.locator("main").innerText(), /18446744073709551615/);
  await close();
});

test("tables of audits, reproductions and evaluations have the JSON's digits", async () => {
  const { "audit-consensus": audit, reproduce, evaluate } = samples();
  const first = await opened(filled(audit));
  await drawn(first.page);
  assert.deepEqual(
    await table(first.page, "each agent’s value"),
    audit.trajectory.error.map((one, k) => text([`agent ${k}`, one])),
  );
  assert.equal(await first.page.locator(".network rect").count(), audit.coalition.length);
  assert.equal(await first.page.locator(".network .known").count(), audit.trajectory.singled_out.length);
  await first.close();
  const second = await opened(filled(reproduce));
  await drawn(second.page);
  const published = reproduce.table.rows.filter((one) => one.published);
  assert.deepEqual(
    (await table(second.page, "Published numbers")).map((row) => row.slice(1, 3)),
    published.map((one) => text([one.published.rmse_mean.ours, one.rmse_mean.mean])),
  );
  assert.deepEqual(
    (await table(second.page, "RMSE of the mean on")).slice(1).map((row) => row[1]),
    text(reproduce.accuracy.curves[0].rmse_mean),
  );
  await second.close();
  const third = await opened(filled(evaluate));
  await drawn(third.page);
  assert.deepEqual((await table(third.page, "Score"))[0], text(["all", evaluate.rmse, evaluate.log_density]));
  assert.deepEqual(
    await table(third.page, "predictions of y"),
    evaluate.points
      .filter((one) => one.target === "y")
      .map((one) => text([one.row, one.truth, one.mean, one.observed_sd])),
  );
  await third.close();
});

test("without scripts the summary shows; it also stays where the JSON cannot be read", async () => {
  for (const [json, options] of [
    [samples()["audit-exact"], { javaScriptEnabled: false }],
    [{ nothing: 1 }, {}],
    ["{ not JSON", {}],
  ]) {
    const { page, close } = await opened(filled(json, "<h1>In short: 54.9</h1>"), options);
    assert.equal(await page.locator("main h1").innerText(), "In short: 54.9");
    await close();
  }
});

test("where rounds tell more than totals, the report does not promise that they do not", async () => {
  for (const name of ["audit-consensus", "simulate-paper"])
    for (const bound of [0, 2]) {
      const result = structuredClone(samples()[name]);
      Object.assign(result.privacy ?? result, { collusion: bound, withstands_all_rounds: bound });
      const { page, close } = await opened(filled(result));
      await drawn(page);
      const words = await page.locator("main").innerText();
      assert.doesNotMatch(words, /nothing but the (sum|total)/, `${name}, ${bound}`);
      assert.match(words, /learn more than the totals/, `${name}, ${bound}`);
      await close();
    }
});

test("the keyboard reaches every fold and choice", async () => {
  const { page, close } = await opened(filled(samples()["seven-targets"]));
  await drawn(page);
  const wanted = await page.evaluate(() =>
    [...document.querySelectorAll("summary, select, button")].map((one, k) => (one.dataset.stop = String(k))),
  );
  const reached = new Set();
  for (let k = 0; k < 4 * wanted.length && reached.size < wanted.length; ++k) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => document.activeElement?.dataset.stop);
    if (stop !== undefined) reached.add(stop);
  }
  assert.deepEqual([...reached].sort(), wanted.sort());
  const fold = page.locator("summary").first();
  await fold.focus();
  await page.keyboard.press("Enter");
  assert.equal(
    await page
      .locator("details")
      .first()
      .evaluate((one) => one.open),
    true,
  );
  await close();
});

test("markup in names stays text, under the report's own policy", async () => {
  const { page, faults, close } = await opened(filled(hostile()), { bypassCSP: false });
  await drawn(page);
  await openAll(page);
  const seen = await page.locator("main").innerText();
  for (const one of markup) assert.ok(seen.includes(one), `${one} is shown as it is`);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

test("paper is light, has short tables open, and no chart is cut", async () => {
  const paper = { width: 680, height: 1001 }; // A4 without margins, in pixels of CSS
  for (const name of ["simulate-diabetes", "seven-targets", "audit-consensus", "reproduce"]) {
    const { page, close } = await opened(filled(samples()[name]), { colorScheme: "dark", width: 1600 });
    await drawn(page);
    await page.evaluate(() =>
      addEventListener(
        "beforeprint",
        () => (window.openOnPaper = document.querySelectorAll("details.brief[open]").length),
      ),
    );
    const pdf = await page.pdf({ preferCSSPageSize: true });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    assert.equal(await page.evaluate(() => window.openOnPaper), await page.locator("details.brief").count());
    await page.waitForFunction(() => !document.querySelector("details[open]")); // the tables are closed again
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize(paper);
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
      "rgb(255, 255, 255)",
    );
    for (const chart of await page.locator(".chart").evaluateAll((all) =>
      all.map((one) => ({
        height: one.getBoundingClientRect().height,
        right: one.firstElementChild.getBoundingClientRect().right,
        rule: getComputedStyle(one).breakInside,
      })),
    ))
      assert.ok(
        chart.rule === "avoid" && chart.height < paper.height && chart.right <= paper.width,
        JSON.stringify(chart),
      );
    await close();
  }
});

test("many agents do not hang it, and it says what is not drawn", async (t) => {
  for (const [shape, html] of [
    ["20 agents, 7 targets, 200 points", filled(madeUp({ agents: 20, targets: 7, points: 200, inputs: 21 }))],
    ["1,000 agents", filled(madeUp({ agents: 1000, targets: 2, points: 200, inputs: 21 }))],
  ]) {
    const start = performance.now(),
      { page, faults, close } = await opened(html);
    await page.waitForSelector("main svg[role=img]");
    t.diagnostic(
      `${shape}: drawn ${Math.round(performance.now() - start)} ms after opening a window, ${Math.round(html.length / 1000)} kB`,
    );
    if (shape.startsWith("1,000"))
      assert.match(
        await page.locator("main").innerText(),
        /A network of 1,000 agents and 2,000 links is not drawn/,
      );
    assert.ok(html.length < 2e6, "the file is small enough for an email attachment");
    assert.deepEqual(faults, []);
    await close();
  }
});
