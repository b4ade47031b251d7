// What a coalition could learn: findings, advice, the network with the coalition, and the error for each agent.
import { useCallback } from "preact/hooks";
import { HowToRepeat } from "./HowToRepeat";
import { Chart } from "./Chart";
import { NetworkDrawing } from "./NetworkDrawing";
import { decade, Plot, style, tip } from "./plots";
import { promise } from "./promise";
import { Findings } from "./Findings";
import type { Audit } from "./result";
import { Fold } from "./Table";
import { digits, known, list, plural, rounded } from "./words";

const agents = (all: number[]) =>
  all.length === 1 ? `agent ${all[0]}` : `agents ${list(all.map(String), 20)}`;

function Seen({ result, coalition }: { result: Audit; coalition: number[] }) {
  const sums = (result.parts ?? []).map((part) => [agents(part)]);
  const singled = result.trajectory?.singled_out ?? [],
    broken = result.round?.broken ?? [],
    added = result.edges_to_add ?? [];
  const parts = broken.map((one) => [`agent ${one.agent}`, one.parts.map(agents).join("; ")]);
  const words = singled.length
    ? `It can determine the values of ${agents(singled)}.`
    : "It cannot determine the value of any other agent.";
  return (
    <figure>
      <figcaption>
        <p>
          The coalition is {agents(coalition)}. {words}
        </p>
        <p class="legend">
          <span class="inside">coalition</span>
          {singled.length > 0 && <span class="known">value can be determined</span>}
          {added.length > 0 && <span class="added">link to add</span>}
        </p>
      </figcaption>
      {result.network ? (
        <NetworkDrawing
          network={result.network}
          names={[]}
          marks={{ inside: coalition, known: singled, added }}
          label={`Network of ${plural(result.agents, "agent")}, coalition ${agents(coalition)}. ${words}`}
        />
      ) : (
        <p class="note">
          {plural(result.agents, "agent")}, topology {result.topology}.
        </p>
      )}
      {(parts.length > 0 || sums.length > 0 || added.length > 0) && (
        <Fold
          tables={[
            ...(parts.length
              ? [
                  {
                    caption: "Sums of one round that the coalition can split, and their parts",
                    columns: ["sum of", "parts"],
                    rows: parts,
                  },
                ]
              : []),
            ...(sums.length
              ? [{ caption: "Sums over other agents that the coalition learns", columns: ["over"], rows: sums }]
              : []),
            ...(added.length ? [{ caption: "Links to add", columns: ["from", "to"], rows: added }] : []),
          ]}
        />
      )}
    </figure>
  );
}

function Errors({ trajectory }: { trajectory: NonNullable<Audit["trajectory"]> }) {
  const rows = trajectory.error.flatMap((error, agent) =>
    known(error) ? [{ agent: `agent ${agent}`, error }] : [],
  );
  const draw = useCallback(
    (width: number) =>
      Plot.plot({
        width,
        height: 22 * rows.length + 70,
        style,
        marginLeft: 80,
        marginRight: 30,
        marginBottom: 44,
        x: {
          type: "log",
          label: "error of the best estimate; further left is worse for the agent",
          labelArrow: "none",
          grid: true,
          ticks: width / 110,
          tickFormat: decade,
          inset: 10,
        },
        y: { label: null, domain: rows.map((one) => one.agent), tickSize: 0 },
        marks: [
          known(trajectory.guess) && trajectory.guess > 0
            ? Plot.ruleX([trajectory.guess], { stroke: "var(--good)", strokeWidth: 2 })
            : null,
          Plot.dot(rows, {
            x: "error",
            y: "agent",
            fill: "var(--bad)",
            r: 5,
            tip,
            title: (one: (typeof rows)[number]) => `${one.agent}\n${digits(one.error)}`,
          }),
        ],
      } as Plot.PlotOptions),
    [trajectory],
  );
  if (rows.length === 0 || rows.length > 120 || rows.some((one) => one.error <= 0)) return null;
  return (
    <Chart
      title="How precisely each agent’s value can be estimated"
      draw={draw}
      label={`Error of the coalition’s best estimate for each of ${plural(rows.length, "agent")}; the error of a blind guess is ${rounded(trajectory.guess)}.`}
      numbers={{
        caption: "Error of the best estimate of each agent’s value",
        columns: ["agent", "error"],
        rows: trajectory.error.map((error, agent) => [`agent ${agent}`, error]),
      }}
    >
      <p>
        {known(trajectory.guess) &&
          `The green line is the error of a blind guess, ${rounded(trajectory.guess)}. `}
        The dots are the errors of the coalition’s estimates after {plural(trajectory.rounds ?? 0, "round")}.
      </p>
    </Chart>
  );
}

export function headline(result: Audit): string {
  return promise(result, result.agents).sentence;
}

export function AuditReport({ result }: { result: Audit }) {
  const asked = result.required > 0 || (result.required_masks ?? 0) > 0,
    met = result.requirement_met && result.masks_requirement_met !== false;
  const broken = result.coalitions;
  return (
    <>
      <section>
        <h2>Findings</h2>
        {asked && (
          <p class={met ? "verdict good" : "verdict bad"}>
            {met ? "The requirement is met." : "The requirement is not met."}
          </p>
        )}
        <Findings of={result} />
        {broken && (
          <Fold
            tables={[
              {
                caption: "Coalitions",
                columns: ["coalitions", "number"],
                rows: [
                  ["all", broken.all],
                  ["examined", broken.examined],
                  ["learn more than the sum", broken.leaking],
                ],
              },
            ]}
          />
        )}
      </section>
      {result.coalition && (
        <section>
          <h2>What a coalition sees</h2>
          <Seen result={result} coalition={result.coalition} />
          {result.trajectory && <Errors trajectory={result.trajectory} />}
        </section>
      )}
      <HowToRepeat about={result.about} />
    </>
  );
}
