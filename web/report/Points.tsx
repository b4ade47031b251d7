// Predicted and true values, and the points with the largest errors.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { most_dots, most_lines, outside, predictedAgainstTrue, type Point } from "./plots";
import { Table, type Numbers } from "./Table";
import { plural } from "./words";

const worst_shown = 8;

export function Points({ points, target, numbers }: { points: Point[]; target: string; numbers: Numbers }) {
  const draw = useCallback((width: number) => predictedAgainstTrue(points, target, width), [points]);
  const beyond = points.filter(outside).length;
  return (
    <Chart
      title={`Predicted and true values: ${target}`}
      most={620}
      draw={draw}
      numbers={numbers}
      label={`Predicted and true values of ${target} at ${plural(points.length, "point")}; ${beyond} outside their 95 % interval.`}
    >
      <p>
        On the dashed line, a prediction equals the true value. <span class="outside">Diamonds</span> are the {beyond} of{" "}
        {plural(points.length, "point")} outside their 95 % intervals; the expected number is about{" "}
        {Math.max(1, Math.round(points.length / 20))}.{points.length <= most_lines && " Vertical lines are the intervals."}
        {points.length > most_dots && " The chart shows an evenly spaced selection of the points."}
      </p>
    </Chart>
  );
}

export function Worst({ points, target }: { points: Point[]; target: string }) {
  const off = (p: Point) => (p.truth - p.mean) / p.sd;
  const worst = [...points].sort((a, b) => Math.abs(off(b)) - Math.abs(off(a))).slice(0, worst_shown);
  return (
    <section>
      <h3>Largest errors: {target}</h3>
      <p>
        The test rows with the largest errors, in standard deviations of the prediction. Check whether their cells
        are correct, and whether they are of a kind that is rare in the data.
      </p>
      <Table
        caption={`The ${worst.length} worst predictions of ${target}`}
        columns={["test row", "true", "predicted", "error in standard deviations"]}
        rows={worst.map((p) => [p.name, p.truth, p.mean, Number(off(p).toFixed(2))])}
      />
    </section>
  );
}
