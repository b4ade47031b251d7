// The agent at a glance: the current run, notes, the model and the links to other agents.
import { count, duration, plural, size } from "../shared/words";
import { LengthscalesCard, ModelCard } from "./model";
import { Card, Facts, Notes, Table, Time } from "./parts";
import { Running } from "./running";
import type { Peer, Status } from "./types";

function State({ peer }: { peer: Peer }) {
  if (!peer.neighbour) return <span class="soft">reached through other agents</span>;
  if (peer.refusal) return <span class="bad reason">refused: {peer.refusal}</span>;
  if (peer.up) return <span class="good">up</span>;
  return <span class="bad reason">down{peer.why_down && ": " + peer.why_down}</span>;
}

const left = (peer: Peer) =>
  Object.entries(peer.left)
    .map(([kind, many]) => `${count(many)} ${kind === "predict" ? "prediction" : kind}${many === 1 ? "" : "s"}`)
    .join(", ");

function Peers({ peers }: { peers: Peer[] }) {
  const linked = peers.filter((peer) => peer.neighbour);
  const up = linked.filter((peer) => peer.up).length;
  const any_left = peers.some((peer) => left(peer) !== "");
  return (
    <Card title="Other agents" wide>
      <p aria-live="polite">
        {up < linked.length
          ? `${count(up)} of ${plural(linked.length, "link")} up.`
          : up === 1
            ? "The link is up."
            : `All ${count(up)} links are up.`}
        {up < linked.length && " Answers together need all agents of the model; answers at home do not."}
      </p>
      <Table
        caption="Agents of the charter"
        head={["Agent", "State", "Round trip", "Sent", "Received", "Address", "Release", ...(any_left ? ["Requests left today"] : [])]}
        numbers={[2, 3, 4]}
        rows={peers.map((peer) => [
          peer.name,
          <State peer={peer} />,
          peer.up && peer.round_trip !== null ? duration(peer.round_trip) : "",
          peer.neighbour ? size(peer.bytes_sent) : "",
          peer.neighbour ? size(peer.bytes_received) : "",
          peer.address,
          peer.release,
          ...(any_left ? [<span class="reason">{left(peer)}</span>] : []),
        ])}
      />
    </Card>
  );
}

export function Overview({ status }: { status: Status }) {
  const runs = status.runs;
  return (
    <div class="cards">
      <div class="stack">
        <Card title="Current state">
          <Running />
          <Notes notes={status.notes} />
          <Facts
            of={[
              ["Rows", `${count(status.rows)} for learning, ${count(status.holdout_rows)} held out`],
              [
                "Snapshot",
                <>
                  taken <Time at={status.snapshot.taken_at} />
                  {status.snapshot.waiting && `; in the source, ${status.snapshot.waiting}`}
                </>,
              ],
              [
                "Runs",
                `${count(runs.done)} done, ${count(runs.failed)} failed, ${count(runs.withdrawn)} withdrawn, ${count(runs.refused)} refused here`,
              ],
              [
                "Ledger",
                status.ledger.lines === 0
                  ? "no lines yet"
                  : `${plural(status.ledger.lines, "line")}; the hash of the last is ${status.ledger.hash.slice(0, 12)}`,
              ],
              ["Agent", `up for ${duration(status.up_seconds)}, listening on ${status.listen}, Tacit ${status.release}`],
            ]}
          />
        </Card>
        {status.model && <LengthscalesCard status={status} model={status.model} />}
      </div>
      <ModelCard status={status} />
      <Peers peers={status.peers} />
    </div>
  );
}
