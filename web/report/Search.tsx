// The search for hyperparameters: the likelihood of each trial, and the best likelihood so far.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { Plot, style, tip } from "./plots";
import type { Tuning } from "./result";
import { digits, known, plural, rounded } from "./words";

function words(tuning: Tuning) {
  const steps =
    tuning.evaluations !== undefined
      ? plural(tuning.evaluations, "trial")
      : plural(tuning.iterations ?? 0, "step");
  const many = (tuning.searches ?? 1) > 1 ? ` in ${tuning.searches} searches` : "";
  return `${steps}${many} raised the summed log likelihood from ${rounded(tuning.likelihood_before, 5)} to ${rounded(tuning.likelihood_after, 5)}${tuning.end ? `; ${tuning.end}` : ""}.`;
}

// The first trials of a search are far off and would flatten the rest of the path. They are drawn at the lower edge of
// the chart.
export function Search({ tuning }: { tuning: Tuning }) {
  const trials = tuning.trials ?? [];
  const draw = useCallback(
    (width: number) => {
      const data = trials.flatMap(({ likelihood, search }, k) =>
        known(likelihood) ? [{ trial: k + 1, likelihood, search }] : [],
      );
      type Datum = (typeof data)[number];
      let best = -Infinity;
      const path = data.map((one) => ({ ...one, best: (best = Math.max(best, one.likelihood)) }));
      const sorted = data.map((one) => one.likelihood).sort((a, b) => a - b),
        middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
      const low = Math.max(sorted[0] ?? 0, Math.min(data[0]?.likelihood ?? 0, middle - 2 * (best - middle)));
      return Plot.plot({
        width,
        height: 260,
        style,
        marginLeft: 70,
        marginTop: 32,
        marginBottom: 44,
        marginRight: 16,
        x: { label: "trial", labelArrow: "none", ticks: Math.min(data.length, width / 80), tickFormat: "d" },
        y: {
          label: "summed log likelihood",
          labelArrow: "none",
          grid: true,
          domain: low < best ? [low, best] : undefined,
          clamp: true,
          nice: true,
          ticks: 5,
        },
        marks: [
          Plot.line(path, {
            x: "trial",
            y: "best",
            stroke: "var(--together)",
            strokeWidth: 2,
            curve: "step-after",
          }),
          Plot.dot(data, {
            x: "trial",
            y: "likelihood",
            r: 3,
            fill: "var(--soft)",
            tip,
            title: (d: Datum) => `trial ${d.trial}\n${digits(d.likelihood)}`,
          }),
        ],
      } as Plot.PlotOptions);
    },
    [tuning],
  );
  if (trials.length === 0) return <p>{words(tuning)}</p>;
  return (
    <Chart
      title="Search for hyperparameters"
      draw={draw}
      label={`Summed log likelihood at ${plural(trials.length, "trial")}: ${words(tuning)}`}
      numbers={{
        caption: "Summed log likelihood at every trial",
        columns: ["trial", "search", "likelihood"],
        rows: trials.map((one, k) => [k + 1, one.search + 1, one.likelihood]),
      }}
    >
      <p>
        {words(tuning)} The line is the best likelihood so far. All parties saw the total of each trial; no party saw
        another party’s part of it.
      </p>
    </Chart>
  );
}
