// Draws the report in place of the summary that readers without scripts see.
import { render } from "preact";
import "../shared/theme.css";
import "./report.css";
import "./print.css";
import { headline as answer } from "./Answer";
import { AuditReport, headline as audited } from "./AuditReport";
import { EvaluateReport, headline as scored } from "./EvaluateReport";
import { LandmarksReport, headline as opened } from "./LandmarksReport";
import { ReproduceReport, headline as reproduced } from "./ReproduceReport";
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
  const { agents, rows, predictions } = result.of;
  return `${plural(agents, "party", "parties")} with ${plural(
    rows.reduce((sum, one) => sum + one, 0),
    "row",
  )}, tested on ${plural(predictions.length, "row")} that nobody learned from`;
}

function Report({ result }: { result: Result }) {
  const { kind, says, body } = parts(result),
    about = result.of.about;
  const facts = [who(result), about?.written_at && when(about.written_at), about?.release && `tacit ${about.release}`].filter(Boolean);
  return (
    <>
      <header>
        <p class="kind">{kind}</p>
        <h1>{says}</h1>
        {facts.length > 0 && <p class="facts">{facts.join(" · ")}</p>}
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
  place.replaceChildren(...summary); // better a short report than none
  throw error;
}
