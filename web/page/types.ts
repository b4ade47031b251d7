// The agent's JSON answers, as tacit status, ledger, fit, evaluate and predict print them with --json.

export interface Peer {
  name: string;
  address: string;
  neighbour: boolean;
  up: boolean;
  refusal: string;
  why_down: string;
  release: string;
  round_trip: number | null;
  bytes_sent: number;
  bytes_received: number;
  links: number;
  left: Record<string, number>;
}

export interface Scaling {
  shift: number[];
  scale: number[];
}

export interface Prior {
  kernel: string;
  noise: number;
  numbers: Record<string, number>; // of the kernel
}

export interface Model {
  version: number;
  digest: string;
  fitted_at: string;
  originator: string;
  roster: string[];
  priors: Prior[];
  standardisation?: { rows: number; inputs: Scaling; outputs: Scaling };
  pooled?: { rows: number; landmarks: number; opened: number; held: number };
}

export interface Status {
  name: string;
  release: string;
  title: string;
  charter: string;
  charter_number: number;
  listen: string;
  up_seconds: number;
  rows: number;
  holdout_rows: number;
  model: Model | null;
  rows_changed: boolean;
  snapshot: { taken_at: string; name: string; waiting: string };
  refit: string | null;
  ledger: { lines: number; hash: string };
  notes: string[];
  runs: { done: number; failed: number; withdrawn: number; refused: number; waiting: number };
  running: string;
  fewest_agents: number;
  peers: Peer[];
}

export interface Column {
  name: string;
  low?: number | string;
  high?: number | string;
  levels?: string[];
}

export interface Charter {
  title: string;
  number: number;
  hash: string;
  words?: { heading: string; sentences: string[] }[];
  agents: { name: string; address: string; identity: string; self: boolean; signed: boolean }[];
  inputs: Column[];
  changes: { from: string | number; words: string[] } | null;
}

export interface LedgerRun {
  number: number;
  time: string;
  run: string;
  asker: string;
  kind: string;
  points: number;
  roster: string[];
  charter: string;
  model: string;
  version: number;
  outcome: string;
  opened: number;
}

export interface Ledger {
  lines: number;
  hash: string;
  chain_holds: boolean;
  broken: string;
  fits_on_these_rows: { opened: number; limit: number; held: number } | null;
  notes: string[];
  runs: LedgerRun[];
  summary: { month: string; asker: string; runs: number; points: number; opened: number }[];
}

export interface Runs {
  runs: { time: string; kind: string; asker: string; outcome: string; reason: string; seconds: number | null }[];
}

export interface Policy {
  fewest_agents: number;
  without?: string[];
  most_opened?: number;
  fewest_new_rows?: number;
  may?: Record<string, string[]>;
  per_day?: Record<string, number>;
  left?: { asker: string; kind: string; count: number }[];
}

export interface Evaluated {
  rows: number;
  rmse: number;
  log_density: number;
}

export interface Quality {
  evaluations: (Evaluated & { time: string; version: number })[];
}

export interface Fitted {
  model: Model;
  roster: string[];
  without: string[];
  notes: string[];
}

// The prediction for one row. Fields are null if the row was skipped.
export interface Prediction {
  mean: number[] | null;
  latent_sd: number[] | null;
  observed_sd: number[] | null;
  low: number[] | null;
  high: number[] | null;
}

export interface Predicted {
  predictions: {
    targets: string[];
    roster: string[];
    at_home: boolean;
    notes: string[];
    skipped: number;
    predictions: Prediction[];
  };
  csv: string;
  notes: string[];
}
