// The frame around all views: the agent's name, the navigation and the state of the connection.
import { useEffect, useRef } from "preact/hooks";
import { timeOfDay } from "../shared/words";
import { asking } from "./asking";
import { live, type Live } from "./live";
import { view, views } from "./views";

// Moves the focus to the heading of a new view, where users of a keyboard or a screen reader start to read.
function useHeading(of: unknown) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(of);
  useEffect(() => {
    if (last.current === of) return;
    last.current = of;
    scrollTo(0, 0);
    heading.current?.focus();
  }, [of]);
  return heading;
}

function Gone({ now }: { now: Live }) {
  return (
    <div role="alert">
      {now.state === "gone" && (
        <p class="banner">
          {now.why
            ? `The agent has reported an error since ${timeOfDay(now.since!)}: ${now.why}; retrying.`
            : `The agent has not responded since ${timeOfDay(now.since!)}; retrying.`}
          {now.status && " This page shows the last known state."}
        </p>
      )}
    </div>
  );
}

function HowToGetIn({ wrong }: { wrong: boolean }) {
  return (
    <section class="card">
      <h2>{wrong ? "This link is no longer valid" : "Open this page with its link"}</h2>
      {wrong && <p>The agent was restarted, its link was replaced, or another program answers at its address.</p>}
      <p>
        Only the owner's staff may see what the agent does. Run this command on the agent's machine, and open the link that it prints in
        this browser:
      </p>
      <pre>
        <code>tacit page --agent agent.toml</code>
      </pre>
      <p>Replace agent.toml with the path of your own file. Do not share the link: it grants access to the agent.</p>
    </section>
  );
}

export function App() {
  const now = live.use();
  const busy = asking.use() !== null || !!now.status?.running;
  const shown = view.use();
  const heading = useHeading(shown);
  const status = now.status;
  const out = now.state === "no token" || now.state === "wrong token";
  useEffect(() => {
    document.title = `${shown.title} – ${status?.name ?? "Tacit agent"}`;
  }, [shown, status?.name]);
  return (
    <>
      <header>
        <a class="skip" href={`#/${shown.path}`} onClick={(event) => (event.preventDefault(), heading.current?.focus())}>
          Skip to content
        </a>
        <div class="brand">
          <span class={`light ${now.state === "there" ? "on" : "off"}`} aria-hidden="true" />
          <strong>{status?.name ?? "Tacit agent"}</strong>
          <span class="soft">{status?.title}</span>
        </div>
        {!out && (
          <nav aria-label="Views">
            {views.map((one) => (
              <a key={one.path} href={`#/${one.path}`} aria-current={one === shown ? "page" : undefined}>
                {one.title}
                {one.path === "overview" && busy && <span class="busy" aria-label=" (a run is in progress)" role="img" />}
              </a>
            ))}
          </nav>
        )}
      </header>
      <main>
        <Gone now={now} />
        <h1 tabIndex={-1} ref={heading}>
          {out ? "Tacit agent" : shown.title}
        </h1>
        {out ? (
          <HowToGetIn wrong={now.state === "wrong token"} />
        ) : status ? (
          <shown.View status={status} />
        ) : (
          now.state === "starting" && <p class="soft">Loading …</p>
        )}
      </main>
      <footer class="soft">
        Times are in your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}. Monthly totals and daily limits use UTC.
      </footer>
    </>
  );
}
