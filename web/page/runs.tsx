// Runs of the last four weeks, with the reasons of those that failed.
import { useState } from "preact/hooks";
import { count, duration } from "../shared/words";
import { useAnswer } from "./live";
import { Answered, Card, Table, Time } from "./parts";
import type { Runs, Status } from "./types";

const tone: Record<string, string> = { done: "good", failed: "bad", refused: "warn", withdrawn: "soft" };
const at_once = 100; // no WindowedTable: reasons wrap, so row heights differ

export function RunsView({ status }: { status: Status }) {
  const answer = useAnswer<Runs>("runs", JSON.stringify(status.runs) + status.ledger.hash);
  const [most, setMost] = useState(at_once);
  return (
    <Card title="Runs of the last four weeks" wide>
      <Answered answer={answer}>
        {({ runs }) => (
          <>
            <Table
              caption="Runs, newest first"
              head={["Time", "Kind", "Asker", "Outcome", "Duration", "Reason"]}
              numbers={[4]}
              rows={runs
                .slice(0, most)
                .map((run) => [
                  <Time at={run.time} />,
                  run.kind,
                  run.asker,
                  <span class={tone[run.outcome]}>{run.outcome}</span>,
                  run.seconds === null ? "" : duration(run.seconds),
                  run.reason && <span class="reason">{run.reason}</span>,
                ])}
              empty="No runs."
            />
            {runs.length > most && (
              <p>
                <button type="button" onClick={() => setMost(most + at_once)}>
                  Show {count(Math.min(at_once, runs.length - most))} more of {count(runs.length)}
                </button>
              </p>
            )}
          </>
        )}
      </Answered>
    </Card>
  );
}
