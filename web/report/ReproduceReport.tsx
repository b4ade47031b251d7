// The reproduction of the published evaluation: figures and tables, compared with the published numbers.
import { Again } from "./Again";
import { CausesAgain } from "./CausesAgain";
import { CurvesAgain } from "./CurvesAgain";
import type { Reproduce } from "./result";
import { TableAgain } from "./TableAgain";
import { TuningAgain } from "./TuningAgain";

export const headline = "Reproduction of the published evaluation";

export function ReproduceReport({ result }: { result: Reproduce }) {
  return (
    <>
      {result.table && <TableAgain rows={result.table.rows} />}
      {result.accuracy && <CurvesAgain curves={result.accuracy.curves} />}
      {result.tuning && <TuningAgain runs={result.tuning.runs} />}
      {result.causes && <CausesAgain causes={result.causes} />}
      <Again about={result.about} />
    </>
  );
}
