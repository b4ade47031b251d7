// What the owner allows, and what is left of it today.
import { count, listed, percent, plural } from "../shared/words";
import { useAnswer } from "./live";
import { Answered, Card, Facts, Table, type Fact } from "./parts";
import type { Policy, Status } from "./types";

const who = (names: string[]) => (names.includes("*") ? "every agent of the charter" : names.length === 0 ? "nobody" : listed(names));
const what: Record<string, string> = { fit: "fits", predict: "predictions", evaluate: "evaluations" };

export function PolicyView({ status }: { status: Status }) {
  const answer = useAnswer<Policy>("policy", status.ledger.hash);
  return (
    <Answered answer={answer}>
      {(policy) => (
        <div class="cards">
          <Card title="What the owner allows">
            <Facts
              of={[
                ["An answer needs", `the data of at least ${plural(policy.fewest_agents, "agent")}`],
                [
                  "A fit may go without",
                  policy.without?.includes("*") ? "any member" : policy.without?.length ? listed(policy.without) : "nobody",
                ],
                ...(policy.most_opened === undefined
                  ? []
                  : [["Fits on the same rows", `may open ${percent(policy.most_opened)} of the numbers that all rows hold`] as Fact]),
                ...(policy.fewest_new_rows === undefined
                  ? []
                  : [["A new snapshot", `from ${plural(policy.fewest_new_rows, "row")} on that came or went`] as Fact]),
              ]}
            />
            <p class="soft">The owner changes this in agent.toml; tacit agent reload then reads it.</p>
          </Card>
          <Card title="Who may ask">
            <Table
              caption="For each kind, and how much in a day (UTC)"
              head={["Kind", "Who", "In a day, each"]}
              rows={Object.entries(policy.may ?? {}).map(([kind, names]) => [
                what[kind] ?? kind,
                who(names),
                policy.per_day?.[kind] === undefined ? "no limit" : count(policy.per_day[kind]),
              ])}
              empty="Nobody may ask for anything."
            />
          </Card>
          <Card title="Left today" wide>
            <Table
              caption="What other agents may still ask for until midnight (UTC)"
              head={["Agent", "Kind", "Left"]}
              numbers={[2]}
              rows={(policy.left ?? []).map((one) => [one.asker, what[one.kind] ?? one.kind, count(one.count)])}
              empty="There are no limits, so nothing is counted."
            />
          </Card>
        </div>
      )}
    </Answered>
  );
}
