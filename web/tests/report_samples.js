// Results for reports: runs on the Diabetes data, and synthetic ones with shapes for which no data are in the
// repository.
import { readFileSync, readdirSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
const template = readFileSync(here("../built/report.html"), "utf8");

export const markup = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"];

// Fills the template as tacit report does.
export function filled(json, summary = "<h1>In short</h1>") {
  const text = (typeof json === "string" ? json : JSON.stringify(json)).replaceAll("<", "\\u003c");
  return template
    .replace("{{title}}", "A report")
    .replace("{{summary}}", () => summary)
    .replace("{{result}}", () => text);
}

// Reproducible numbers with many digits.
function digits(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

const ring = (agents) => ({
  agents,
  helpers: 0,
  edges: Array.from({ length: agents }, (_, a) =>
    [1, 2].map((step) => ({ a, b: (a + step) % agents, messages: 100 + a, bytes: 20011 + 977 * a })),
  ).flat(),
});

const words = {
  about: {
    command: "simulate",
    release: "2.0.0",
    line: "tacit simulate --data data/diabetes.csv --target y",
    seed: 1,
    made_at: "2026-01-02T03:04:05.000Z",
    data: [{ file: "data/diabetes.csv", sha256: "5f0c".repeat(16) }],
  },
  learns: [
    { who: "every agent", what: "the number of rows of all parties, and the mean and deviation of every column" },
  ],
  not_promised: ["That a party's rows are true. A party that lies about its rows can spoil a result."],
};

const curves = (targets, next) => {
  const nominal = Array.from({ length: 10 }, (_, k) => (k + 1) / 10.5);
  const seen = () => nominal.map((share) => share * (0.9 + next() / 10));
  const by = () => ({ alone: seen(), at_home: seen(), together: seen(), pooled: seen() });
  return { nominal, by_target: Object.fromEntries(targets.map((one) => [one, by()])) };
};

export function madeUp({ agents, targets, points, inputs }) {
  const next = digits(3),
    many = (length, make) => Array.from({ length }, make);
  const quality = () => ({ rmse: 1 + next(), coverage: 0.9 + next() / 10, log_density: -next() });
  const names = many(targets, (_, t) => `target ${t + 1}`),
    columns = many(inputs, (_, k) => `input ${k + 1}`);
  const models = () => ({ local: quality(), at_home: quality(), private: quality(), pooled: quality() });
  const prior = () => ({
    kernel: "se-ard",
    noise: next(),
    numbers: { "se.signal": next() },
    by_column: Object.fromEntries(columns.map((one) => [one, { "se.lengthscale": 1 + 50 * next() }])),
  });
  const by_agent = () => many(agents, () => Object.fromEntries(names.map((one) => [one, quality()])));
  const all = models();
  return {
    about: words.about,
    network: ring(agents),
    agents,
    helpers: 0,
    rows: many(agents, () => 150),
    names: many(agents, (_, k) => `agent ${k}`),
    inputs: columns,
    targets: names,
    topology: "ring:4",
    protocol: "exact",
    fusion: "rbcm",
    kernel: "se-ard",
    hyperparameters: { ...prior(), outputs: many(targets, prior) },
    landmarks: { count: 75, ceiling: 75, opened: 20475, opened_by_the_fit: 36942, held: 84000 },
    units: { hyperparameters: "standardised" },
    standardise: { targets: { scale: many(targets, next) } },
    tuning: {
      method: "exact",
      evaluations: 100,
      searches: 1,
      end: "the likelihood no longer rises",
      likelihood_before: -9000.5,
      likelihood_after: 8000.25,
      trials: many(100, (_, k) => ({ search: 0, likelihood: 8000.25 - 17000.75 / (k + 1) })),
    },
    holdout: null,
    variance: "latent",
    noise_variance: many(targets, next),
    predictions: many(points, () => ({ mean: many(targets, next), variance: many(targets, next) })),
    test: { rows: many(points, (_, k) => k + 2), targets: many(points, () => many(targets, next)) },
    accuracy: {
      local: all.local.rmse,
      at_home: all.at_home.rmse,
      private: all.private.rmse,
      pooled: all.pooled.rmse,
      local_agents: many(agents, () => 2 + next()),
      at_home_agents: many(agents, () => 1 + next()),
      calibration: all,
      by_target: Object.fromEntries(names.map((one) => [one, models()])),
      by_agent: { local: by_agent(), at_home: by_agent() },
      curve: curves(names, next),
    },
    traffic: { rounds: 2085, messages: 121999, bytes: 133596600 },
    seconds: {
      standardise: 0.3,
      tuning: 18.5,
      pooling: 0.2,
      local: 0.2,
      protocol: 0.07,
      holdout: 0,
      network: 0,
      total: 19.27,
    },
    privacy: {
      collusion: agents - 2,
      withstands_all_rounds: agents - 2,
      trajectory_safe: true,
      learns: words.learns,
      not_promised: words.not_promised,
    },
    warnings: ["tuning left the length-scale of input 1 at its upper limit, 100"],
  };
}

// Names, columns, targets and sentences that contain markup.
export function hostile() {
  const result = madeUp({ agents: 4, targets: 2, points: 12, inputs: 3 }),
    [image, script] = markup,
    old = result.targets[0];
  const renamed = (by) =>
    Object.fromEntries(Object.entries(by).map(([name, value]) => [name === old ? image : name, value]));
  return {
    ...result,
    names: [image, script, ...result.names.slice(2)],
    inputs: [script, ...result.inputs.slice(1)],
    targets: [image, result.targets[1]],
    accuracy: {
      ...result.accuracy,
      by_target: renamed(result.accuracy.by_target),
      curve: { ...result.accuracy.curve, by_target: renamed(result.accuracy.curve.by_target) },
    },
    hyperparameters: {
      ...result.hyperparameters,
      outputs: result.hyperparameters.outputs.map((one) => ({
        ...one,
        by_column: { [script]: { "se.lengthscale": 1.5 }, ...one.by_column },
      })),
    },
    warnings: markup,
    about: { ...words.about, line: script, data: [{ file: image, sha256: script }] },
    privacy: { ...result.privacy, learns: [{ who: image, what: script }], not_promised: markup },
  };
}

export function evaluation() {
  const next = digits(11),
    points = ["y", "z"].flatMap((target) =>
      Array.from({ length: 30 }, (_, k) => ({
        row: k + 2,
        target,
        truth: 100 * next(),
        mean: 100 * next(),
        observed_sd: 20 + next(),
      })),
    );
  return {
    about: { command: "evaluate" },
    rows: 30,
    rmse: 40.12345678901234,
    log_density: -5.123456789012345,
    targets: { y: { rmse: 39.5, log_density: -5 }, z: { rmse: 41.25, log_density: -5.25 } },
    points,
  };
}

// The format of earlier releases, without the fields that were added for reports.
function earlier({ about, network, accuracy, privacy, ...rest }) {
  const { curve, ...scores } = accuracy;
  const { learns, not_promised, ...bounds } = privacy;
  return { ...rest, accuracy: scores, privacy: bounds };
}

export function samples() {
  const kept = readdirSync(here("samples")).map((name) => [
    name.replace(".json", ""),
    JSON.parse(readFileSync(here(`samples/${name}`), "utf8")),
  ]);
  const small = madeUp({ agents: 3, targets: 1, points: 5, inputs: 2 });
  return {
    ...Object.fromEntries(kept),
    evaluate: evaluation(),
    "evaluate-short": { rows: 73, rmse: 55.3, log_density: -5.4, inputs_shown: false, notes: ["a note"] },
    "seven-targets": madeUp({ agents: 20, targets: 7, points: 200, inputs: 21 }),
    "without-truth": { ...small, accuracy: null, test: { rows: [2, 3, 4, 5, 6], targets: null } },
    earlier: earlier(small),
    hostile: hostile(),
  };
}
