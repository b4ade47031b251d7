// A table of numbers as the JSON has them, and the fold below a chart that holds one.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Maybe } from "./result";
import { count, digits } from "./words";

export type Cell = Maybe<number | string>;
export interface Numbers {
  caption: string;
  columns: string[];
  rows: Cell[][];
}

const paper = 24; // rows of a table that is printed unasked
const broad = 6; // columns that fit on paper without breaking numbers
const screen = 2000; // rows that a browser lays out without a pause

const isNumber = (cell: Cell) => typeof cell === "number" || cell === null || cell === undefined;

// The first column names the row.
export function Table({ caption, columns, rows }: Numbers) {
  return (
    <div class="sideways" tabIndex={0} role="region" aria-label={caption}>
      <table class={columns.length > broad ? "wide" : ""}>
        <caption>
          <span>
            {caption}
            {rows.length > screen &&
              `; the first ${count(screen)} of ${count(rows.length)} rows, the JSON has all`}
          </span>
        </caption>
        <thead>
          <tr>
            {columns.map((name, c) => (
              <th key={c} scope="col" class={isNumber(rows[0]?.[c]) ? "number" : ""}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, screen).map((row, r) => (
            <tr key={r}>
              {row.map((cell, c) => {
                const kind = isNumber(cell) ? "number" : "";
                return c === 0 ? (
                  <th key={c} scope="row" class={kind}>
                    {digits(cell)}
                  </th>
                ) : (
                  <td key={c} class={kind}>
                    {digits(cell)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Long tables are made when they are opened; short ones are there at once, so that paper shows them too.
export function Fold({
  title = "Numbers",
  tables,
  children,
}: {
  title?: string;
  tables: Numbers[];
  children?: ComponentChildren;
}) {
  const brief = tables.every((one) => one.rows.length <= paper);
  const [open, setOpen] = useState(false);
  return (
    <details class={brief ? "brief" : ""} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {(brief || open) && tables.map((one) => <Table key={one.caption} {...one} />)}
      {children}
    </details>
  );
}
