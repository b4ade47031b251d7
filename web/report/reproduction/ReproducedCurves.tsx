// Error by number of iterations for several resolutions, with the guaranteed bound.
import { useCallback, useState } from "preact/hooks";
import { Chart } from "../Chart";
import { Choice } from "../Choice";
import { decade, Plot, style, tip } from "../plots";
import type { AccuracyCurve } from "../result";
import { digits, known } from "../words";

const colours = ["var(--alone)", "var(--home)", "var(--together)", "var(--pooled)"],
  symbols = ["circle", "square", "diamond", "triangle"];

function Curves({
  curves,
  what,
  data,
}: {
  curves: AccuracyCurve[];
  what: "mean" | "variance";
  data: string;
}) {
  const field = `rmse_${what}` as const,
    floor = `floor_${what}` as const;
  const draw = useCallback(
    (width: number) => {
      const points = curves.flatMap((curve, c) =>
        curve.iterations.flatMap((iteration, k) => {
          const error = curve[field][k];
          return known(error) && error > 0
            ? [{ iteration, error, lz: curve.lz, colour: colours[c % 4]!, symbol: symbols[c % 4]! }]
            : [];
        }),
      );
      const floors = curves.flatMap((curve, c) => {
        const bound = curve[floor];
        return known(bound) && bound > 0 ? [{ bound, colour: colours[c % 4]! }] : [];
      });
      return Plot.plot({
        width,
        height: 340,
        style,
        marginLeft: 70,
        marginTop: 32,
        marginBottom: 44,
        marginRight: 20,
        x: { label: "iterations", labelArrow: "none", ticks: width / 90 },
        y: {
          type: "log",
          label: `RMSE of the ${what}`,
          labelArrow: "none",
          grid: true,
          ticks: 5,
          tickFormat: decade,
        },
        color: { type: "identity" },
        symbol: { type: "identity" },
        marks: [
          Plot.ruleY(floors, { y: "bound", stroke: "colour", strokeDasharray: "5 4" }),
          Plot.line(points, { x: "iteration", y: "error", z: "lz", stroke: "colour", strokeWidth: 1.5 }),
          Plot.dot(points, {
            x: "iteration",
            y: "error",
            fill: "colour",
            symbol: "symbol",
            r: 3,
            tip,
            title: (d: (typeof points)[number]) =>
              `L_z = ${digits(d.lz)}, ${d.iteration} iterations\n${digits(d.error)}`,
          }),
        ],
      } as Plot.PlotOptions);
    },
    [curves],
  );
  return (
    <Chart
      title={`Error of the ${what}: ${data}`}
      draw={draw}
      label={`RMSE of the ${what} by number of iterations on ${data}, for ${curves.length} resolutions.`}
      numbers={{
        caption: `RMSE of the ${what} on ${data} by number of iterations. The first row is the guaranteed bound.`,
        columns: ["iterations", ...curves.map((one) => `L_z = ${digits(one.lz)}`)],
        rows: [
          ["bound", ...curves.map((one) => one[floor])],
          ...(curves[0]?.iterations ?? []).map((iteration, k) => [
            iteration,
            ...curves.map((one) => one[field][k]),
          ]),
        ],
      }}
    >
      <p class="legend">
        {curves.map((one, c) => (
          <span key={one.lz} class={["alone", "at_home", "together", "pooled"][c % 4]}>
            L_z = {digits(one.lz)}
          </span>
        ))}
      </p>
      <p>Dashed lines are the guaranteed bounds of the resolutions that have one.</p>
    </Chart>
  );
}

export function ReproducedCurves({ curves }: { curves: AccuracyCurve[] }) {
  const [chosen, choose] = useState(0),
    names = [...new Set(curves.map((one) => one.data))],
    data = names[chosen]!;
  const own = curves.filter((one) => one.data === data);
  return (
    <section>
      <h2>Error by number of iterations</h2>
      <Choice words="Data" names={names} chosen={chosen} choose={choose} />
      <Curves key={`${data} mean`} curves={own} what="mean" data={data} />
      <Curves key={`${data} variance`} curves={own} what="variance" data={data} />
    </section>
  );
}
