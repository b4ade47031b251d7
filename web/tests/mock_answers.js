// The answers of the mock agent: a consortium of thirteen with agents that are down, a hostile name and a long ledger.

export const markup = `<img src=x onerror="window.hacked=1">`;
const hash = "d53b1de4b86696c8052cdf51cb89b0322e815a1b1c65412b35e5b5642b7bcee0";
const names = [
  "aachen",
  "bonn",
  "celle",
  "dresden",
  "essen",
  "freiburg",
  "gera",
  "halle",
  "ingolstadt",
  "jena",
  "kiel",
  markup,
  "a-hospital-with-a-long-name-in-one-word-that-goes-on-and-on",
];
const inputs = [
  { name: "age", low: 0, high: 110 },
  { name: "sex", levels: ["f", "m"] },
  { name: "bmi", low: 0, high: 60 },
  { name: `bp ${markup}`, low: 20, high: 170 },
];
const lengthscales = [4.5, 2.25, 9, 0.75, 1.5]; // age, sex=f, sex=m, bmi, bp

function peer(name, k) {
  const down = k % 3 === 2;
  return {
    name,
    address: `${name.length > 20 ? "far" : name}.example.org:7500`,
    neighbour: k !== 4,
    up: !down && k !== 5,
    refusal: k === 5 ? "its charter differs (number 2)" : "",
    why_down: down ? "no route to host; tried 12 times since 13:40" : "",
    release: down ? "" : "0.2.0",
    round_trip: down ? null : 0.0007 * (k + 1),
    bytes_sent: 18800 * k,
    bytes_received: 1534000 * k,
    links: down ? 0 : 1,
    left: k < 2 ? { predict: 9000 - k, fit: 3 } : {},
  };
}

function status() {
  return {
    name: "aachen",
    release: "0.2.0",
    title: "Thirteen hospitals",
    charter: hash,
    charter_number: 3,
    listen: "127.0.0.1:7501",
    up_seconds: 98765,
    rows: 1268,
    holdout_rows: 112,
    dropped: 0,
    holdout_dropped: 0,
    model: {
      version: 7,
      digest: "9c43950056e643dd640816cd3e86465143d7d26c0b6d8c97777301bb86e7c130",
      fitted_at: "2026-11-17T09:55:03.312Z",
      originator: "bonn",
      roster: names,
      priors: [
        {
          kernel: `se-ard(lengthscale=[${lengthscales.join(", ")}], signal=0.9772) + linear(signal=0.31)`,
          noise: 0.6547,
          numbers: {
            ...Object.fromEntries(lengthscales.map((length, d) => [`se.lengthscale[${d}]`, length])),
            "se.signal": 0.9772,
            "linear.signal": 0.31,
          },
        },
      ],
      standardisation: {
        rows: 15000,
        constant: 0,
        inputs: { shift: [48, 0.5, 0.5, 26, 95], scale: [13, 0.5, 0.5, 4.4, 14] },
        outputs: { shift: [151], scale: [76] },
      },
      pooled: { rows: 15000, landmarks: 141, opened: 10902, held: 75000 },
    },
    rows_changed: false,
    snapshot: { taken_at: "2026-11-16T02:00:00.000Z", name: "cf8bcad97ab50cb0", waiting: "3 rows were added and 1 was removed" },
    refit: null,
    load: 1,
    ledger: { lines: 20000, hash: "f2809902d7acb2a2e64d82c75bcedbbadf7e7aae3e9adca7c188f06b5272219b" },
    notes: [
      "Fits on this agent's rows have opened 11,018 of the 75,000 numbers that its policy allows; the rows of all agents hold 75,000.",
      `celle says ${markup}`,
    ],
    runs: { done: 412, failed: 7, withdrawn: 1, refused: 2, waiting: 0 },
    running: "",
    fewest_agents: 5,
    peers: names.slice(1).map(peer),
  };
}

const long_ago = Date.UTC(2026, 0, 1);
function ledgerRun(k) {
  const kind = k % 50 === 0 ? "fit" : k % 10 === 0 ? "evaluate" : "predict";
  return {
    number: 2 * k + 1,
    time: new Date(long_ago + k * 2_700_000).toISOString(),
    run: k.toString(16).padStart(32, "0"),
    asker: names[k % names.length],
    kind,
    points: kind === "predict" ? (k * 37) % 900 : 0,
    roster: k % 400 === 0 ? names.slice(0, 12) : names,
    charter: hash,
    model: hash,
    version: 1 + Math.floor(k / 1500),
    outcome: k % 97 === 0 ? "failed" : "done",
    opened: kind === "fit" ? 11018 : kind === "evaluate" ? 3 : ((k * 37) % 900) * 2,
  };
}

