// The reproduction of the published evaluation: figures and tables, compared with the published numbers.
import { HowToRepeat } from "../HowToRepeat";
import { ReproducedCauses } from "./ReproducedCauses";
import { ReproducedCurves } from "./ReproducedCurves";
import type { Reproduce } from "../result";
import { ReproducedTable } from "./ReproducedTable";
import { ReproducedTuning } from "./ReproducedTuning";

export const headline = "Reproduction of the published evaluation";

export function ReproduceReport({ result }: { result: Reproduce }) {
  return (
    <>
      {result.table && <ReproducedTable rows={result.table.rows} />}
      {result.accuracy && <ReproducedCurves curves={result.accuracy.curves} />}
      {result.tuning && <ReproducedTuning runs={result.tuning.runs} />}
      {result.causes && <ReproducedCauses causes={result.causes} />}
      <HowToRepeat about={result.about} />
    </>
  );
}
