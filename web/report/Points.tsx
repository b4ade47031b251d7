// Predicted against true, and the points where it went most wrong.
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
      title={`Predicted against true: ${target}`}
      most={620}
      draw={draw}
      numbers={numbers}
      label={`Predicted against true ${target} at ${plural(points.length, "point")}; ${beyond} lie outside of their 95 % interval.`}
    >
      <p>
        On the dashed line a prediction is right. <span class="outside">Diamonds</span> are the {beyond} of{" "}
        {plural(points.length, "point")} outside of their 95 % intervals
        {points.length <= most_lines && ", the lines"}; about {Math.max(1, Math.round(points.length / 20))} to be expected.
        {points.length > most_dots && " Not all points are drawn, but an even choice of them."}
      </p>
    </Chart>
  );
}

export function Worst({ points, target }: { points: Point[]; target: string }) {
  const off = (p: Point) => (p.truth - p.mean) / p.sd;
  const worst = [...points].sort((a, b) => Math.abs(off(b)) - Math.abs(off(a))).slice(0, worst_shown);
  return (
    <section>
      <h3>Where it went most wrong: {target}</h3>
      <p>
        The test rows furthest from what was predicted, in deviations. Are their cells right? Do they belong
        to a kind that few rows are of?
      </p>
      <Table
        caption={`The ${worst.length} worst predictions of ${target}`}
        columns={["test row", "true", "predicted", "deviations off"]}
        rows={worst.map((p) => [p.name, p.truth, p.mean, Number(off(p).toFixed(2))])}
      />
    </section>
  );
}
