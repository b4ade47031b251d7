// The agents' hyperparameters at each step of the paper's tuning, which show whether the agents converge.
import { useCallback, useState } from "preact/hooks";
import { Chart } from "../Chart";
import { Choice } from "../Choice";
import { Plot, style } from "../plots";
import type { TuningRun } from "../result";
import { Table } from "../Table";
import { digits, known } from "../words";

const name = (run: TuningRun) =>
  `${run.data}, gradient ${run.gradient === "per-row" ? "per row" : "of the likelihood"}, weights in multiples of 1/${run.weight_denominator}`;

function Paths({ run, field, words }: { run: TuningRun; field: "lengthscale" | "signal"; words: string }) {
  const draw = useCallback(
    (width: number) => {
      const points = run.agents.flatMap((agent, i) =>
        agent[field].flatMap((value, step) => (known(value) ? [{ agent: i, step, value }] : [])),
      );
      return Plot.plot({
        width,
        height: 280,
        style,
        marginLeft: 56,
        marginTop: 32,
        marginBottom: 44,
        x: { label: "step", labelArrow: "none", ticks: width / 90 },
        y: { label: words, labelArrow: "none", grid: true, nice: true },
        marks: [
          Plot.line(points, {
            x: "step",
            y: "value",
            z: "agent",
            stroke: "var(--together)",
            strokeOpacity: 0.6,
            title: (d: (typeof points)[number]) => `agent ${d.agent}`,
          }),
        ],
      } as Plot.PlotOptions);
    },
    [run],
  );
  const steps = run.agents[0]?.[field] ?? [];
  return (
    <Chart
      title={`${words} of each agent`}
      draw={draw}
      label={`${words} of ${run.agents.length} agents over ${steps.length - 1} steps; at the end they differ by ${digits(run.spread[field])}.`}
      numbers={{
        caption: `${words} of each agent (columns) after each step`,
        columns: ["step", ...run.agents.map((_, i) => `agent ${i}`)],
        rows: steps.map((_, step) => [step, ...run.agents.map((agent) => agent[field][step])]),
      }}
    />
  );
}

export function ReproducedTuning({ runs }: { runs: TuningRun[] }) {
  const [chosen, choose] = useState(0),
    run = runs[chosen]!;
  return (
    <section>
      <h2>Hyperparameters by step</h2>
      <Choice words="Run" names={runs.map(name)} chosen={chosen} choose={choose} />
      <Paths key={`${chosen} lengthscale`} run={run} field="lengthscale" words="Length-scale" />
      <Paths key={`${chosen} signal`} run={run} field="signal" words="Signal" />
      <Table
        caption="Final values of the runs"
        columns={[
          "run",
          "length-scale",
          "spread of length-scale",
          "signal",
          "spread of signal",
          "likelihood before",
          "likelihood after",
          "test error before",
          "test error after",
          "test error of a constant",
        ]}
        rows={runs.map((one) => [
          name(one),
          one.agreed.lengthscale,
          one.spread.lengthscale,
          one.agreed.signal,
          one.spread.signal,
          one.likelihood.before,
          one.likelihood.after,
          one.test_rmse.before,
          one.test_rmse.after,
          one.test_rmse.constant,
        ])}
      />
    </section>
  );
}
