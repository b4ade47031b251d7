// The button that sends a request, and the result of the request.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { asking, outcome, type Kind, type Outcome } from "./asking";
import { live } from "./live";
import { Running } from "./running";

// The button ignores clicks while it is unavailable. It is not disabled, because a disabled button loses the focus.
export function Go(props: { children: ComponentChildren; off?: boolean; onClick: () => void }) {
  const busy = asking.use() !== null;
  const off = busy || props.off || live.use().state !== "there";
  return (
    <p>
      <button type="button" class="go" aria-disabled={off} onClick={() => !off && props.onClick()}>
        {props.children}
      </button>
      {busy && <span class="soft"> Another request of yours is still running.</span>}
    </p>
  );
}

// The result. It receives the focus when the stop button disappears.
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
