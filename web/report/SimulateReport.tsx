import { Again } from "./Again";
import { Answer } from "./Answer";
import { ByPoint } from "./ByPoint";
import { ByTarget } from "./ByTarget";
import { Cost } from "./Cost";
import { Model } from "./Model";
import { Private } from "./Private";
import type { Simulate } from "./result";
import { Worth } from "./Worth";

export function SimulateReport({ result }: { result: Simulate }) {
  const { accuracy, warnings = [] } = result;
  return (
    <>
      <section>
        <h2>The answer</h2>
        <Answer result={result} />
        {warnings.length > 0 && <aside class="warnings" aria-label="Worth a second look"><h3>Worth a second look</h3><ul>{warnings.map((one) => <li key={one}>{one}</li>)}</ul></aside>}
        {accuracy && <Worth result={result} accuracy={accuracy} />}
        {accuracy && result.targets.length > 1 && <ByTarget result={result} accuracy={accuracy} />}
        {accuracy && <ByPoint result={result} accuracy={accuracy} />}
      </section>
      <Model result={result} />
      <Cost result={result} />
      <Private result={result} />
      <Again about={result.about} />
    </>
  );
}
