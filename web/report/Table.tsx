// A table of numbers with all digits of the JSON, and the collapsible section that contains tables.
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

const paper = 24; // tables of at most this many rows are always printed
const broad = 6; // columns that fit on paper without breaking a number
const screen = 2000; // rows that a browser lays out without a delay

const isNumber = (cell: Cell) => typeof cell === "number" || cell === null || cell === undefined;

// The first column is the row header.
export function Table({ caption, columns, rows }: Numbers) {
  return (
    <div class="sideways" tabIndex={0} role="region" aria-label={caption}>
      <table class={columns.length > broad ? "wide" : ""}>
        <caption>
          <span>
            {caption}
            {rows.length > screen &&
              `; the first ${count(screen)} of ${count(rows.length)} rows. The JSON has all rows.`}
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

// Long tables are rendered when they are opened. Short ones are rendered at once, so that they are printed.
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
