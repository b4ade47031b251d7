// The model: whose data it uses, its quality, and the relevance of the columns.
import { count, figure, listed, percent, plural } from "../shared/words";
import { columnsOf, lengthscalesOf, otherNumbersOf } from "./kernel";
import { useAnswer } from "./live";
import { Card, Facts, Table, Time, type Fact } from "./parts";
import type { Charter, Model, Quality, Status } from "./types";

// Shown only for kernels with a length-scale for each column.
export function LengthscalesCard({ status, model }: { status: Status; model: Model }) {
  const charter = useAnswer<Charter>("charter", status.charter);
  const columns = columnsOf(charter.value?.inputs ?? []);
  const spread = model.standardisation?.inputs.scale;
  const tables = model.priors.flatMap((prior, target) =>
    lengthscalesOf(prior).map(([kernel, lengthscales]) => ({ target, kernel, lengthscales })),
  );
  if (tables.length === 0) return null;
  return (
    <Card title="Relevance of the columns">
      {tables.map(({ target, kernel, lengthscales }, k) => {
        const rows = lengthscales.map((length, d) => ({
          name: columns[d] ?? `column ${d + 1}`,
          length,
          own: length * (spread?.[d] ?? 1),
        }));
        rows.sort((a, b) => a.length - b.length);
        const highest = Math.log1p(1 / rows[0]!.length);
        const which = model.priors.length > 1 ? ` for target ${target + 1}` : "";
        return (
          <Table
            key={k}
            caption={`Length-scales of ${kernel}${which}. The shorter the length-scale, the more relevant the column.`}
            head={["Column", spread ? "Relative to the column's spread" : "Length-scale", ...(spread ? ["In the column's unit"] : [])]}
            numbers={[1, 2]}
            rows={rows.map((row) => [
              row.name,
              <>
                <span class="bar" aria-hidden="true" style={{ width: `${(5 * Math.log1p(1 / row.length)) / highest}rem` }} />{" "}
                {figure(row.length)}
              </>,
              ...(spread ? [figure(row.own)] : []),
            ])}
          />
        );
      })}
    </Card>
  );
}

function settings(model: Model) {
  return model.priors.map((prior) => [
    ...otherNumbersOf(prior).map(([name, value]) => `${name} = ${figure(value)}`),
    `noise = ${figure(prior.noise)}`,
  ]);
}

function landmarks({ pooled }: Model): Fact[] {
  if (!pooled) return [];
  const share = percent(pooled.opened / pooled.held);
  const opened = `${count(pooled.opened)} numbers opened; the rows hold ${count(pooled.held)} (ratio ${share})`;
  return [["Landmarks", `${count(pooled.landmarks)} for ${plural(pooled.rows, "row")}; ${opened}`]];
}

export function ModelCard({ status }: { status: Status }) {
  const model = status.model;
  const quality = useAnswer<Quality>("quality", `${status.ledger.hash} ${model?.digest}`);
  if (!model)
    return (
      <Card title="Model">
        <p>There is no model yet. Ask for a fit.</p>
      </Card>
    );
  const scores = quality.value?.evaluations ?? [];
  const now = scores.find((one) => one.version === model.version);
  return (
    <Card title="Model">
      {status.rows_changed && (
        <p class="warn">Rows have changed since version {model.version} was fitted. This agent takes part only in a new fit.</p>
      )}
      <Facts
        of={[
          ["Version", `${model.version} (${model.digest.slice(0, 12)})`],
          [
            "Fitted",
            <>
              <Time at={model.fitted_at} /> by {model.originator}
            </>,
          ],
          ["Data of", listed(model.roster)],
          [
            "Quality",
            now
              ? `RMSE ${figure(now.rmse)}, mean log density ${figure(now.log_density)}, on ${plural(now.rows, "held-out row")}`
              : "unknown; ask for an evaluation",
          ],
          ["Settings", settings(model).map((one, k) => <div key={k}>{one.join(", ")}</div>)],
          ...landmarks(model),
          ...(status.refit
            ? [
                [
                  "Next fit",
                  <>
                    requested automatically by this agent, <Time at={status.refit} />
                  </>,
                ] as Fact,
              ]
            : []),
        ]}
      />
      {scores.length > 0 && (
        <details>
          <summary>{plural(scores.length, "evaluation")} requested here</summary>
          <Table
            caption="Evaluations, newest first"
            head={["Time", "Version", "Rows", "RMSE", "Mean log density"]}
            numbers={[1, 2, 3, 4]}
            rows={scores.map((one) => [<Time at={one.time} />, one.version, count(one.rows), figure(one.rmse), figure(one.log_density)])}
          />
        </details>
      )}
    </Card>
  );
}
