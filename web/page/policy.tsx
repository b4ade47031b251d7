// The owner's policy, and the requests that are left today.
import { count, listed, percent, plural } from "../shared/words";
import { useAnswer } from "./live";
import { Answered, Card, Facts, Table, type Fact } from "./parts";
import type { Policy, Status } from "./types";

const who = (names: string[]) => (names.includes("*") ? "every agent of the charter" : names.length === 0 ? "no agent" : listed(names));
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
                  "A fit may exclude",
                  policy.without?.includes("*") ? "any member" : policy.without?.length ? listed(policy.without) : "no member",
                ],
                ...(policy.most_opened === undefined
                  ? []
                  : [["Fits on the same rows", `may open at most ${percent(policy.most_opened)} as many numbers as all rows hold`] as Fact]),
                ...(policy.fewest_new_rows === undefined
                  ? []
                  : [["A new snapshot needs", `at least ${plural(policy.fewest_new_rows, "row")} added or removed`] as Fact]),
              ]}
            />
            <p class="soft">To change the policy, the owner edits agent.toml and runs tacit agent reload.</p>
          </Card>
          <Card title="Who may ask">
            <Table
              caption="For each kind of request: the agents that may ask, and the limit per day (UTC)"
              head={["Kind", "Agents", "Per day and agent"]}
              rows={Object.entries(policy.may ?? {}).map(([kind, names]) => [
                what[kind] ?? kind,
                who(names),
                policy.per_day?.[kind] === undefined ? "no limit" : count(policy.per_day[kind]),
              ])}
              empty="No agent may ask for anything."
            />
          </Card>
          <Card title="Left today" wide>
            <Table
              caption="What each agent may still ask for until midnight (UTC)"
              head={["Agent", "Kind", "Left"]}
              numbers={[2]}
              rows={(policy.left ?? []).map((one) => [one.asker, what[one.kind] ?? one.kind, count(one.count)])}
              empty="The policy sets no daily limits."
            />
          </Card>
        </div>
      )}
    </Answered>
  );
}
