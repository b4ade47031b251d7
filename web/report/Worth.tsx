// What the shared model is worth: every party as a dot, alone and at home, beside together and pooled.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { Plot, style, tip } from "./plots";
import type { Accuracy, Maybe, Simulate } from "./result";
import { quality, seriesOf, type SeriesWords } from "./series";
import { digits, known, rounded } from "./words";

interface Dot { series: string; name: string; value: number; colour: string; symbol: string; one: boolean }

const ofAgents = (accuracy: Accuracy, series: SeriesWords): Maybe<number>[] | undefined =>
  series.key === "alone" ? accuracy.local_agents : series.key === "at_home" ? accuracy.at_home_agents : undefined;

function dots(result: Simulate, accuracy: Accuracy, all: SeriesWords[]): Dot[] {
  return all.flatMap((series) => {
    const { label, colour, symbol } = series, agents = ofAgents(accuracy, series);
    const one = (name: string, value: Maybe<number>, single: boolean) => (known(value) ? [{ series: label, name, value, colour, symbol, one: single }] : []);
    return agents ? agents.flatMap((value, i) => one(result.names[i] ?? `agent ${i}`, value, false))
                  : one("all parties", quality(accuracy.calibration, series)?.rmse, true);
  });
}

export function Worth({ result, accuracy }: { result: Simulate; accuracy: Accuracy }) {
  const all = seriesOf(result);
  const draw = useCallback((width: number) => {
    const data = dots(result, accuracy, all);
    const means = all.flatMap((series) => (ofAgents(accuracy, series) ? [{ series: series.label, value: quality(accuracy.calibration, series)?.rmse }] : []));
    return Plot.plot({
      width, height: 54 * all.length + 60, style, marginLeft: 76, marginRight: 24, marginBottom: 44,
      x: { label: "error on the test rows (RMSE); left is better", labelArrow: "none", nice: true, grid: true, ticks: Math.max(3, width / 110) },
      y: { label: null, domain: all.map((one) => one.label), tickSize: 0 },
      color: { type: "identity" }, symbol: { type: "identity" },
      marks: [
        Plot.tickX(means, { x: "value", y: "series", stroke: "var(--ink)", strokeWidth: 2, insetTop: 8, insetBottom: 8 }),
        Plot.dot(data, { x: "value", y: "series", fill: "colour", fillOpacity: (d: Dot) => (d.one ? 1 : 0.55), symbol: "symbol", r: (d: Dot) => (d.one ? 8 : 5),
          title: (d: Dot) => `${d.name}, ${d.series}\n${digits(d.value)}`, tip }),
      ],
      r: { type: "identity" },
    } as Plot.PlotOptions);
  }, [result]);
  const homes = all.some((one) => one.key === "at_home");
  const label = `Error of ${all.map((one) => `${one.label} ${rounded(quality(accuracy.calibration, one)?.rmse)}`).join(", ")}; every party is a dot.`;
  const means = { caption: "Error (RMSE), share of true values inside the 95 % interval, and mean log density", columns: ["model", "error", "inside", "log density"],
    rows: all.map((one) => { const q = quality(accuracy.calibration, one); return [one.label, q?.rmse, q?.coverage, q?.log_density]; }) };
  const each = { caption: "Error of each party (RMSE over all targets)", columns: ["party", "rows", "alone", ...(homes ? ["at home"] : [])],
    rows: accuracy.local_agents.map((value, i) => [result.names[i] ?? `agent ${i}`, result.rows[i], value, ...(homes ? [accuracy.at_home_agents[i]] : [])]) };
  return (
    <Chart title="What it is worth" label={label} draw={draw} numbers={[means, each]}>
      <dl class="terms worth">
        {all.map((one) => <div key={one.key}><dt class={one.key}>{one.label}</dt><dd>{rounded(quality(accuracy.calibration, one)?.rmse)}</dd><dd>{one.means}</dd></div>)}
      </dl>
      <p>In the chart every dot is a party and the stroke is the parties’ mean; together and pooled are one model for all.</p>
    </Chart>
  );
}
