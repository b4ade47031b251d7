// The forms for a fit, an evaluation and predictions. Each one states who will see what before the user sends it.
import { useState } from "preact/hooks";
import { figure, listed, plural } from "../shared/words";
import { start } from "./asking";
import { Go, Result } from "./go";
import { useAnswer } from "./live";
import { Card, Notes } from "./parts";
import { Predict } from "./predict";
import type { Policy, Status } from "./types";

function Fit({ status }: { status: Status }) {
  const policy = useAnswer<Policy>("policy", status.charter).value;
  const [out, setOut] = useState<string[]>([]);
  const allowed = policy?.without ?? [];
  const may = (name: string) => allowed.includes("*") || allowed.includes(name);
  const members = status.peers.filter((peer) => may(peer.name)).map((peer) => peer.name);
  const flip = (name: string) => setOut(out.includes(name) ? out.filter((one) => one !== name) : [...out, name]);
  return (
    <Card title="Fit">
      <p>
        Fits one model to the rows of all agents. Every agent sees sums over the rows of all agents: the number of rows, the mean and the
        spread of each column, how well the settings fit, and the sums at the landmarks. No agent sees another agent's rows or its part in
        a sum. <a href="#/charter">The charter</a> states how many numbers a fit opens, and <a href="#/ledger">the ledger</a> counts them.
      </p>
      {members.length === 0 ? (
        <p class="soft">All members of the charter take part. This agent's policy does not allow excluding a member.</p>
      ) : (
        <fieldset>
          <legend>Members to exclude</legend>
          {members.map((name) => (
            <label class="tick" key={name}>
              <input type="checkbox" checked={out.includes(name)} onChange={() => flip(name)} /> {name}
            </label>
          ))}
          <p class="soft">
            Every owner's policy must allow this. A model with a party and a model without it can be subtracted from each other. The
            difference reveals sums over that party's rows.
          </p>
        </fieldset>
      )}
      <Go onClick={() => start("fit", { without: out })}>{out.length > 0 ? `Fit without ${listed(out)}` : "Fit"}</Go>
      <Result kind="fit">
        {({ fitted }) => (
          <>
            <p class="good">
              Version {fitted!.model.version} was fitted to the data of {listed(fitted!.roster)}
              {fitted!.without.length > 0 && `, without ${listed(fitted!.without)}`}.
            </p>
            <Notes notes={fitted!.notes} />
          </>
        )}
      </Result>
    </Card>
  );
}

function Evaluate() {
  return (
    <Card title="Evaluate">
      <p>
        Measures the quality of the model on rows that the agents hold out. Every agent sees three totals over these rows: their number,
        the squared error and the log density of the predictions. The rows themselves do not leave their agents.
      </p>
      <Go onClick={() => start("evaluate", {})}>Evaluate</Go>
      <Result kind="evaluate">
        {({ evaluated }) => (
          <p class="good">
            {plural(evaluated!.rows, "held-out row")}, scored at home: RMSE {figure(evaluated!.rmse)}, mean log density{" "}
            {figure(evaluated!.log_density)}.
          </p>
        )}
      </Result>
    </Card>
  );
}

export function Ask({ status }: { status: Status }) {
  return (
    <div class="cards">
      <Predict status={status} />
      <Fit status={status} />
      <Evaluate />
    </div>
  );
}
