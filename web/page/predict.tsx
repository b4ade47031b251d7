// Predictions for the rows of a table that is pasted, dropped or chosen.
import { useMemo, useState } from "preact/hooks";
import { listed, plural, size } from "../shared/words";
import { start } from "./asking";
import { readCsv } from "./csv";
import { Go, Result } from "./go";
import { Card } from "./parts";
import { Predictions } from "./predictions";
import { Store } from "./store";
import type { Status } from "./types";

const most_bytes = 15_000_000; // the agent takes 16 MiB, and quotes take room

const form = new Store({ csv: "", file: "", together: false, skip: false });

// What was asked about: the table in the form may be another one by the time of the answer.
const asked = new Store("");

function Source() {
  const now = form.use();
  const [over, setOver] = useState(false);
  const [trouble, setTrouble] = useState("");
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > most_bytes) return setTrouble(`${file.name} has ${size(file.size)}; ${size(most_bytes)} can be asked about at once.`);
    const csv = await file.text().catch(() => null);
    setTrouble(csv === null ? `${file.name} cannot be read; choose it again.` : "");
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
          ? "the model of all rows, which it holds, and from its own rows"
          : "its own rows alone, as the model has no landmarks"}
        ; nobody learns what was asked.
      </p>
    );
  return (
    <p class="shown warn" id="shown">
      {listed(others)} will see the inputs of {rows > 0 ? `all ${plural(rows, "row")}` : "every row"}, and everybody's ledger will say that
      this agent asked. Asking about a patient shows that patient's inputs to all of them. Other columns of the table stay here. Nobody sees
      another's part in the answer.
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
        {now.csv === "" ? "No rows yet." : rows === 0 ? "No rows: the first line must name the columns, and the rows come below it." : `${plural(rows, "row")}${now.file && ` from ${now.file}`}.`}
      </p>
      <fieldset>
        <legend>Who answers</legend>
        <label class="tick">
          <input type="radio" name="who" aria-describedby="shown" checked={!now.together} onChange={() => form.set({ ...now, together: false })} /> This agent alone,
          at home
        </label>
        <label class="tick">
          <input type="radio" name="who" aria-describedby="shown" checked={now.together} onChange={() => form.set({ ...now, together: true })} /> All agents of the
          model together; a little better
        </label>
        <Shown status={status} together={now.together} rows={rows} />
      </fieldset>
      <label class="tick">
        <input type="checkbox" checked={now.skip} onChange={(event) => form.set({ ...now, skip: event.currentTarget.checked })} /> Leave the
        line of a row empty when a cell is missing, no number, or outside of the charter's ranges and levels
      </label>
      <Go off={rows === 0} onClick={ask}>
        {now.together && rows > 0 ? `Show ${plural(rows, "row")} to ${plural(others, "agent")} and predict` : "Predict"}
      </Go>
      <Result kind="predict">
        {({ predicted }) => (
          <>
            {question !== now.csv && <p class="warn">These answers are for the table that was asked about before, not for the one above.</p>}
            <Predictions predicted={predicted!} about={about} />
          </>
        )}
      </Result>
    </Card>
  );
}
