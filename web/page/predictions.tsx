// Predictions as a table and as a plot. The plot's code is loaded on first use.
import { useEffect, useRef, useState } from "preact/hooks";
import { figure, listed } from "../shared/words";
import { checkServer } from "./api";
import { download, withNames, type Read } from "./csv";
import { Notes } from "./parts";
import { WindowedTable } from "./windowed_table";
import type { Interval } from "./plot";
import type { Predicted } from "./types";

const by_number = -1;

// The code comes from the agent. Another program on its port could send other code.
let plotting: Promise<typeof import("./plot")> | null = null;
function loadPlot() {
  plotting ??= checkServer().then(() => import("./plot"));
  plotting.catch(() => (plotting = null));
  return plotting;
}

function Plot(props: { target: string; intervals: Interval[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let wanted = true;
    let width = 0;
    const draw = async () => {
      const { intervalPlot } = await loadPlot();
      if (!wanted || !box.current) return;
      width = box.current.clientWidth;
      box.current.replaceChildren(intervalPlot(props.target, props.intervals, width));
    };
    const fail = () => wanted && setTrouble("The plot could not be loaded. The table has the same numbers.");
    const seen = new ResizeObserver(() => box.current && box.current.clientWidth !== width && draw().catch(fail));
    if (box.current) seen.observe(box.current);
    return () => {
      wanted = false;
      seen.disconnect();
    };
  }, [props.target, props.intervals]);
  return (
    <figure>
      <figcaption>
        {props.target}: dots are predictions. Thick lines are 95 % intervals of the mean; thin lines are 95 % intervals of a new
        observation. The table has the same numbers.
      </figcaption>
      {trouble ? <p class="bad">{trouble}</p> : <div ref={box} class="plot" aria-hidden="true" />}
    </figure>
  );
}

export function Predictions({ predicted, about }: { predicted: Predicted; about: Read }) {
  const { targets, roster, at_home, predictions } = predicted.predictions;
  const [named, setNamed] = useState(by_number);
  const matches = about.rows.length === predictions.length;
  const id = matches && named < about.header.length ? named : by_number;
  const name = (row: number) => (id === by_number ? String(row + 1) : (about.rows[row]![id] ?? ""));
  const [plots, setPlots] = useState<Interval[][]>([]);
  useEffect(() => {
    setPlots(
      targets.map((_, t) =>
        predictions.flatMap((one, row) =>
          one.mean === null
            ? []
            : [{ row, name: name(row), mean: one.mean[t]!, sd: one.latent_sd![t]!, low: one.low![t]!, high: one.high![t]! }],
        ),
      ),
    );
  }, [predicted, id]);
  const save = () => {
    const names = predictions.map((_, row) => name(row));
    download("predicted.csv", id === by_number ? predicted.csv : withNames(predicted.csv, about.header[id]!, names));
  };
  const notes = [...new Set([...predicted.notes, ...predicted.predictions.notes])];
  return (
    <>
      <p class="good">{at_home ? "Answered at home. No other agent was asked." : `Answered by ${listed(roster)} together.`}</p>
      <Notes notes={at_home ? notes.filter((one) => one !== "answered at home; no other agent was asked") : notes} />
      <div class="choices">
        {matches && (
          <label>
            Name rows by
            <select value={id} onChange={(event) => setNamed(Number(event.currentTarget.value))}>
              <option value={by_number}>row number</option>
              {about.header.map((one, k) => (
                <option value={k} key={k}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="button" onClick={save}>
          Download as CSV
        </button>
      </div>
      {plots.map((intervals, t) => intervals.length > 0 && <Plot target={targets[t]!} intervals={intervals} key={t} />)}
      <WindowedTable
        caption="Predictions, one line for each row of the table"
        columns={[
          { name: id === by_number ? "Row" : about.header[id]!, width: 7 },
          ...targets.flatMap((target) => [
            { name: target, width: 7, number: true },
            { name: `${target}, 95 % from`, width: 8, number: true },
            { name: `${target}, 95 % to`, width: 8, number: true },
            { name: `${target}, sd of the mean`, width: 10, number: true },
            { name: `${target}, sd of a new observation`, width: 13, number: true },
          ]),
        ]}
        count={predictions.length}
        empty="The table has no rows."
        row={(k) => {
          const one = predictions[k]!;
          const of = (values: number[] | null, t: number) => (values ? figure(values[t]) : "");
          return [
            name(k),
            ...targets.flatMap((_, t) => [of(one.mean, t), of(one.low, t), of(one.high, t), of(one.latent_sd, t), of(one.observed_sd, t)]),
          ];
        }}
      />
    </>
  );
}
