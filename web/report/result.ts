// The JSON results of tacit. Fields that an older release or another option omits are optional, and the report omits
// the parts that need them.

export type Maybe<T> = T | null | undefined;

export interface About {
  command?: string;
  release?: string;
  line?: Maybe<string>;
  seed?: Maybe<number | string>;
  made_at?: string;
  model?: { version: number; digest: string } | null;
  data?: { file: string; sha256: Maybe<string> }[];
}

export interface Edge {
  a: number;
  b: number;
  messages?: number;
  bytes?: number;
}
export interface Network {
  agents: number;
  helpers?: number;
  edges: Edge[];
}

export interface Quality {
  rmse: Maybe<number>;
  coverage: Maybe<number>;
  log_density: Maybe<number>;
}
export interface Models {
  local: Quality;
  at_home?: Maybe<Quality>;
  private: Quality;
  pooled?: Maybe<Quality>;
}

export type Series = "alone" | "at_home" | "together" | "pooled";

export interface Accuracy {
  local: Maybe<number>;
  at_home: Maybe<number>;
  private: Maybe<number>;
  pooled: Maybe<number>;
  local_agents: Maybe<number>[];
  at_home_agents: Maybe<number>[];
  calibration: Models & { rules?: Record<string, Quality> };
  by_target: Record<string, Models>;
  by_agent?: { local: Record<string, Quality>[]; at_home: Record<string, Quality>[] };
  curve?: { nominal: number[]; by_target: Record<string, Partial<Record<Series, Maybe<number>[]>>> };
}

export interface Prior {
  kernel: string;
  noise: number;
  numbers?: Record<string, number>;
  by_column?: Maybe<Record<string, Record<string, number>>>;
  outputs?: Prior[];
}

export interface Tuning {
  method: string;
  evaluations?: number;
  iterations?: number;
  searches?: number;
  end?: string;
  likelihood_before: Maybe<number>;
  likelihood_after: Maybe<number>;
  trials?: { search: number; likelihood: Maybe<number> }[];
}

export interface Prediction {
  mean: Maybe<number>[];
  variance: Maybe<number>[];
}

export interface Privacy {
  collusion: number;
  withstands_one_round?: number;
  withstands_all_rounds?: number;
  trajectory_safe?: boolean;
  sentences?: string[];
  learns?: { who: string; what: string }[];
  not_promised?: string[];
}

export interface Simulate {
  about?: About;
  agents: number;
  helpers?: number;
  rows: number[];
  names: string[];
  inputs: string[];
  targets: string[];
  topology: string;
  protocol: string;
  fusion: string;
  kernel: string;
  hyperparameters: Prior;
  landmarks: Maybe<{ count: number; opened: number; opened_by_the_fit: number; held: number }>;
  units?: { hyperparameters: string };
  standardise?: Maybe<{ targets: { scale: number[] } }>;
  tuning: Maybe<Tuning>;
  holdout?: Maybe<{ model?: string; rows: number; rmse: Maybe<number>; log_density: Maybe<number> }>;
  variance: string;
  noise_variance: number[];
  predictions: Prediction[];
  test: { rows: number[]; targets: Maybe<number[][]> };
  accuracy: Maybe<Accuracy>;
  rmse?: { mean: Maybe<number>; variance: Maybe<number> };
  traffic: { rounds: number; messages: number; bytes: number };
  seconds: Record<string, number>;
  privacy: Privacy;
  network?: Network;
  warnings?: string[];
}

export interface Audit {
  about?: About;
  agents: number;
  helpers?: number;
  topology: string;
  protocol: string;
  collusion: number;
  withstands_one_round?: number;
  withstands_all_rounds?: number;
  trajectory_safe?: boolean;
  coalitions?: { all: number; examined: number; leaking: number };
  coalition?: number[];
  witness?: Maybe<{ agent: number; coalition: number[]; parts: number[][] }>;
  round?: { broken: { agent: number; parts: number[][] }[] };
  parts?: number[][];
  trajectory?: { singled_out: number[]; error: Maybe<number>[]; guess?: Maybe<number>; rounds?: number };
  required: number;
  requirement_met: boolean;
  required_masks?: number;
  masks_requirement_met?: boolean;
  edges_to_add?: Maybe<[number, number][]>;
  network?: Network;
  findings: string[];
  advice: string[];
}

interface Nearness {
  rows: Maybe<number>;
  inputs: Maybe<number>;
  median: Maybe<number>;
}

export interface AuditLandmarks {
  about?: About;
  agents: number;
  rows: number;
  inputs: number;
  outputs: number;
  landmarks: number;
  opened: number;
  held: number;
  share: number;
  share_alone: number;
  share_targets: number;
  ceiling: number;
  ceiling_alone: number;
  attack: Maybe<{
    found: Nearness;
    chance: Nearness;
    within_reach: Maybe<number>;
    least_left: Maybe<number>;
  }>;
  findings: string[];
  advice: string[];
}

export interface Spread {
  mean: Maybe<number>;
  std: Maybe<number>;
}

export interface TableRow {
  data: string;
  agents: number;
  degree: number;
  variant: string;
  repeats: number;
  rmse_mean: Spread;
  rmse_variance: Spread;
  test_rmse: Spread;
  seconds: Record<string, Spread>;
  traffic: { rounds: number; messages: number; bytes: number };
  published?: {
    rmse_mean: Record<string, string>;
    rmse_variance: Record<string, string>;
    plain_seconds: string;
    total_seconds: Record<string, string>;
  };
}

export interface AccuracyCurve {
  data: string;
  lz: number;
  iterations: number[];
  rmse_mean: Maybe<number>[];
  rmse_variance: Maybe<number>[];
  floor_mean: Maybe<number>;
  floor_variance: Maybe<number>;
}

interface Pair {
  lengthscale: number;
  signal: number;
}

export interface TuningRun {
  data: string;
  gradient: string;
  weight_denominator: number;
  agreed: Pair;
  spread: Pair;
  likelihood: { before: Maybe<number>; after: Maybe<number> };
  test_rmse: { before: Maybe<number>; after: Maybe<number>; constant: Maybe<number> };
  agents: { lengthscale: Maybe<number>[]; signal: Maybe<number>[] }[];
}

export interface Causes {
  rates: { network: string; lambda_20: number; lambda_40: number; ratio: number }[];
  variances: {
    data: string;
    noise: number;
    variance: string;
    lengthscale: number;
    signal: number;
    rows: { agents: number; degree: number; rmse_mean: Maybe<number>; rmse_variance: Maybe<number> }[];
  }[];
  inputs: Record<string, string | number>[];
}

export interface Reproduce {
  about?: About;
  tuning?: { runs: TuningRun[] };
  accuracy?: { curves: AccuracyCurve[] };
  table?: { rows: TableRow[] };
  causes?: Causes;
}

export interface Evaluate {
  about?: About;
  rows: number;
  rmse: Maybe<number>;
  log_density: Maybe<number>;
  inputs_shown?: boolean;
  coverage?: Maybe<number>;
  roster?: string[];
  notes?: string[];
  targets?: Record<string, Partial<Quality>>;
  points?: { row: number; target: string; truth: number; mean: number; observed_sd: number }[];
}

export type Result =
  | { kind: "simulate"; of: Simulate }
  | { kind: "audit"; of: Audit }
  | { kind: "landmarks"; of: AuditLandmarks }
  | { kind: "reproduce"; of: Reproduce }
  | { kind: "evaluate"; of: Evaluate };
