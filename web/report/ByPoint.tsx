// The charts of one target, with a menu if there are several targets.
import { useMemo, useState } from "preact/hooks";
import { Calibration } from "./Calibration";
import { Choice } from "./Choice";
import { Points, Worst } from "./Points";
import { pointsOf } from "./testpoints";
import type { Accuracy, Simulate } from "./result";

export function ByPoint({ result, accuracy }: { result: Simulate; accuracy: Accuracy }) {
  const [chosen, choose] = useState(0);
  const points = useMemo(() => pointsOf(result, chosen), [result, chosen]);
  const target = result.targets[chosen]!;
  const kind = result.variance === "latent" ? "variance (without noise)" : "variance (with noise)";
  const numbers = {
    caption: `Test rows and predictions of ${target}${result.variance === "latent" ? `; the noise variance is ${result.noise_variance[chosen]}` : ""}`,
    columns: ["line of the file", "true", "predicted", kind],
    rows: result.predictions.map((one, k) => [
      result.test.rows[k],
      result.test.targets?.[k]?.[chosen],
      one.mean[chosen],
      one.variance[chosen],
    ]),
  };
  return (
    <>
      <Choice words="Shown target" names={result.targets} chosen={chosen} choose={choose} />
      <div class="pair">
        <Points points={points} target={target} numbers={numbers} />
        <Calibration result={result} accuracy={accuracy} target={target} />
      </div>
      <Worst points={points} target={target} />
    </>
  );
}
