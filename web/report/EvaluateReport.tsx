// The quality of a model on rows that were not used to fit it.
import { useMemo, useState } from "preact/hooks";
import { HowToRepeat } from "./HowToRepeat";
import { Choice } from "./Choice";
import { Points, Worst } from "./Points";
import type { Evaluate } from "./result";
import { Table } from "./Table";
import { known, list, percent, plural, rounded } from "./words";

export const headline = (result: Evaluate) =>
  `On ${plural(result.rows, "row")}, the model’s error is ${rounded(result.rmse)}.`;

function ByTarget({ points }: { points: NonNullable<Evaluate["points"]> }) {
  const [chosen, choose] = useState(0);
  const targets = useMemo(() => [...new Set(points.map((one) => one.target))], [points]),
    target = targets[chosen]!;
  const own = useMemo(() => points.filter((one) => one.target === target), [points, target]);
  const shown = useMemo(
    () =>
      own.map((one) => ({ name: `row ${one.row}`, truth: one.truth, mean: one.mean, sd: one.observed_sd })),
    [own],
  );
  return (
    <>
      <Choice words="Shown target" names={targets} chosen={chosen} choose={choose} />
      <Points
        points={shown}
        target={target}
        numbers={{
          caption: `Rows and predictions of ${target}`,
          columns: ["row of the file", "true", "predicted", "standard deviation"],
          rows: own.map((one) => [one.row, one.truth, one.mean, one.observed_sd]),
        }}
      />
      <Worst points={shown} target={target} />
    </>
  );
}

export function EvaluateReport({ result }: { result: Evaluate }) {
  const each = Object.entries(result.targets ?? {});
  return (
    <>
      <section>
        <h2>Score</h2>
        <dl class="big">
          <div>
            <dt>error (RMSE), in the unit of the target</dt>
            <dd>{rounded(result.rmse)}</dd>
          </div>
          <div>
            <dt>mean log density; higher is better</dt>
            <dd>{rounded(result.log_density)}</dd>
          </div>
          <div>
            <dt>rows scored</dt>
            <dd>{rounded(result.rows)}</dd>
          </div>
        </dl>
        {result.inputs_shown !== undefined && (
          <p>
            {result.inputs_shown
              ? "The inputs of the rows were shown to all agents of the model. Their targets were not shown to any other agent."
              : "The rows were scored at home. They were not shown to any other agent."}
          </p>
        )}
        {result.roster && result.roster.length > 0 && <p>The model was fitted to the data of {list(result.roster)}.</p>}
        {known(result.coverage) && <p>{percent(result.coverage)} of the true values are inside the 95 % intervals.</p>}
        {result.notes && result.notes.length > 0 && (
          <ul>
            {result.notes.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        )}
        <Table
          caption="Score"
          columns={["target", "error", "log density"]}
          rows={[
            ["all", result.rmse, result.log_density],
            ...each.map(([name, one]) => [name, one.rmse, one.log_density]),
          ]}
        />
        {result.points && result.points.length > 0 && <ByTarget points={result.points} />}
      </section>
      <HowToRepeat about={result.about} />
    </>
  );
}
