// Error by target. Targets have different units, so each error is relative to that of a party alone.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { Plot, style, tip } from "./plots";
import type { Accuracy, Simulate } from "./result";
import { quality, seriesOf } from "./series";
import { digits, known, percent, short } from "./words";

export function ByTarget({ result, accuracy }: { result: Simulate; accuracy: Accuracy }) {
  const all = seriesOf(result),
    others = all.filter((one) => one.key !== "alone");
  const draw = useCallback(
    (width: number) => {
      const data = result.targets.flatMap((target) => {
        const models = accuracy.by_target[target],
          alone = models?.local.rmse;
        return others.flatMap((one) => {
          const rmse = quality(models, one)?.rmse;
          return known(rmse) && known(alone) ? [{ target, share: (100 * rmse) / alone, rmse, ...one }] : [];
        });
      });
      type Datum = (typeof data)[number];
      return Plot.plot({
        width,
        height: 34 * result.targets.length + 70,
        style,
        marginLeft: Math.min(150, width / 3),
        marginRight: 24,
        marginBottom: 44,
        x: {
          label: "error, in % of the error alone; further left is better",
          labelArrow: "none",
          zero: true,
          grid: true,
        },
        y: {
          label: null,
          domain: result.targets,
          tickSize: 0,
          tickFormat: (name: string) => short(name, width < 480 ? 11 : 17),
        },
        color: { type: "identity" },
        symbol: { type: "identity" },
        marks: [
          Plot.ruleX([100], { stroke: "var(--alone)", strokeWidth: 2 }),
          Plot.dot(data, {
            x: "share",
            y: "target",
            fill: "colour",
            symbol: "symbol",
            r: 6,
            tip,
            title: (d: Datum) =>
              `${d.target}, ${d.label}\nerror ${digits(d.rmse)}\n${percent(d.share / 100)} of the error alone`,
          }),
        ],
      } as Plot.PlotOptions);
    },
    [result],
  );
  const numbers = {
    caption: "Error by target (RMSE, in the target’s own unit)",
    columns: ["target", ...all.map((one) => one.label), "inside the 95 % interval, together"],
    rows: result.targets.map((target) => {
      const models = accuracy.by_target[target];
      return [target, ...all.map((one) => quality(models, one)?.rmse), models?.private.coverage];
    }),
  };
  return (
    <Chart
      title="Error by target"
      label={`Errors ${others.map((one) => one.label).join(", ")} for ${result.targets.length} targets, in percent of the error alone.`}
      draw={draw}
      numbers={numbers}
    >
      <p>
        Targets have different units. For each target, 100 % is the error of a party <span class="alone">alone</span>.
      </p>
      <p class="legend">
        {others.map((one) => (
          <span key={one.key} class={one.key}>
            {one.label}
          </span>
        ))}
      </p>
    </Chart>
  );
}
