// The charter: its signatures, its terms, and the changes since the previous charter.
import { listed } from "../shared/words";
import { useAnswer } from "./live";
import { Answered, Card, Facts, Table } from "./parts";
import type { Charter, Column, Status } from "./types";

const range = (column: Column) =>
  column.levels?.length ? column.levels.join(", ") : column.low === undefined ? "" : `${column.low} to ${column.high}`;

export function CharterView({ status }: { status: Status }) {
  const answer = useAnswer<Charter>("charter", status.charter);
  return (
    <Answered answer={answer}>
      {(charter) => {
        const missing = charter.agents.filter((agent) => !agent.signed).map((agent) => agent.name);
        return (
          <>
            <div class="cards">
              <Card title="Signatures" wide>
                <Facts
                  of={[
                    ["Title", charter.title],
                    ["Number", charter.number],
                    ["Hash", <code>{charter.hash}</code>],
                  ]}
                />
                <p class={missing.length > 0 ? "warn" : "good"}>
                  {missing.length > 0 ? `Not signed by ${listed(missing)}.` : "Signed by all parties."}
                </p>
                <Table
                  caption="Parties of the charter. Compare their identities by telephone."
                  head={["Agent", "Signed", "Address", "Identity"]}
                  rows={charter.agents.map((agent) => [
                    agent.self ? `${agent.name} (this agent)` : agent.name,
                    agent.signed ? <span class="good">yes</span> : <span class="bad">no</span>,
                    agent.address,
                    <code>{agent.identity}</code>,
                  ])}
                />
              </Card>
              <Card title="Changes" wide>
                {charter.changes ? (
                  <>
                    <p>Since charter {charter.changes.from}:</p>
                    <ul>
                      {charter.changes.words.map((one) => (
                        <li key={one}>{one}</li>
                      ))}
                    </ul>
                  </>
                ) : (
                  <p class="soft">This agent has no earlier charter.</p>
                )}
              </Card>
            </div>
            <div class="reading">
              <Card title="Columns">
                <Table
                  caption="Inputs, with their public ranges"
                  head={["Column", "Range or levels"]}
                  rows={charter.inputs.map((one) => [one.name, range(one)])}
                />
              </Card>
              {(charter.words ?? []).map((part) => (
                <Card title={part.heading} key={part.heading}>
                  <ul class="prose">
                    {part.sentences.map((one) => (
                      <li key={one}>{one}</li>
                    ))}
                  </ul>
                </Card>
              ))}
            </div>
          </>
        );
      }}
    </Answered>
  );
}
