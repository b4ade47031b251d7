// How to reproduce the result: release, command, seed and input files.
import { useState } from "preact/hooks";
import type { About } from "./result";
import { Table } from "./Table";

function Copy({ text }: { text: string }) {
  const [status, setStatus] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setStatus("Copied."),
      () => setStatus("The browser does not allow this. Select the line and copy it."),
    );
  return (
    <p class="copy">
      <button type="button" onClick={copy}>
        Copy
      </button>{" "}
      <span role="status">{status}</span>
    </p>
  );
}

export function HowToRepeat({ about }: { about: About | undefined }) {
  if (!about) return null;
  const facts = (
    [
      ["release", about.release],
      ["seed", about.seed],
      ["created", about.made_at],
      ["model", about.model && `version ${about.model.version}, ${about.model.digest}`],
    ] as const
  ).filter(([, value]) => value !== undefined && value !== null);
  return (
    <section>
      <h2>How to reproduce this result</h2>
      {about.line && (
        <>
          <p>
            {about.command === "evaluate"
              ? "This command evaluates again. The numbers are the same as long as the agents have the same model and rows:"
              : "With the same release and the same files, this command gives the same numbers, except for timings:"}
          </p>
          <pre tabIndex={0} aria-label="Command line">
            <code>{about.line}</code>
          </pre>
          <Copy text={about.line} />
        </>
      )}
      {facts.length > 0 && (
        <dl class="terms">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {about.data && about.data.length > 0 && (
        <Table
          caption="Input files. Use sha256sum to check that yours are the same."
          columns={["file", "SHA-256"]}
          rows={about.data.map((one) => [one.file, one.sha256])}
        />
      )}
    </section>
  );
}
