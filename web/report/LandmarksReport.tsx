// How many numbers the sums over landmarks open, and the result of an attack on synthetic rows.
import { useCallback } from "preact/hooks";
import { HowToRepeat } from "./HowToRepeat";
import { Chart } from "./Chart";
import { bars } from "./plots";
import { Findings } from "./Findings";
import type { AuditLandmarks } from "./result";
import { Table } from "./Table";
import { count, percent, plural } from "./words";

export const headline = (result: AuditLandmarks) =>
  `${plural(result.landmarks, "landmark")} open ${count(result.opened)} numbers, ${percent(result.share)} as many as all rows hold.`;

export function LandmarksReport({ result }: { result: AuditLandmarks }) {
  const shares = [
    { name: "all rows", value: result.share, note: percent(result.share) },
    { name: "one agent’s rows", value: result.share_alone, note: percent(result.share_alone) },
    { name: "targets only", value: result.share_targets, note: percent(result.share_targets) },
  ];
  const draw = useCallback(
    (width: number) =>
      bars(shares, "numbers opened per number held; the ceiling for all rows is 0.25", width),
    [result],
  );
  const { attack } = result;
  return (
    <>
      <section>
        <h2>Findings</h2>
        <Findings of={result} />
        <Chart
          title="Numbers opened per number held"
          draw={draw}
          label={`Numbers opened per number held: ${shares.map((one) => `${one.name} ${one.note}`).join(", ")}.`}
          numbers={{
            caption: "Numbers opened and held",
            columns: ["what", "value"],
            rows: [
              ["opened", result.opened],
              ["held", result.held],
              ...shares.map((one) => [one.name, one.value]),
              ["maximum number of landmarks, all rows", result.ceiling],
              ["maximum number of landmarks, one agent’s rows", result.ceiling_alone],
            ],
          }}
        />
        {attack && (
          <Table
            caption="An attack on synthetic rows of this shape, compared with guessing"
            columns={["method", "rows found", "inputs found", "median distance"]}
            rows={[
              ["attack", attack.found.rows, attack.found.inputs, attack.found.median],
              ["guessing", attack.chance.rows, attack.chance.inputs, attack.chance.median],
            ]}
          />
        )}
      </section>
      <HowToRepeat about={result.about} />
    </>
  );
}
