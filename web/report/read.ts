import type { Result } from "./result";

// A seed may have more digits than a JavaScript number keeps. Newer browsers provide the source text, which has them
// all.
function keepSeeds(this: unknown, key: string, value: unknown, context?: { source?: string }) {
  return key === "seed" && typeof value === "number" ? (context?.source ?? value) : value;
}

// The fields of a result determine its kind, because the command "audit" has two kinds of results.
export function read(text: string): Result {
  const of = JSON.parse(text, keepSeeds);
  const has = (field: string) => typeof of === "object" && of !== null && field in of;
  if (has("predictions") && has("traffic")) return { kind: "simulate", of };
  if (has("findings") && has("protocol")) return { kind: "audit", of };
  if (has("findings") && has("landmarks")) return { kind: "landmarks", of };
  if (has("rmse") && has("log_density")) return { kind: "evaluate", of };
  if (["tuning", "accuracy", "table", "causes"].some(has)) return { kind: "reproduce", of };
  throw new Error("This is not the result of tacit simulate, audit, evaluate or reproduce.");
}
