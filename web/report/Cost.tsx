// What it cost: messages, bytes, seconds, and which links carried them.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { isDrawn, NetworkDrawing } from "./NetworkDrawing";
import { bars } from "./plots";
import type { Network, Simulate } from "./result";
import { Fold } from "./Table";
import { bytes, count, extent, list, plural, seconds } from "./words";

const stages: Record<string, string> = {
  standardise: "common scales",
  tuning: "the search",
  pooling: "landmarks",
  local: "own models",
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
            ` The wider a link is drawn, the more it carried: ${extent(carried).map(bytes).join(" to ")}.`}
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
            caption: "What each link carried",
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
      <h2>What it cost</h2>
      <p>
        {plural(traffic.rounds, "round")} with {plural(traffic.messages, "message")} and{" "}
        {bytes(traffic.bytes)} between all agents, {bytes(traffic.bytes / result.agents)} each. On one
        computer, which did the work of all, it took {seconds(spent.total ?? 0)}.
        {result.landmarks ? " Questions asked at home cost nothing of this." : ""}
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
              columns: ["what", "number"],
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
          The agents are joined as {result.topology}: {count(result.agents)} of them.
        </p>
      )}
    </section>
  );
}
