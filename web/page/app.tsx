// The frame around all views: which agent, where to go, and whether it is there.
import { useEffect, useRef, useState } from "preact/hooks";
import { timeOfDay } from "../shared/words";
import { takeToken } from "./api";
import { Ask } from "./ask";
import { asking } from "./asking";
import { CharterView } from "./charter";
import { LedgerView } from "./ledger";
import { follow, live, type Live } from "./live";
import { Overview } from "./overview";
import { PolicyView } from "./policy";
import { RunsView } from "./runs";

const views = [
  { path: "overview", title: "Overview", View: Overview },
  { path: "ask", title: "Ask", View: Ask },
  { path: "charter", title: "Charter", View: CharterView },
  { path: "runs", title: "Runs", View: RunsView },
  { path: "ledger", title: "Ledger", View: LedgerView },
  { path: "policy", title: "Policy", View: PolicyView },
];

const here = () => views.find((one) => location.hash === `#/${one.path}`) ?? views[0]!;

// The view that the address names. Who goes to another one by keyboard or screen reader begins at its heading.
function useView() {
  const [view, setView] = useState(here());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const go = () => {
      if (takeToken()) follow();
      setView(here());
      scrollTo(0, 0);
      heading.current?.focus();
    };
    addEventListener("hashchange", go);
    return () => removeEventListener("hashchange", go);
  }, []);
  return { view, heading };
}

function Gone({ now }: { now: Live }) {
  return (
    <div role="alert">
      {now.state === "gone" && (
        <p class="banner">
          The agent does not answer since {timeOfDay(now.since!)}; trying again.{now.why && ` ${now.why}`}
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
      <p>Only the owner's own people may see what the agent does. On the agent's machine, this command prints the link; open it in this browser:</p>
      <pre><code>tacit page --agent agent.toml</code></pre>
      <p>Use the path of your own agent.toml. The link is a key: hand it to nobody.</p>
    </section>
  );
}

export function App() {
  const now = live.use();
  const busy = asking.use() !== null || !!now.status?.running;
  const { view, heading } = useView();
  const status = now.status;
  const out = now.state === "no token" || now.state === "wrong token";
  useEffect(() => {
    document.title = `${view.title} – ${status?.name ?? "Tacit agent"}`;
  }, [view, status?.name]);
  return (
    <>
      <header>
        <a class="skip" href={`#/${view.path}`} onClick={(event) => (event.preventDefault(), heading.current?.focus())}>To the content</a>
        <div class="brand">
          <span class={`light ${now.state === "there" ? "on" : "off"}`} aria-hidden="true" />
          <strong>{status?.name ?? "Tacit agent"}</strong>
          <span class="soft">{status?.title}</span>
        </div>
        {!out && (
          <nav aria-label="Views">
            {views.map((one) => (
              <a key={one.path} href={`#/${one.path}`} aria-current={one === view ? "page" : undefined}>
                {one.title}
                {one.path === "overview" && busy && <span class="busy" aria-label=" (something runs)" role="img" />}
              </a>
            ))}
          </nav>
        )}
      </header>
      <main>
        <Gone now={now} />
        <h1 tabIndex={-1} ref={heading}>{out ? "Tacit agent" : view.title}</h1>
        {out ? (
          <HowToGetIn wrong={now.state === "wrong token"} />
        ) : status ? (
          <view.View status={status} />
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
