// Predictions for the rows of a table that the user pastes, drops or chooses.
import { useMemo, useState } from "preact/hooks";
import { listed, plural, size } from "../shared/words";
import { start } from "./asking";
import { readCsv } from "./csv";
import { Go, Result } from "./go";
import { Card } from "./parts";
import { Predictions } from "./predictions";
import { Store } from "./store";
import type { Status } from "./types";

const most_bytes = 15_000_000; // the agent accepts 16 MiB, and escaped quotes need part of it

const form = new Store({ csv: "", file: "", together: false, skip: false });

// The table of the last request. The table in the form may differ from it when the answer arrives.
const asked = new Store("");

function Source() {
  const now = form.use();
  const [over, setOver] = useState(false);
  const [trouble, setTrouble] = useState("");
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > most_bytes) return setTrouble(`${file.name} is too large (${size(file.size)}). Split it into files of at most ${size(most_bytes)}.`);
    const csv = await file.text().catch(() => null);
    setTrouble(csv === null ? `${file.name} cannot be read. Choose it again.` : "");
    if (csv !== null) form.set({ ...form.get(), csv, file: file.name });
  };
  return (
    <div
      class={over ? "drop over" : "drop"}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => (event.preventDefault(), setOver(false), take(event.dataTransfer?.files[0]))}
    >
      <label for="points">Rows to predict: CSV with the charter's input columns</label>
      <textarea
        id="points"
        rows={6}
        spellcheck={false}
        value={now.csv}
        placeholder="Paste a table here, or drop a file"
        onInput={(event) => form.set({ ...now, csv: event.currentTarget.value, file: "" })}
      />
      <label class="file">
        Or choose a file: <input type="file" accept=".csv,.txt,.tsv,text/csv" onChange={(event) => take(event.currentTarget.files?.[0])} />
      </label>
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}

function Shown({ status, together, rows }: { status: Status; together: boolean; rows: number }) {
  const model = status.model!;
  const others = model.roster.filter((name) => name !== status.name);
  if (!together)
    return (
      <p class="shown" id="shown">
        Nothing leaves this agent. It answers from{" "}
        {model.pooled
          ? "its copy of the shared model and its own rows"
          : "only its own rows, because the model has no landmarks"}
        . No other agent learns about the request.
      </p>
    );
  return (
    <p class="shown warn" id="shown">
      {listed(others)} will see the inputs of {rows > 1 ? `all ${plural(rows, "row")}` : "every row"}. If a row describes a patient, all of
      them see that patient's inputs. The ledgers of all these agents will record that this agent asked. Other columns of the table do not leave
      this agent. No agent sees another agent's part in the answer.
    </p>
  );
}

export function Predict({ status }: { status: Status }) {
  const now = form.use();
  const question = asked.use();
  const about = useMemo(() => readCsv(question), [question]);
  const rows = useMemo(() => readCsv(now.csv).rows.length, [now.csv]);
  if (!status.model)
    return (
      <Card title="Predict" wide>
        <p>There is no model yet. Ask for a fit first.</p>
      </Card>
    );
  const others = status.model.roster.length - 1;
  const ask = () => {
    asked.set(now.csv);
    start("predict", { csv: now.csv, together: now.together, skip_bad: now.skip });
  };
  return (
    <Card title="Predict" wide>
      <Source />
      <p class="soft" aria-live="polite">
        {now.csv === "" ? "No rows yet." : rows === 0 ? "No rows found. The first line must name the columns, and the rows must follow it." : `${plural(rows, "row")}${now.file && ` from ${now.file}`}.`}
      </p>
      <fieldset>
        <legend>Who answers</legend>
        <label class="tick">
          <input type="radio" name="who" aria-describedby="shown" checked={!now.together} onChange={() => form.set({ ...now, together: false })} /> This agent,
          at home
        </label>
        <label class="tick">
          <input type="radio" name="who" aria-describedby="shown" checked={now.together} onChange={() => form.set({ ...now, together: true })} /> All agents of the
          model, together (slightly better)
        </label>
        <Shown status={status} together={now.together} rows={rows} />
      </fieldset>
      <label class="tick">
        <input type="checkbox" checked={now.skip} onChange={(event) => form.set({ ...now, skip: event.currentTarget.checked })} /> Leave the
        result of a row empty if a cell is missing, is not a number, or is outside the charter's ranges and levels
      </label>
      <Go off={rows === 0} onClick={ask}>
        {now.together && rows > 0 ? `Show ${plural(rows, "row")} to ${plural(others, "agent")} and predict` : "Predict"}
      </Go>
      <Result kind="predict">
        {({ predicted }) => (
          <>
            {question !== now.csv && <p class="warn">These predictions are for the table of the last request, not for the one above.</p>}
            <Predictions predicted={predicted!} about={about} />
          </>
        )}
      </Result>
    </Card>
  );
}
