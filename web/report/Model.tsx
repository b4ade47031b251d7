// The model: the relevance of the columns, the noise, and how the hyperparameters were found.
import { useCallback, useMemo, useState } from "preact/hooks";
import { Chart } from "./Chart";
import { Choice } from "./Choice";
import { bars } from "./plots";
import type { Prior, Simulate } from "./result";
import { Search } from "./Search";
import { Fold, Table } from "./Table";
import { list, percent, plural, rounded, short } from "./words";

const most_bars = 30;

const rules: Record<string, string> = {
  poe: "product of experts",
  gpoe: "generalised product of experts",
  bcm: "Bayesian committee",
  rbcm: "robust Bayesian committee",
};

// A kernel of several parts has several length-scales for a column. The target can change as fast as the shortest
// allows.
function lengthscales(prior: Prior) {
  return Object.entries(prior.by_column ?? {})
    .flatMap(([name, numbers]) => {
      const scales = Object.entries(numbers)
        .filter(([key]) => key.includes("lengthscale"))
        .map(([, value]) => value);
      return scales.length ? [{ name, scale: Math.min(...scales) }] : [];
    })
    .sort((a, b) => a.scale - b.scale);
}

function Columns({ prior, target }: { prior: Prior; target: string }) {
  const columns = useMemo(() => lengthscales(prior), [prior]);
  const draw = useCallback(
    (width: number) =>
      bars(
        columns
          .slice(0, most_bars)
          .map(({ name, scale }) => ({ name, value: 1 / scale, note: rounded(scale) })),
        "1 / length-scale; a longer bar is a more relevant column",
        width,
      ),
    [columns],
  );
  if (columns.length === 0)
    return <p>All columns share one length-scale, so the model does not show which columns are more relevant.</p>;
  return (
    <Chart
      title={`Relevance of the columns for ${target}`}
      draw={draw}
      label={`Columns by length-scale, shortest first: ${list(columns.map((one) => one.name))}.`}
      numbers={{
        caption: `Length-scale of each column for ${target}, shortest first`,
        columns: ["column", "length-scale"],
        rows: columns.map((one) => [one.name, one.scale]),
      }}
    >
      <p>
        {target} changes fastest along {list(columns.slice(0, 3).map((one) => one.name))}. The length-scale of a
        column is the distance over which the target changes considerably. A column with a short length-scale is
        relevant; a column with a very long one hardly is. The number beside a bar is the length-scale.
        {columns.length > most_bars ? ` The chart shows the ${most_bars} shortest.` : ""}
      </p>
    </Chart>
  );
}

function noiseWords(result: Simulate, prior: Prior, target: number) {
  const standardised = result.units?.hyperparameters === "standardised",
    scale = result.standardise?.targets.scale[target];
  if (!standardised || scale === undefined)
    return `The noise, which no column explains, has a standard deviation of ${rounded(prior.noise)}.`;
  return `The noise, which no column explains, has a standard deviation of ${rounded(prior.noise * scale)} in the unit of the data. This is ${percent(prior.noise ** 2)} of the target’s variance.`;
}

export function Model({ result }: { result: Simulate }) {
  const [chosen, choose] = useState(0);
  const prior = result.hyperparameters.outputs?.[chosen] ?? result.hyperparameters;
  const own = result.hyperparameters.outputs !== undefined,
    target = own || result.targets.length === 1 ? result.targets[chosen]! : "all targets";
  const standardised = result.units?.hyperparameters === "standardised";
  return (
    <section>
      <h2>Model</h2>
      <p>
        A Gaussian process predicts from similar rows. The parties agreed on the measure of similarity, the kernel{" "}
        {short(result.kernel, 60)}. Each party keeps its own rows. The answers of the parties are combined by{" "}
        {result.fusion}
        {rules[result.fusion] && ` (${rules[result.fusion]})`}.
        {result.landmarks
          ? ` The shared part of the model uses ${plural(result.landmarks.count, "landmark")}, which are synthetic public points.`
          : ""}
        {standardised ? " The columns were first standardised, with totals over all rows." : ""}
      </p>
      {own && <Choice words="Target of the model" names={result.targets} chosen={chosen} choose={choose} />}
      <Columns key={chosen} prior={prior} target={target} />
      <p>{noiseWords(result, prior, chosen)}</p>
      <Fold
        title="All hyperparameters"
        tables={[
          {
            caption: `Hyperparameters for ${target}${standardised ? ", in standardised units" : ""}`,
            columns: ["hyperparameter", "value"],
            rows: [...Object.entries(prior.numbers ?? {}), ["noise", prior.noise]],
          },
        ]}
      />
      {result.tuning ? (
        <Search tuning={result.tuning} />
      ) : (
        <p>The hyperparameters were given and not tuned.</p>
      )}
      {result.holdout && (
        <Table
          caption={`Rows that the parties held out, ${result.holdout.model === "fused" ? "predicted together; their inputs were shown to all parties" : "scored at home; they were not shown to any other party"}`}
          columns={["rows", "error", "log density"]}
          rows={[[result.holdout.rows, result.holdout.rmse, result.holdout.log_density]]}
        />
      )}
    </section>
  );
}
