// Asking for a fit, an evaluation or predictions. Each says who will see what before anything happens.
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
        Fits one model to the rows of all agents. All of them see sums over everybody's rows: how many rows there are, the mean and the
        spread of every column, how well settings suit all rows, and what all rows say at the landmarks. Nobody sees a row, or one party's
        part in a sum. <a href="#/charter">The charter</a> says how many numbers that is, and <a href="#/ledger">the ledger</a> counts them.
      </p>
      {members.length === 0 ? (
        <p class="soft">Everybody of the charter takes part: this agent's policy lets no fit go without a member.</p>
      ) : (
        <fieldset>
          <legend>Members to leave out</legend>
          {members.map((name) => (
            <label class="tick" key={name}>
              <input type="checkbox" checked={out.includes(name)} onChange={() => flip(name)} /> {name}
            </label>
          ))}
          <p class="soft">
            Every owner's policy must allow it. Models with and without somebody can be subtracted from one another: that shows sums over
            that party's rows.
          </p>
        </fieldset>
      )}
      <Go onClick={() => start("fit", { without: out })}>{out.length > 0 ? `Fit without ${listed(out)}` : "Fit"}</Go>
      <Result kind="fit">
        {({ fitted }) => (
          <>
            <p class="good">
              Version {fitted!.model.version} is fitted on the data of {listed(fitted!.roster)}
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
        Says how good the model is, on rows that agents hold out. All agents see three numbers about these rows together: how many there
        are, the squared error and the log density of the predictions. The rows are shown to nobody.
      </p>
      <Go onClick={() => start("evaluate", {})}>Evaluate</Go>
      <Result kind="evaluate">
        {({ evaluated }) => (
          <p class="good">
            {plural(evaluated!.rows, "row")} held out at home: RMSE {figure(evaluated!.rmse)}, mean log density{" "}
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
