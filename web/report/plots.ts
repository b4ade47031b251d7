// Settings of all charts, and the two charts that several kinds of reports use.
import * as Plot from "@observablehq/plot";
import { digits, extent, known, rounded } from "./words";
import type { Maybe } from "./result";

export { Plot };

export const style = {
  fontSize: "13px",
  fontFamily: "inherit",
  overflow: "visible",
  background: "none",
  color: "var(--soft)",
};
export const tip = {
  fill: "var(--ground)",
  stroke: "var(--line)",
  textPadding: 10,
  fontSize: 13,
  lineWidth: 28,
} as const;

// On a logarithmic axis, only powers of ten have labels.
export const decade = (value: number) =>
  Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9 ? digits(value) : "";

export interface Point {
  name: string;
  truth: number;
  mean: number;
  sd: number;
}
export const away = 1.959963984540054; // a Gaussian lies within this many standard deviations of its mean with 95 % probability
export const outside = (p: Point) => Math.abs(p.truth - p.mean) > away * p.sd;

export const most_lines = 400; // more intervals would merge into a grey block
export const most_dots = 4000; // more dots take long to draw and show nothing new

export function predictedAgainstTrue(all: Point[], target: string, width: number) {
  const crowd = all.length > most_lines;
  const step = Math.ceil(all.length / most_dots);
  const points = step > 1 ? all.filter((_, k) => k % step === 0) : all;
  const words = (p: Point) =>
    `${p.name}\ntrue ${digits(p.truth)}\npredicted ${digits(p.mean)}\n95 % interval ± ${rounded(away * p.sd)}`;
  const [low, high] = extent(points.flatMap((p) => [p.truth, p.mean]));
  return Plot.plot({
    width,
    height: Math.min(width, 480),
    style,
    marginLeft: 56,
    marginTop: 32,
    marginBottom: 44,
    x: { label: `true ${target}`, nice: true, labelArrow: "none" },
    y: { label: `predicted ${target}`, nice: true, grid: true, labelArrow: "none" },
    marks: [
      Plot.link([0], { x1: low, y1: low, x2: high, y2: high, stroke: "var(--soft)", strokeDasharray: "4 4" }),
      crowd
        ? null
        : Plot.ruleX(points, {
            x: "truth",
            y1: (p: Point) => p.mean - away * p.sd,
            y2: (p: Point) => p.mean + away * p.sd,
            stroke: (p: Point) => (outside(p) ? "var(--bad)" : "var(--together)"),
            strokeOpacity: 0.3,
          }),
      Plot.dot(points, {
        x: "truth",
        y: "mean",
        r: crowd ? 1.5 : 3.2,
        title: words,
        tip,
        fill: (p: Point) => (outside(p) ? "var(--bad)" : "var(--together)"),
        symbol: (p: Point) => (outside(p) ? "diamond" : "circle"),
      }),
    ],
    color: { type: "identity" },
    symbol: { type: "identity" },
  } as Plot.PlotOptions);
}

// Bars from zero, one for each name. Long names are shortened.
export interface Bar {
  name: string;
  value: Maybe<number>;
  note?: string;
}

export function bars(all: Bar[], label: string, width: number, colour = "var(--together)") {
  const shown = all.filter((one) => known(one.value)),
    room = Math.min(Math.round(width * 0.34), 8 * Math.max(...all.map((one) => one.name.length)) + 20);
  const fits = Math.max(4, Math.floor(room / 8));
  return Plot.plot({
    width,
    height: 26 * shown.length + 50,
    style,
    marginLeft: room,
    marginRight: 70,
    marginTop: 8,
    marginBottom: 40,
    x: { label, labelArrow: "none", nice: true, ticks: 4, zero: true },
    y: {
      label: null,
      domain: all.map((one) => one.name),
      tickFormat: (name: string) => (name.length > fits ? `${name.slice(0, fits - 1)}…` : name),
      tickSize: 0,
    },
    marks: [
      Plot.barX(shown, {
        x: "value",
        y: "name",
        fill: colour,
        insetTop: 3,
        insetBottom: 3,
        title: (one: Bar) => `${one.name}: ${digits(one.value)}`,
        tip,
      }),
      Plot.text(shown, {
        x: "value",
        y: "name",
        text: (one: Bar) => one.note ?? rounded(one.value),
        dx: 6,
        textAnchor: "start",
        fill: "var(--ink)",
      }),
      Plot.ruleX([0], { stroke: "var(--line)" }),
    ],
  } as Plot.PlotOptions);
}
