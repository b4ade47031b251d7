// Whether intervals are as wide as they should be: their nominal coverage and their observed coverage.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { Plot, style, tip } from "./plots";
import type { Accuracy, Simulate } from "./result";
import { seriesOf } from "./series";
import { digits, known } from "./words";

export function Calibration({
  result,
  accuracy,
  target,
}: {
  result: Simulate;
  accuracy: Accuracy;
  target: string;
}) {
  const nominal = accuracy.curve?.nominal ?? [],
    seen = accuracy.curve?.by_target[target] ?? {};
  const all = seriesOf(result).filter((one) => seen[one.key]);
  const draw = useCallback(
    (width: number) => {
      const data = all.flatMap((one) =>
        nominal.flatMap((share, k) => {
          const value = seen[one.key]![k];
          return known(value) ? [{ share, seen: value, ...one }] : [];
        }),
      );
      type Datum = (typeof data)[number];
      return Plot.plot({
        width,
        height: Math.min(width, 420),
        style,
        marginLeft: 56,
        marginTop: 32,
        marginBottom: 44,
        marginRight: 24,
        x: {
          label: "nominal share of the interval",
          domain: [0, 1],
          percent: false,
          tickFormat: "%",
          labelArrow: "none",
          ticks: width < 480 ? 4 : 10,
        },
        y: {
          label: "share of true values inside",
          domain: [0, 1],
          tickFormat: "%",
          grid: true,
          labelArrow: "none",
        },
        color: { type: "identity" },
        symbol: { type: "identity" },
        marks: [
          Plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "var(--soft)", strokeDasharray: "4 4" }),
          Plot.line(data, { x: "share", y: "seen", z: "key", stroke: "colour", strokeWidth: 1.5 }),
          Plot.dot(data, {
            x: "share",
            y: "seen",
            fill: "colour",
            symbol: "symbol",
            r: 3.5,
            tip,
            title: (d: Datum) => `${d.label}\nnominal ${digits(d.share)}\nobserved ${digits(d.seen)}`,
          }),
        ],
      } as Plot.PlotOptions);
    },
    [result, target],
  );
  if (all.length === 0) return null;
  const numbers = {
    caption: `Share of true values of ${target} inside the intervals`,
    columns: ["nominal", ...all.map((one) => one.label)],
    rows: nominal.map((share, k) => [share, ...all.map((one) => seen[one.key]![k])]),
  };
  return (
    <Chart
      title={`Calibration of the intervals: ${target}`}
      most={620}
      label={`Nominal and observed coverage of the intervals for ${target}.`}
      draw={draw}
      numbers={numbers}
    >
      <p class="legend">
        {all.map((one) => (
          <span key={one.key} class={one.key}>
            {one.label}
          </span>
        ))}
      </p>
      <p>
        On the dashed line, intervals contain the nominal share of the true values. Below it, intervals are too
        narrow; above it, they are wider than necessary.
      </p>
    </Chart>
  );
}
