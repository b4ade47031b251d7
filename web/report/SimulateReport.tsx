import { HowToRepeat } from "./HowToRepeat";
import { Answer } from "./Answer";
import { ByPoint } from "./ByPoint";
import { ByTarget } from "./ByTarget";
import { Cost } from "./Cost";
import { Model } from "./Model";
import { Private } from "./Private";
import type { Simulate } from "./result";
import { Fold } from "./Table";
import { Worth } from "./Worth";

// The predictions, if their targets are unknown and they cannot be scored.
function Unscored({ result }: { result: Simulate }) {
  return (
    <Fold
      title="Predictions"
      tables={[
        {
          caption: "Predicted mean and variance of every target",
          columns: ["line of the file", ...result.targets.flatMap((one) => [one, `variance of ${one}`])],
          rows: result.predictions.map((one, k) => [
            result.test.rows[k],
            ...result.targets.flatMap((_, t) => [one.mean[t], one.variance[t]]),
          ]),
        },
      ]}
    />
  );
}

export function SimulateReport({ result }: { result: Simulate }) {
  const { accuracy, warnings = [] } = result;
  return (
    <>
      <section>
        <h2>Result</h2>
        <Answer result={result} />
        {warnings.length > 0 && (
          <aside class="warnings" aria-label="Warnings">
            <h3>Warnings</h3>
            <ul>
              {warnings.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          </aside>
        )}
        {accuracy && <Worth result={result} accuracy={accuracy} />}
        {accuracy && result.targets.length > 1 && <ByTarget result={result} accuracy={accuracy} />}
        {accuracy ? <ByPoint result={result} accuracy={accuracy} /> : <Unscored result={result} />}
      </section>
      <Model result={result} />
      <Cost result={result} />
      <Private result={result} />
      <HowToRepeat about={result.about} />
    </>
  );
}
