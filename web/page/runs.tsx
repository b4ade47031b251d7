// Runs of the last four weeks, and why some failed.
import { duration } from "../shared/words";
import { useAnswer } from "./live";
import { Answered, Card, Time } from "./parts";
import { WindowedTable } from "./windowed_table";
import type { Runs, Status } from "./types";

const tone: Record<string, string> = { done: "good", failed: "bad", refused: "warn", withdrawn: "soft" };

export function RunsView({ status }: { status: Status }) {
  const answer = useAnswer<Runs>("runs", JSON.stringify(status.runs) + status.ledger.hash);
  return (
    <Card title="Runs of the last four weeks" wide>
      <Answered answer={answer}>
        {({ runs }) => (
          <WindowedTable
            caption="Runs, the newest first"
            columns={[
              { name: "Time", width: 13.5 },
              { name: "Kind", width: 6 },
              { name: "Asker", width: 10 },
              { name: "Outcome", width: 6.5 },
              { name: "Took", width: 6.5, number: true },
              { name: "Reason", width: 45 },
            ]}
            count={runs.length}
            empty="There were none."
            row={(k) => {
              const run = runs[k]!;
              return [
                <Time at={run.time} />,
                run.kind,
                run.asker,
                <span class={tone[run.outcome]}>{run.outcome}</span>,
                run.seconds === null ? "" : duration(run.seconds),
                run.reason,
              ];
            }}
          />
        )}
      </Answered>
    </Card>
  );
}
