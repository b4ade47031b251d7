// The button that asks, and what came of it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { asking, outcome, type Kind, type Outcome } from "./asking";
import { live } from "./live";
import { Running } from "./running";

// Not disabled but deaf while it cannot be used: a disabled button would lose the keyboard's focus.
export function Go(props: { children: ComponentChildren; off?: boolean; onClick: () => void }) {
  const busy = asking.use() !== null;
  const off = busy || props.off || live.use().state !== "there";
  return (
    <p>
      <button type="button" class="go" aria-disabled={off} onClick={() => !off && props.onClick()}>
        {props.children}
      </button>
      {busy && <span class="soft"> One thing at a time: something you asked for still runs.</span>}
    </p>
  );
}

// What came of it; takes the focus that the stop button leaves behind.
export function Result(props: { kind: Kind; children: (end: Outcome) => ComponentChildren }) {
  const running = asking.use()?.kind === props.kind;
  const end = outcome.use();
  const mine = end?.kind === props.kind ? end : null;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (mine && document.activeElement === document.body) box.current?.focus();
  }, [mine]);
  return (
    <>
      {running && <Running />}
      <div tabIndex={-1} ref={box} class="result">
        <p role="status" class={!mine?.error ? "good" : mine.stopped ? "warn" : "bad"}>
          {mine && (mine.error || "Done.")}
        </p>
        {mine && !mine.error && props.children(mine)}
      </div>
    </>
  );
}
