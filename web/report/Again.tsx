// How to get the same again: release, command, seed and the files that were read.
import { useState } from "preact/hooks";
import type { About } from "./result";
import { Table } from "./Table";

function Copy({ text }: { text: string }) {
  const [said, say] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say("Copied."),
      () => say("The browser does not allow it; mark the line and copy it."),
    );
  return (
    <p class="copy">
      <button type="button" onClick={copy}>
        Copy
      </button>{" "}
      <span role="status">{said}</span>
    </p>
  );
}

export function Again({ about }: { about: About | undefined }) {
  if (!about) return null;
  const facts = (
    [
      ["release", about.release],
      ["seed", about.seed],
      ["made", about.made_at],
      ["model", about.model && `version ${about.model.version}, ${about.model.digest}`],
    ] as const
  ).filter(([, value]) => value !== undefined && value !== null);
  return (
    <section>
      <h2>How to get it again</h2>
      {about.line && (
        <>
          <p>
            {about.command === "evaluate"
              ? "This line asks again; the numbers are the same as long as the agents have the same model and rows:"
              : "The same release, the same files and this line give the same numbers, except for seconds:"}
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
          caption="Files that were read; sha256sum tells whether yours are the same"
          columns={["file", "SHA-256"]}
          rows={about.data.map((one) => [one.file, one.sha256])}
        />
      )}
    </section>
  );
}
