// The plot of prediction intervals. It is a separate chunk that the page loads when there are predictions.
import { axisX, axisY, dot, gridY, plot, ruleX } from "@observablehq/plot";

export interface Interval {
  row: number;
  name: string;
  mean: number;
  sd: number; // of the mean
  low: number; // of a new observation
  high: number;
}

const reach_of_95 = 1.959964;
const most_names = 30;

// The class name is fixed, because the agent's header allows the style that Plot writes for it by its hash.
export function intervalPlot(target: string, intervals: Interval[], width: number) {
  const few = intervals.length <= most_names;
  const names = new Map(intervals.map((one) => [one.row, one.name]));
  const thick = few ? 6 : Math.max(1, Math.min(6, width / intervals.length / 3));
  const x = "row";
  return plot({
    className: "plot-d6a7b5",
    width,
    height: Math.min(360, 180 + width / 6),
    marginTop: 28,
    marginLeft: 56,
    marginBottom: 44,
    style: { fontSize: "12px", background: "transparent" },
    x: few ? { type: "point" } : { type: "linear" },
    y: { nice: true },
    marks: [
      gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      axisY({ label: target, anchor: "left", ticks: 5 }),
      axisX({
        label: few ? null : "row",
        tickFormat: (row: number) => (few ? shortened(names.get(row) ?? "") : String(row + 1)),
        ...(few && intervals.length > width / 48 ? { tickRotate: -40 } : {}),
      }),
      ruleX(intervals, { x, y1: "low", y2: "high", stroke: "var(--together)", strokeWidth: Math.min(1.5, thick) }),
      ruleX(intervals, {
        x,
        y1: (one: Interval) => one.mean - reach_of_95 * one.sd,
        y2: (one: Interval) => one.mean + reach_of_95 * one.sd,
        stroke: "var(--together)",
        strokeOpacity: 0.45,
        strokeWidth: thick,
      }),
      dot(intervals, {
        x,
        y: "mean",
        r: few ? 4 : Math.min(3, thick),
        fill: "var(--raised)",
        stroke: "var(--together)",
        strokeWidth: few ? 2 : 1,
      }),
    ],
  });
}

const shortened = (name: string) => (name.length > 8 ? name.slice(0, 7) + "…" : name);
