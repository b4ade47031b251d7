// A table of any length that draws only the visible rows. All rows have the same height, so that the position of each
// is known. Screen readers get the number of rows and the index of each row.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Cells } from "./parts";

export interface WindowedColumn {
  name: string;
  width: number; // in rem
  number?: boolean;
}

interface Props {
  caption: string;
  columns: WindowedColumn[];
  count: number;
  row: (line: number) => ComponentChildren[];
  empty: string;
}

const line_height = 36; // pixels, as in tables.css
const spare = 10; // rows drawn above and below the visible ones

export function WindowedTable({ caption, columns, count, row, empty }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    if (box.current) setHeight(box.current.clientHeight);
    const seen = new ResizeObserver(() => box.current && setHeight(box.current.clientHeight));
    if (box.current) seen.observe(box.current);
    return () => seen.disconnect();
  }, [count === 0]);
  if (count === 0) return <p class="soft">{empty}</p>;

  const first = Math.max(0, Math.min(Math.floor(top / line_height), count) - spare);
  const last = Math.min(count, Math.ceil((top + height) / line_height) + spare);
  const gap = (lines: number) =>
    lines > 0 && (
      <tr aria-hidden="true" class="gap">
        <td colSpan={columns.length} style={{ height: `${lines * line_height}px` }} />
      </tr>
    );
  const side = (k: number) => (columns[k]!.number ? "number" : undefined);
  return (
    <div
      class="scrolled windowed"
      role="region"
      aria-label={caption}
      tabIndex={0}
      ref={box}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={count + 1} style={{ minWidth: `${columns.reduce((sum, one) => sum + one.width, 0)}rem` }}>
        <caption>{caption}</caption>
        <colgroup>
          {columns.map((one) => (
            <col key={one.name} style={{ width: `${one.width}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((one, k) => (
              <th scope="col" class={side(k)} key={one.name}>
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {gap(first)}
          {Array.from({ length: last - first }, (_, k) => first + k).map((line) => (
            <tr key={line} aria-rowindex={line + 2}>
              <Cells row={row(line)} side={side} />
            </tr>
          ))}
          {gap(count - last)}
        </tbody>
      </table>
    </div>
  );
}
