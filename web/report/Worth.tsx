// The benefit of the shared model: the error of each party alone and at home, compared with together and pooled.
import { useCallback, useState } from "preact/hooks";
import { Chart } from "./Chart";
import { Choice } from "./Choice";
import { Plot, style, tip } from "./plots";
import type { Accuracy, Maybe, Models, Simulate } from "./result";
import { quality, seriesOf, type SeriesWords } from "./series";
import { digits, known, rounded } from "./words";

interface Dot {
  series: string;
  name: string;
  value: number;
  colour: string;
  symbol: string;
  one: boolean;
}
interface Scores {
  models: Models | undefined;
  alone: Maybe<number>[];
  at_home: Maybe<number>[];
}

// Over all targets, or for one target.
function scoresOf(accuracy: Accuracy, target: string | undefined): Scores {
  const { by_agent, by_target, calibration, local_agents, at_home_agents } = accuracy;
  if (target === undefined || !by_agent)
    return { models: calibration, alone: local_agents, at_home: at_home_agents };
  return {
    models: by_target[target],
    alone: by_agent.local.map((one) => one[target]?.rmse),
    at_home: by_agent.at_home.map((one) => one[target]?.rmse),
  };
}

const ofAgents = (scores: Scores, { key }: SeriesWords) =>
  key === "alone" || key === "at_home" ? scores[key] : undefined;
const nameOf = (result: Simulate, agent: number) => result.names[agent] ?? `agent ${agent}`;

function dots(result: Simulate, scores: Scores, all: SeriesWords[]): Dot[] {
  return all.flatMap((series) => {
    const { label, colour, symbol } = series,
      agents = ofAgents(scores, series);
    const one = (name: string, value: Maybe<number>, single: boolean) =>
      known(value) ? [{ series: label, name, value, colour, symbol, one: single }] : [];
    return agents
      ? agents.flatMap((value, i) => one(nameOf(result, i), value, false))
      : one("all parties", quality(scores.models, series)?.rmse, true);
  });
}

function tables(result: Simulate, scores: Scores, all: SeriesWords[], what: string) {
  const home = all.some((one) => one.key === "at_home"),
    rules = Object.entries(what === "all targets" ? (result.accuracy?.calibration.rules ?? {}) : {});
  const columns = ["model", "error", "inside the interval", "log density"];
  return [
    {
      caption: `Error (RMSE) for ${what}, share of true values inside the 95 % interval, and mean log density`,
      columns,
      rows: all.map((one) => {
        const q = quality(scores.models, one);
        return [one.label, q?.rmse, q?.coverage, q?.log_density];
      }),
    },
    {
      caption: `Error of each party (RMSE) for ${what}`,
      columns: ["party", "rows", "alone", ...(home ? ["at home"] : [])],
      rows: scores.alone.map((value, i) => [
        nameOf(result, i),
        result.rows[i],
        value,
        ...(home ? [scores.at_home[i]] : []),
      ]),
    },
    ...(rules.length
      ? [
          {
            caption: "Results together, for each fusion rule",
            columns,
            rows: rules.map(([rule, q]) => [rule, q.rmse, q.coverage, q.log_density]),
          },
        ]
      : []),
  ];
}

export function Worth({ result, accuracy }: { result: Simulate; accuracy: Accuracy }) {
  const [chosen, choose] = useState(0);
  const several = result.targets.length > 1 && accuracy.by_agent,
    choices = several ? ["all targets", ...result.targets] : ["all targets"];
  const all = seriesOf(result),
    scores = scoresOf(accuracy, chosen ? choices[chosen] : undefined);
  const draw = useCallback(
    (width: number) => {
      const means = all.flatMap((series) =>
        ofAgents(scores, series)
          ? [{ series: series.label, value: quality(scores.models, series)?.rmse }]
          : [],
      );
      return Plot.plot({
        width,
        height: 54 * all.length + 60,
        style,
        marginLeft: 76,
        marginRight: 24,
        marginBottom: 44,
        x: {
          label: "error on the test rows (RMSE); further left is better",
          labelArrow: "none",
          nice: true,
          grid: true,
          ticks: Math.max(3, width / 110),
        },
        y: { label: null, domain: all.map((one) => one.label), tickSize: 0 },
        color: { type: "identity" },
        symbol: { type: "identity" },
        r: { type: "identity" },
        marks: [
          Plot.tickX(means, {
            x: "value",
            y: "series",
            stroke: "var(--ink)",
            strokeWidth: 2,
            insetTop: 8,
            insetBottom: 8,
          }),
          Plot.dot(dots(result, scores, all), {
            x: "value",
            y: "series",
            fill: "colour",
            fillOpacity: (d: Dot) => (d.one ? 1 : 0.55),
            symbol: "symbol",
            r: (d: Dot) => (d.one ? 8 : 5),
            title: (d: Dot) => `${d.name}, ${d.series}\n${digits(d.value)}`,
            tip,
          }),
        ],
      } as Plot.PlotOptions);
    },
    [result, chosen],
  );
  const error = (one: SeriesWords) => rounded(quality(scores.models, one)?.rmse);
  return (
    <Chart
      title="Benefit of the shared model"
      draw={draw}
      numbers={tables(result, scores, all, choices[chosen]!)}
      label={`Error for ${choices[chosen]}: ${all.map((one) => `${one.label} ${error(one)}`).join(", ")}; each party is a dot.`}
    >
      <Choice words="Errors for" names={choices} chosen={chosen} choose={choose} />
      <dl class="terms worth">
        {all.map((one) => (
          <div key={one.key}>
            <dt class={one.key}>{one.label}</dt>
            <dd>{error(one)}</dd>
            <dd>{one.means}</dd>
          </div>
        ))}
      </dl>
      <p>
        In the chart, each dot is a party, and the vertical line is the mean of the parties. Together and pooled are
        one model for all parties.
      </p>
    </Chart>
  );
}
