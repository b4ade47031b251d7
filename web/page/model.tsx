// The model: whose data it rests on, how good it is, and which columns matter.
import { count, figure, listed, percent, plural } from "../shared/words";
import { columnsOf, partsOf } from "./kernel";
import { useAnswer } from "./live";
import { Card, Facts, Table, Time, type Fact } from "./parts";
import type { Charter, Model, Quality, Status } from "./types";

// Only for kernels that have a length-scale for every column.
export function LengthscalesCard({ status, model }: { status: Status; model: Model }) {
  const charter = useAnswer<Charter>("charter", status.charter);
  const columns = columnsOf(charter.value?.inputs ?? []);
  const spread = model.standardisation?.inputs.scale;
  const tables = model.priors.flatMap((prior, target) =>
    partsOf(prior.kernel)
      .filter((part) => part.lengthscales.length > 0)
      .map((part) => ({ target, part })),
  );
  if (tables.length === 0) return null;
  return (
    <Card title="Columns that matter">
      {tables.map(({ target, part }, k) => {
        const rows = part.lengthscales.map((length, d) => ({
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
            caption={`Length-scales of ${part.name}${which}: the shorter, the more a column matters`}
            head={["Column", spread ? "In spreads of the column" : "Length-scale", ...(spread ? ["In its own unit"] : [])]}
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
    ...partsOf(prior.kernel).flatMap((part) => part.numbers.map(([key, value]) => `${part.name}.${key} = ${figure(value)}`)),
    `noise = ${figure(prior.noise)}`,
  ]);
}

function landmarks({ pooled }: Model): Fact[] {
  if (!pooled) return [];
  const share = percent(pooled.opened / pooled.held);
  const opened = `${count(pooled.opened)} numbers opened, ${share} of the ${count(pooled.held)} that the rows hold`;
  return [["Landmarks", `${count(pooled.landmarks)} over ${plural(pooled.rows, "row")}: ${opened}`]];
}

export function ModelCard({ status }: { status: Status }) {
  const model = status.model;
  const quality = useAnswer<Quality>("quality", `${status.ledger.hash} ${model?.digest}`);
  if (!model)
    return (
      <Card title="Model">
        <p>There is none yet. Ask for a fit.</p>
      </Card>
    );
  const scores = quality.value?.evaluations ?? [];
  const now = scores.find((one) => one.version === model.version);
  return (
    <Card title="Model">
      {status.rows_changed && (
        <p class="warn">Rows changed since version {model.version} was fitted: this agent takes part in nothing but a new fit.</p>
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
          ["On the data of", listed(model.roster)],
          [
            "Quality",
            now
              ? `RMSE ${figure(now.rmse)}, mean log density ${figure(now.log_density)}, on ${plural(now.rows, "row")} held out`
              : "not known yet; ask for an evaluation",
          ],
          ["Settings", settings(model).map((one, k) => <div key={k}>{one.join(", ")}</div>)],
          ...landmarks(model),
          ...(status.refit
            ? [
                [
                  "Next fit",
                  <>
                    asked for by this agent itself, <Time at={status.refit} />
                  </>,
                ] as Fact,
              ]
            : []),
        ]}
      />
      {scores.length > 0 && (
        <details>
          <summary>{plural(scores.length, "evaluation")} asked for here</summary>
          <Table
            caption="Evaluations, the newest first"
            head={["Time", "Version", "Rows", "RMSE", "Mean log density"]}
            numbers={[1, 2, 3, 4]}
            rows={scores.map((one) => [<Time at={one.time} />, one.version, count(one.rows), figure(one.rmse), figure(one.log_density)])}
          />
        </details>
      )}
    </Card>
  );
}
