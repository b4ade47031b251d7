// A simulation's test points, with the standard deviation of a new observation at each.
import type { Point } from "./plots";
import type { Simulate } from "./result";
import { known } from "./words";

export function pointsOf(result: Simulate, target: number): Point[] {
  const added = result.variance === "latent" ? (result.noise_variance[target] ?? 0) : 0;
  return result.predictions.flatMap(({ mean, variance }, k) => {
    const truth = result.test.targets?.[k]?.[target],
      m = mean[target],
      v = variance[target];
    return known(truth) && known(m) && known(v)
      ? [{ name: `line ${result.test.rows[k] ?? k}`, truth, mean: m, sd: Math.sqrt(v + added) }]
      : [];
  });
}