function ledger(lines) {
  return {
    lines: 2 * lines,
    hash: "f2809902d7acb2a2e64d82c75bcedbbadf7e7aae3e9adca7c188f06b5272219b",
    chain_holds: true,
    broken: "",
    fits_on_these_rows: { opened: 11018, limit: 75000, held: 75000 },
    notes: ["Fits on this agent's rows have opened 11,018 of the 75,000 numbers that its policy allows."],
    runs: Array.from({ length: lines }, (_, k) => ledgerRun(k)),
    summary: names.map((asker, k) => ({ month: "2026-11", asker, runs: 31 + k, points: 3140 * k, opened: 6280 * k })),
  };
}

const reasons = {
  failed: "the link to celle was lost during the run: connection reset; try again once celle is up",
  refused: `this agent's policy does not allow requests from ${markup}`,
  withdrawn: "the asker withdrew it",
};
const outcomes = ["done", "done", "failed", "done", "withdrawn", "refused"];
const run = (_, k) => ({
  time: new Date(Date.UTC(2026, 10, 17) - k * 5_000_000).toISOString(),
  kind: ["fit", "predict", "evaluate"][k % 3],
  asker: names[k % names.length],
  outcome: outcomes[k % 6],
  reason: reasons[outcomes[k % 6]] ?? "",
  seconds: k % 6 === 5 ? null : 0.3 + k,
});

// One prediction for each row of the table. With skip_bad, the second row is skipped.
function predict({ csv, together, skip_bad }) {
  const rows = csv.trim().split("\n").length - 1;
  const one = (k) => {
    if (skip_bad && k === 1) return { mean: null, latent_sd: null, observed_sd: null, low: null, high: null };
    const mean = 120 + 60 * Math.sin(k),
      sd = 12 + (k % 5);
    return { mean: [mean], latent_sd: [sd], observed_sd: [50], low: [mean - 98], high: [mean + 98] };
  };
  const predictions = Array.from({ length: rows }, (_, k) => one(k));
  const line = (p) => (p.mean ? [p.mean[0], p.latent_sd[0], 50, p.low[0], p.high[0]].join(",") : ",,,,");
  return {
    predictions: { targets: ["y"], roster: names, without: [], at_home: !together, notes: [], skipped: skip_bad ? 1 : 0, predictions },
    csv: ["y_mean,y_latent_sd,y_observed_sd,y_low,y_high", ...predictions.map(line)].join("\n") + "\n",
    notes: skip_bad ? ["1 row was skipped: age is 250, outside 0 to 110 (line 3)"] : [],
  };
}

export const fixtures = () => ({
  status: status(),
  charter: {
    title: "Thirteen hospitals",
    number: 3,
    hash,
    self: 0,
    words: [
      {
        heading: "Who takes part",
        sentences: ["13 agents take part, one for each party.", `They have the inputs age (0 to 110) and bp ${markup}.`],
      },
      {
        heading: "What each party sees in a fit",
        sentences: [
          "23 numbers about the rows of all agents: the number of rows, and the mean and the spread of each column.",
          "Another fit on the same rows opens the same numbers and nothing more.",
        ],
      },
    ],
    agents: names.map((name, k) => ({
      name,
      address: `host${k}.example.org:7500`,
      identity: hash.split("").reverse().join(""),
      self: k === 0,
      signed: k !== 6,
    })),
    inputs,
    targets: ["y"],
    changes: { from: 2, words: ["timeouts.gather: 20 becomes 30", `agents: ${markup} joins`] },
  },
  ledger: ledger(10000),
  runs: { runs: Array.from({ length: 60 }, run) },
  policy: {
    fewest_agents: 5,
    without: ["bonn", "celle"],
    most_opened: 1,
    fewest_new_rows: 25,
    may: { fit: ["*"], predict: ["*"], evaluate: ["bonn", markup] },
    per_day: { predict: 10000, fit: 5 },
    left: names.slice(1, 6).map((asker, k) => ({ asker, kind: k % 2 ? "fit" : "predict", count: k % 2 ? 3 : 9000 + k })),
  },
  quality: {
    evaluations: [
      { time: "2026-11-17T10:00:00.000Z", version: 7, rows: 1458, rmse: 53.71, log_density: -5.412 },
      { time: "2026-11-10T10:00:00.000Z", version: 6, rows: 1458, rmse: 54.2, log_density: -5.43 },
    ],
  },
  predict,
});
