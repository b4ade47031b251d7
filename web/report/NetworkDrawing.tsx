// The parties on a circle and the links between them. The width of a line shows the traffic of the link.
import { useWidth } from "./Chart";
import type { Network } from "./result";
import { bytes, count, plural, short } from "./words";

interface Marks {
  inside?: number[];
  known?: number[];
  added?: [number, number][];
}

const most_agents = 120,
  most_edges = 1500; // a drawing of more is unreadable

export const isDrawn = (network: Network) => 
  network.agents <= most_agents && network.edges.length <= most_edges;

interface Options {
  network: Network;
  names: string[];
  label: string;
  marks?: Marks;
}

export function NetworkDrawing(options: Options) {
  const { agents, edges } = options.network;
  if (isDrawn(options.network)) return <Drawing {...options} />;
  return (
    <p class="note">
      A network of {plural(agents, "agent")} and {plural(edges.length, "link")} is not drawn. With more than{" "}
      {most_agents} agents or {count(most_edges)} links, the drawing would be unreadable.
    </p>
  );
}

function Drawing({ network, names, label, marks = {} }: Options) {
  const { place, width } = useWidth(640);
  const { agents, helpers = 0, edges } = network;
  const height = Math.max(260, Math.min(width, 440)),
    fits = width < 480 ? 7 : 16;
  const radius = Math.max(60, Math.min(height / 2 - 30, width / 2 - fits * 7 - 14));
  const spot = (k: number) => {
    const helper = k >= agents,
      angle = 2 * Math.PI * (helper ? (k - agents) / helpers : k / agents) - Math.PI / 2,
      r = helper ? radius / 3 : radius;
    return {
      x: width / 2 + r * Math.cos(angle),
      y: height / 2 + r * Math.sin(angle),
      right: Math.cos(angle),
      down: Math.sin(angle),
    };
  };
  const name = (k: number) => (k < agents ? (names[k] ?? `agent ${k}`) : `helper ${k - agents}`);
  const most = Math.max(1, ...edges.map((edge) => edge.bytes ?? 0));
  const kind = (k: number) =>
    marks.inside?.includes(k) ? "inside" : marks.known?.includes(k) ? "known" : k >= agents ? "helper" : "";
  const labelled = agents + helpers <= 40;
  return (
    <div class="chart" ref={place}>
      {width > 0 && (
        <svg
          class="network"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={label}
        >
          {edges.map(({ a, b, bytes: sent, messages }, k) => {
            const from = spot(a),
              to = spot(b);
            return (
              <line
                key={k}
                x1={from.x}
                y1={from.y}
                x2={to.x}
                y2={to.y}
                stroke-width={sent === undefined ? 1.2 : 0.6 + (4 * sent) / most}
              >
                <title>{`${name(a)} and ${name(b)}${sent === undefined ? "" : `: ${messages} messages, ${sent} bytes (${bytes(sent)})`}`}</title>
              </line>
            );
          })}
          {marks.added?.map(([a, b]) => {
            const from = spot(a),
              to = spot(b);
            return <line key={`${a}-${b}`} class="added" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
          })}
          {Array.from({ length: agents + helpers }, (_, k) => {
            const { x, y, right, down } = spot(k),
              far = labelled ? 14 : 8;
            return (
              <g key={k} class={kind(k)}>
                {kind(k) === "inside" ? (
                  <rect x={x - 7} y={y - 7} width={14} height={14} />
                ) : (
                  <circle cx={x} cy={y} r={labelled ? 7 : 4} />
                )}
                <title>{name(k)}</title>
                {labelled && k < agents && (
                  <text
                    x={x + far * right}
                    y={y + far * down + 4 + 4 * down}
                    text-anchor={Math.abs(right) < 0.2 ? "middle" : right > 0 ? "start" : "end"}
                  >
                    {short(name(k), fits)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
