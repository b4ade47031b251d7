// Components that several views use.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { when } from "../shared/words";
import type { Answer } from "./live";

export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {when(at)}
  </time>
);

export function Card(props: { title: string; children: ComponentChildren; wide?: boolean; low?: boolean }) {
  const id = "card-" + props.title.toLowerCase().replace(/\W+/g, "-");
  return (
    <section class={`card ${props.wide ? "wide" : ""} ${props.low ? "low" : ""}`} aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

// Shows its content once the agent has answered. Before that it shows a placeholder, or the agent's error.
export function Answered<T>(props: { answer: Answer<T>; children: (value: T) => ComponentChildren }) {
  const { value, error } = props.answer;
  return (
    <>
      {error && (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
      {value ? props.children(value) : !error && <p class="soft">Loading …</p>}
    </>
  );
}

export type Fact = [string, ComponentChildren];

export const Facts = (props: { of: Fact[] }) => (
  <dl class="facts">
    {props.of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export const Notes = ({ notes }: { notes: string[] }) =>
  notes.length === 0 ? null : (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );

// Wide content scrolls inside this box, not the page. If it does not fit, Tab reaches the box, to scroll it by
// keyboard.
export function Scrolled(props: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(false);
  useEffect(() => {
    const one = box.current!;
    const look = () => setMore(one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight);
    const seen = new ResizeObserver(look);
    seen.observe(one);
    seen.observe(one.firstElementChild!);
    return () => seen.disconnect();
  }, []);
  return (
    <div class="scrolled" role="region" aria-label={props.label} tabIndex={more ? 0 : undefined} ref={box}>
      {props.children}
    </div>
  );
}

// The cells of a table row. The first is the row header.
export const Cells = ({ row, side }: { row: ComponentChildren[]; side: (k: number) => string | undefined }) => (
  <>
    {row.map((cell, k) =>
      k === 0 ? (
        <th scope="row" class={side(k)} key={k}>
          {cell}
        </th>
      ) : (
        <td class={side(k)} key={k}>
          {cell}
        </td>
      ),
    )}
  </>
);

export function Table(props: { caption: string; head: string[]; numbers?: number[]; rows: ComponentChildren[][]; empty?: string }) {
  const side = (k: number) => (props.numbers?.includes(k) ? "number" : undefined);
  if (props.rows.length === 0) return <p class="soft">{props.empty ?? "None."}</p>;
  return (
    <Scrolled label={props.caption}>
      <table>
        <caption>{props.caption}</caption>
        <thead>
          <tr>
            {props.head.map((name, k) => (
              <th scope="col" class={side(k)} key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, line) => (
            <tr key={line}>
              <Cells row={row} side={side} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

const between_announcements = 4000;

// Announces changing text to screen readers, with enough time between two announcements to hear each.
export function Announced({ words }: { words: string }) {
  const [said, say] = useState("");
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + between_announcements - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      say(words);
    }, wait);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p class="unseen" aria-live="polite">
      {said}
    </p>
  );
}
