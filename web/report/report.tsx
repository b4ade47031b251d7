// Replaces the summary, which is for readers without scripts, by the full report.
import { render } from "preact";
import "../shared/theme.css";
import "./report.css";
import "./print.css";
import { headline as answer } from "./Answer";
import { AuditReport, headline as audited } from "./AuditReport";
import { EvaluateReport, headline as scored } from "./EvaluateReport";
import { LandmarksReport, headline as opened } from "./LandmarksReport";
import { ReproduceReport, headline as reproduced } from "./reproduction/ReproduceReport";
import { read } from "./read";
import type { Result } from "./result";
import { SimulateReport } from "./SimulateReport";
import { openForPaper } from "./paper";
import { plural, when } from "../shared/words";

function parts(result: Result) {
  switch (result.kind) {
    case "simulate":
      return { kind: "Simulation", says: answer(result.of), body: <SimulateReport result={result.of} /> };
    case "audit":
      return { kind: "Audit", says: audited(result.of), body: <AuditReport result={result.of} /> };
    case "landmarks":
      return {
        kind: "Audit of landmarks",
        says: opened(result.of),
        body: <LandmarksReport result={result.of} />,
      };
    case "reproduce":
      return { kind: "Reproduction", says: reproduced, body: <ReproduceReport result={result.of} /> };
    case "evaluate":
      return { kind: "Evaluation", says: scored(result.of), body: <EvaluateReport result={result.of} /> };
  }
}

function who(result: Result): string {
  if (result.kind !== "simulate") return "";
  const { agents, rows, predictions, holdout, accuracy } = result.of;
  const all = plural(
    rows.reduce((sum, one) => sum + one, 0),
    "row",
  );
  const kept = holdout ? `, of which ${holdout.rows} were held out` : "";
  const asked = accuracy
    ? `tested on ${plural(predictions.length, "row")}`
    : `with predictions for ${plural(predictions.length, "point")}`;
  return `${plural(agents, "party", "parties")} with ${all}${kept}, ${asked}`;
}

const hasTruths = (result: Result) =>
  (result.kind === "simulate" && result.of.accuracy) || (result.kind === "evaluate" && result.of.points);

function Report({ result }: { result: Result }) {
  const { kind, says, body } = parts(result),
    about = result.of.about;
  const facts = [who(result), about?.made_at && when(about.made_at), about?.release && `tacit ${about.release}`].filter(Boolean);
  return (
    <>
      <header>
        <p class="kind">{kind}</p>
        <h1>{says}</h1>
        {facts.length > 0 && <p class="facts">{facts.join(" · ")}</p>}
        {hasTruths(result) && <p class="facts">This file contains true values of rows. Check who may see them before you share it.</p>}
      </header>
      {body}
    </>
  );
}

const place = document.getElementById("report")!,
  summary = [...place.childNodes];
try {
  const result = read(document.getElementById("result")!.textContent ?? "");
  place.replaceChildren();
  render(<Report result={result} />, place);
  openForPaper();
} catch (error) {
  place.replaceChildren(...summary); // a short report is better than an empty page
  throw error;
}
