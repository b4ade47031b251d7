// The cost: messages, bytes and seconds, and the traffic of each link.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { isDrawn, NetworkDrawing } from "./NetworkDrawing";
import { bars } from "./plots";
import type { Network, Simulate } from "./result";
import { Fold } from "./Table";
import { bytes, count, extent, list, plural, seconds } from "./words";

const stages: Record<string, string> = {
  standardise: "common scales",
  tuning: "search",
  pooling: "landmarks",
  local: "local models",
  protocol: "predictions",
  holdout: "held-out rows",
  network: "network",
};

function Links({ network, names }: { network: Network; names: string[] }) {
  const carried = network.edges.filter((edge) => edge.bytes !== undefined).map((edge) => edge.bytes!);
  const name = (k: number) =>
    k < network.agents ? (names[k] ?? `agent ${k}`) : `helper ${k - network.agents}`;
  return (
    <figure>
      <figcaption>
        <h3>The network</h3>
        <p>
          {plural(network.agents, "agent")}
          {network.helpers ? ` and ${plural(network.helpers, "helper")}` : ""} with{" "}
          {plural(network.edges.length, "link")}.
          {carried.length > 0 &&
            isDrawn(network) &&
            ` The width of a line shows the traffic of the link, ${extent(carried).map(bytes).join(" to ")}.`}
        </p>
      </figcaption>
      <NetworkDrawing
        network={network}
        names={names}
        label={`Network of ${plural(network.agents, "agent")} with ${plural(network.edges.length, "link")}: ${list(names)}.`}
      />
      <Fold
        tables={[
          {
            caption: "Traffic of each link",
            columns: ["from", "to", "messages", "bytes"],
            rows: network.edges.map((edge) => [name(edge.a), name(edge.b), edge.messages, edge.bytes]),
          },
        ]}
      />
    </figure>
  );
}

export function Cost({ result }: { result: Simulate }) {
  const { traffic, seconds: spent, network } = result;
  const spans = Object.entries(stages).flatMap(([key, name]) =>
    spent[key] ? [{ name, value: spent[key], note: seconds(spent[key]) }] : [],
  );
  const draw = useCallback((width: number) => bars(spans, "seconds", width, "var(--soft)"), [result]);
  return (
    <section>
      <h2>Cost</h2>
      <p>
        The agents exchanged {plural(traffic.messages, "message")} and {bytes(traffic.bytes)} in{" "}
        {plural(traffic.rounds, "round")}: {bytes(traffic.bytes / result.agents)} per agent. One computer did the
        work of all agents in {seconds(spent.total ?? 0)}.
        {result.landmarks ? " Predictions at home cause no traffic." : ""}
      </p>
      {spans.length > 0 && (
        <Chart
          title="Seconds by stage"
          draw={draw}
          label={`Seconds by stage: ${spans.map((one) => `${one.name} ${one.note}`).join(", ")}.`}
          numbers={[
            {
              caption: "Seconds by stage",
              columns: ["stage", "seconds"],
              rows: [...Object.keys(stages).map((key) => [stages[key]!, spent[key]]), ["total", spent.total]],
            },
            {
              caption: "Traffic of all agents",
              columns: ["quantity", "number"],
              rows: [
                ["rounds", traffic.rounds],
                ["messages", traffic.messages],
                ["bytes", traffic.bytes],
              ],
            },
          ]}
        />
      )}
      {network ? (
        <Links network={network} names={result.names} />
      ) : (
        <p>
          {count(result.agents)} agents are connected with the topology {result.topology}.
        </p>
      )}
    </section>
  );
}
