// Runs of the last four weeks, and why some failed.
import { useState } from "preact/hooks";
import { count, duration } from "../shared/words";
import { useAnswer } from "./live";
import { Answered, Card, Table, Time } from "./parts";
import type { Runs, Status } from "./types";

const tone: Record<string, string> = { done: "good", failed: "bad", refused: "warn", withdrawn: "soft" };
const at_once = 100; // reasons wrap, so lines have no one height and are not drawn by windows

export function RunsView({ status }: { status: Status }) {
  const answer = useAnswer<Runs>("runs", JSON.stringify(status.runs) + status.ledger.hash);
  const [most, setMost] = useState(at_once);
  return (
    <Card title="Runs of the last four weeks" wide>
      <Answered answer={answer}>
        {({ runs }) => (
          <>
            <Table
              caption="Runs, the newest first"
              head={["Time", "Kind", "Asker", "Outcome", "Took", "Reason"]}
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
              empty="There were none."
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
