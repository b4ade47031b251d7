// What the sum over landmarks opens, and how far an attack on made-up rows came.
import { useCallback } from "preact/hooks";
import { Again } from "./Again";
import { Chart } from "./Chart";
import { bars } from "./plots";
import { Findings } from "./Findings";
import type { AuditLandmarks } from "./result";
import { Table } from "./Table";
import { percent, plural } from "./words";

export const headline = (result: AuditLandmarks) =>
  `${plural(result.landmarks, "landmark")} open ${percent(result.share)} of as many numbers as all rows hold.`;

export function LandmarksReport({ result }: { result: AuditLandmarks }) {
  const shares = [
    { name: "all rows", value: result.share, note: percent(result.share) },
    { name: "one agent’s rows", value: result.share_alone, note: percent(result.share_alone) },
    { name: "targets alone", value: result.share_targets, note: percent(result.share_targets) },
  ];
  const draw = useCallback(
    (width: number) =>
      bars(shares, "numbers opened for each that is held; the ceiling for all rows is 0.25", width),
    [result],
  );
  const { attack } = result;
  return (
    <>
      <section>
        <h2>What was found</h2>
        <Findings of={result} />
        <Chart
          title="Numbers opened against numbers held"
          draw={draw}
          label={`Share of numbers opened: ${shares.map((one) => `${one.name} ${one.note}`).join(", ")}.`}
          numbers={{
            caption: "Numbers opened and held",
            columns: ["what", "value"],
            rows: [
              ["opened", result.opened],
              ["held", result.held],
              ...shares.map((one) => [one.name, one.value]),
              ["most landmarks for all rows", result.ceiling],
              ["most landmarks against all others", result.ceiling_alone],
            ],
          }}
        />
        {attack && (
          <Table
            caption="An attack on made-up rows of this shape, beside guessing"
            columns={["how", "rows found", "inputs found", "median distance"]}
            rows={[
              ["attack", attack.found.rows, attack.found.inputs, attack.found.median],
              ["guessing", attack.chance.rows, attack.chance.inputs, attack.chance.median],
            ]}
          />
        )}
      </section>
      <Again about={result.about} />
    </>
  );
}
