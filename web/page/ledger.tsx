// All runs that the agent took part in, and totals by month and asker.
import { useMemo, useState } from "preact/hooks";
import { count, listed, plural } from "../shared/words";
import { useAnswer } from "./live";
import { Answered, Card, Notes, Table, Time } from "./parts";
import { WindowedTable } from "./windowed_table";
import type { Ledger, LedgerRun, Status } from "./types";

const all = "";

// The roster, abbreviated by comparison with the members of the charter.
function rosterWords(roster: string[], members: string[]): string {
  const missing = members.filter((name) => !roster.includes(name));
  if (roster.some((name) => !members.includes(name)) || missing.length > 2) return listed(roster);
  return missing.length === 0 ? `all ${members.length}` : `${roster.length}, without ${listed(missing)}`;
}

function Choice(props: { label: string; value: string; of: string[]; set: (value: string) => void }) {
  return (
    <label>
      {props.label}
      <select value={props.value} onChange={(event) => props.set(event.currentTarget.value)}>
        <option value={all}>all</option>
        {props.of.map((one) => (
          <option value={one} key={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

function Lines({ runs, members }: { runs: LedgerRun[]; members: string[] }) {
  const [asker, setAsker] = useState(all);
  const [kind, setKind] = useState(all);
  const those = (what: (run: LedgerRun) => string) => [...new Set(runs.map(what))].sort();
  const shown = useMemo(
    () => runs.filter((run) => (asker === all || run.asker === asker) && (kind === all || run.kind === kind)).reverse(),
    [runs, asker, kind],
  );
  return (
    <Card title="Runs" wide>
      <div class="choices">
        <Choice label="Asker" value={asker} of={those((run) => run.asker)} set={setAsker} />
        <Choice label="Kind" value={kind} of={those((run) => run.kind)} set={setKind} />
        <p aria-live="polite">
          {shown.length === runs.length ? plural(runs.length, "run") : `${count(shown.length)} of ${plural(runs.length, "run")}`}
        </p>
      </div>
      <WindowedTable
        caption="Runs in the ledger, newest first"
        columns={[
          { name: "Time", width: 13.5 },
          { name: "Asker", width: 10 },
          { name: "Kind", width: 6 },
          { name: "Points", width: 5.5, number: true },
          { name: "Numbers opened", width: 9, number: true },
          { name: "Outcome", width: 6.5 },
          { name: "Model", width: 9 },
          { name: "Data of", width: 16 },
        ]}
        count={shown.length}
        empty="No run matches."
        row={(k) => {
          const run = shown[k]!;
          const who = rosterWords(run.roster, members);
          return [
            <Time at={run.time} />,
            run.asker,
            run.kind,
            count(run.points),
            count(run.opened),
            <span class={run.outcome === "failed" ? "bad" : undefined}>{run.outcome}</span>,
            run.model && `${run.model.slice(0, 8)} (${run.version})`,
            <span title={listed(run.roster)}>{who}</span>,
          ];
        }}
      />
    </Card>
  );
}

export function LedgerView({ status }: { status: Status }) {
  const answer = useAnswer<Ledger>("ledger", status.ledger.hash);
  const members = [status.name, ...status.peers.map((peer) => peer.name)];
  return (
    <Answered answer={answer}>
      {(ledger) => {
        const fits = ledger.fits_on_these_rows;
        return (
          <div class="cards">
            <Card title="Hash chain">
              {ledger.chain_holds ? (
                <p class="good">No line was changed or removed.</p>
              ) : (
                <p class="bad" role="alert">
                  The ledger was changed: {ledger.broken}
                </p>
              )}
              <p>
                {plural(ledger.lines, "line")}. Record the hash of the last line regularly. Only a recorded hash can reveal that lines
                were removed at the end. The current hash is:
              </p>
              <p>
                <code>{ledger.hash || "none yet"}</code>
              </p>
              {fits && fits.limit > 0 && (
                <meter
                  min={0}
                  max={fits.limit}
                  value={fits.opened}
                  aria-label="Numbers that fits on these rows have opened, relative to the limit of the policy"
                />
              )}
              <Notes notes={ledger.notes} />
            </Card>
            <Card title="Totals" low>
              <Table
                caption="By month and asker"
                head={["Month", "Asker", "Runs", "Points", "Numbers opened"]}
                numbers={[2, 3, 4]}
                rows={ledger.summary.map((one) => [
                  <span class="whole">{one.month}</span>,
                  one.asker,
                  count(one.runs),
                  count(one.points),
                  count(one.opened),
                ])}
                empty="No runs yet."
              />
            </Card>
            <Lines runs={ledger.runs} members={members} />
          </div>
        );
      }}
    </Answered>
  );
}
