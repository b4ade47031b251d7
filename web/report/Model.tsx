// The model in words: which columns matter, how much is noise, and how its numbers were found.
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

// A kernel of several parts has several length-scales for a column; the shortest says how fast the target may change.
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
        "1 / length-scale; longer bars matter more",
        width,
      ),
    [columns],
  );
  if (columns.length === 0)
    return <p>All columns share one length-scale, so the model does not tell which of them matter more.</p>;
  return (
    <Chart
      title={`Which columns matter for ${target}`}
      draw={draw}
      label={`Columns by length-scale, the shortest first: ${list(columns.map((one) => one.name))}.`}
      numbers={{
        caption: `Length-scale of each column for ${target}, shortest first`,
        columns: ["column", "length-scale"],
        rows: columns.map((one) => [one.name, one.scale]),
      }}
    >
      <p>
        {target} changes fastest along {list(columns.slice(0, 3).map((one) => one.name))}. A column’s
        length-scale is how far one has to go along it for the target to change much: short means that it
        matters, very long that it hardly does. The number beside a bar is the length-scale
        {columns.length > most_bars ? `; the ${most_bars} shortest are drawn` : ""}.
      </p>
    </Chart>
  );
}

function noiseWords(result: Simulate, prior: Prior, target: number) {
  const standardised = result.units?.hyperparameters === "standardised",
    scale = result.standardise?.targets.scale[target];
  if (!standardised || scale === undefined)
    return `Noise, which no column explains, has a deviation of ${rounded(prior.noise)}.`;
  return `Noise, which no column explains, has a deviation of ${rounded(prior.noise * scale)} in the unit of the data: ${percent(prior.noise ** 2)} of the target’s variance.`;
}

export function Model({ result }: { result: Simulate }) {
  const [chosen, choose] = useState(0);
  const prior = result.hyperparameters.outputs?.[chosen] ?? result.hyperparameters;
  const own = result.hyperparameters.outputs !== undefined,
    target = own || result.targets.length === 1 ? result.targets[chosen]! : "all targets";
  const standardised = result.units?.hyperparameters === "standardised";
  return (
    <section>
      <h2>The model</h2>
      <p>
        A Gaussian process predicts from rows that are alike. The parties agreed on what “alike” means, the
        kernel {short(result.kernel, 60)}, and each keeps its own rows; their answers are fused by{" "}
        {result.fusion}
        {rules[result.fusion] && ` (${rules[result.fusion]})`}.
        {result.landmarks
          ? ` ${plural(result.landmarks.count, "landmark")}, made-up points that all know, carry the shared part.`
          : ""}
        {standardised ? " Columns were first brought to one scale, by totals over all rows." : ""}
      </p>
      {own && <Choice words="Target of the model" names={result.targets} chosen={chosen} choose={choose} />}
      <Columns key={chosen} prior={prior} target={target} />
      <p>{noiseWords(result, prior, chosen)}</p>
      <Fold
        title="All numbers of the model"
        tables={[
          {
            caption: `Numbers of the kernel for ${target}${standardised ? ", in standardised units" : ""}`,
            columns: ["number", "value"],
            rows: [...Object.entries(prior.numbers ?? {}), ["noise", prior.noise]],
          },
        ]}
      />
      {result.tuning ? (
        <Search tuning={result.tuning} />
      ) : (
        <p>Its numbers were given, and nothing was tuned.</p>
      )}
      {result.holdout && (
        <Table
          caption={`Rows that the parties held out, ${result.holdout.model === "fused" ? "predicted together: their inputs were shown to all" : "scored at home and shown to nobody"}`}
          columns={["rows", "error", "log density"]}
          rows={[[result.holdout.rows, result.holdout.rmse, result.holdout.log_density]]}
        />
      )}
    </section>
  );
}
