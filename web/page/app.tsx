// The frame around all views: which agent, where to go, and whether it is there.
import { useEffect, useRef } from "preact/hooks";
import { timeOfDay } from "../shared/words";
import { asking } from "./asking";
import { live, type Live } from "./live";
import { view, views } from "./views";

// Who goes to another view by keyboard or screen reader begins at its heading.
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
            ? `The agent says since ${timeOfDay(now.since!)}: ${now.why}; trying again.`
            : `The agent does not answer since ${timeOfDay(now.since!)}; trying again.`}
          {now.status && " What is shown here is from before."}
        </p>
      )}
    </div>
  );
}

function HowToGetIn({ wrong }: { wrong: boolean }) {
  return (
    <section class="card">
      <h2>{wrong ? "This link does not hold any more" : "This page needs its link"}</h2>
      <p>
        Only the owner's own people may see what the agent does. On the agent's machine, this command prints the link; open it in this
        browser:
      </p>
      <pre>
        <code>tacit page --agent agent.toml</code>
      </pre>
      <p>Use the path of your own agent.toml. The link is a key: hand it to nobody.</p>
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
          To the content
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
                {one.path === "overview" && busy && <span class="busy" aria-label=" (something runs)" role="img" />}
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
          now.state === "starting" && <p class="soft">Asking the agent …</p>
        )}
      </main>
      <footer class="soft">
        Times are those of {Intl.DateTimeFormat().resolvedOptions().timeZone}, your time zone; ledger and daily counts go by UTC.
      </footer>
    </>
  );
}
