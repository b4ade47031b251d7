// The published table compared with this run, and the cost of other methods for the same sum.
import { useCallback } from "preact/hooks";
import { Chart } from "../Chart";
import { decade, Plot, style, tip } from "../plots";
import type { TableRow } from "../result";
import { Fold } from "../Table";
import { digits } from "../words";

// Published cells are texts: "0.0192", "<1e-4", "0.5884 ± 0.1112".
const value = (text: string | undefined) => Number.parseFloat((text ?? "").replace("<", ""));
const setting = (row: TableRow) => `${row.data}, ${row.agents} agents, degree ${row.degree}`;

function Beside({ rows }: { rows: TableRow[] }) {
  const draw = useCallback(
    (width: number) => {
      const data = rows
        .flatMap((row) => [
          {
            row: setting(row),
            kind: "published",
            value: value(row.published!.rmse_mean.ours),
            text: row.published!.rmse_mean.ours!,
            colour: "var(--alone)",
            symbol: "circle",
          },
          {
            row: setting(row),
            kind: "this run",
            value: row.rmse_mean.mean ?? Number.NaN,
            text: digits(row.rmse_mean.mean),
            colour: "var(--together)",
            symbol: "diamond",
          },
        ])
        .filter((one) => one.value > 0);
      return Plot.plot({
        width,
        height: 38 * rows.length + 70,
        style,
        marginLeft: width < 520 ? 120 : 210,
        marginRight: 24,
        marginBottom: 44,
        x: {
          type: "log",
          label: "RMSE of the mean, compared with plain distributed GPR",
          labelArrow: "none",
          grid: true,
          ticks: width / 130,
          tickFormat: decade,
          inset: 10,
        },
        y: {
          label: null,
          domain: rows.map(setting),
          tickSize: 0,
          tickFormat: width < 520 ? (name: string) => name.replace(" agents, degree", ",") : undefined,
        },
        color: { type: "identity" },
        symbol: { type: "identity" },
        marks: [
          Plot.dot(data, {
            x: "value",
            y: "row",
            fill: "colour",
            symbol: "symbol",
            r: 6,
            tip,
            title: (d: (typeof data)[number]) => `${d.row}\n${d.kind}: ${d.text}`,
          }),
        ],
      } as Plot.PlotOptions);
    },
    [rows],
  );
  return (
    <Chart
      title="Published error and error of this run"
      draw={draw}
      label="Published error and error of this run, by data, agents and degree."
      numbers={{
        caption: "Published numbers and numbers of this run",
        columns: [
          "setting",
          "mean, published",
          "mean, this run",
          "variance, published",
          "variance, this run",
          "seconds, published",
          "seconds, this run, all agents",
        ],
        rows: rows.map((row) => [
          setting(row),
          row.published!.rmse_mean.ours,
          row.rmse_mean.mean,
          row.published!.rmse_variance.ours,
          row.rmse_variance.mean,
          row.published!.total_seconds.ours,
          row.seconds.total_all_agents?.mean,
        ]),
      }}
    >
      <p class="legend">
        <span class="alone">published</span>
        <span class="together">this run</span>
      </p>
    </Chart>
  );
}

export function ReproducedTable({ rows }: { rows: TableRow[] }) {
  const published = rows.filter((row) => row.published),
    settings = [...new Set(rows.map(setting))];
  return (
    <section>
      <h2>Table</h2>
      {published.length > 0 && <Beside rows={published} />}
      <h3>Other methods</h3>
      <p>The same rows, with other methods for the sums and with other models.</p>
      {settings.map((one) => (
        <Fold
          key={one}
          title={one}
          tables={[
            {
              caption: one,
              columns: [
                "method",
                "mean",
                "variance",
                "test error",
                "rounds",
                "messages",
                "bytes",
                "seconds, all agents",
              ],
              rows: rows
                .filter((row) => setting(row) === one)
                .map((row) => [
                  row.variant,
                  row.rmse_mean.mean,
                  row.rmse_variance.mean,
                  row.test_rmse.mean,
                  row.traffic.rounds,
                  row.traffic.messages,
                  row.traffic.bytes,
                  row.seconds.total_all_agents?.mean,
                ]),
            },
          ]}
        />
      ))}
    </section>
  );
}
