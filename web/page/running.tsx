// The current run, and the button that stops a request of this page.
import { asking, askedBefore, runningWords, stop } from "./asking";
import { live } from "./live";
import { Announced } from "./parts";
import { plural } from "../shared/words";

const names = { fit: "Your fit", evaluate: "Your evaluation", predict: "Your prediction" };

export function Running() {
  const mine = asking.use();
  const before = askedBefore.use() !== "";
  const waiting = live.use().status?.runs.waiting ?? 0;
  const words = runningWords();
  const short = words.split(":")[0]!;
  return (
    <div class="running">
      {words === "" ? (
        <p>Nothing is running.</p>
      ) : (
        <>
          <p>
            <strong>{mine ? names[mine.kind] : before ? "Your earlier request" : "Current run"}</strong>: {words}
          </p>
          <progress aria-label="Run in progress" />
        </>
      )}
      {waiting > 0 && <p class="soft">Waiting: {plural(waiting, "run")}.</p>}
      {words !== "" && (mine || before) && (
        <p>
          <button type="button" class="danger" onClick={stop} aria-disabled={mine?.stopping || mine?.ask === ""}>
            {mine?.stopping ? "Stopping …" : "Stop"}
          </button>
        </p>
      )}
      <Announced words={short} />
    </div>
  );
}
