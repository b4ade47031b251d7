import type { Result } from "./result";

// Seeds may have more digits than a number of JavaScript keeps; browsers that know the source text give it.
function keepSeeds(this: unknown, key: string, value: unknown, context?: { source?: string }) {
  return key === "seed" && typeof value === "number" ? (context?.source ?? value) : value;
}

// What kind of run it was is told by its fields: "audit" alone does not say which of the two audits it was.
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
