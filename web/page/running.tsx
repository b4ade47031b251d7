// What runs now, and the button that stops what was asked here.
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
        <p>Nothing runs now.</p>
      ) : (
        <>
          <p>
            <strong>{mine ? names[mine.kind] : before ? "What you asked for before" : "Asked by an agent"}</strong>: {words}
          </p>
          <progress aria-label="It runs" />
        </>
      )}
      {waiting > 0 && <p class="soft">{plural(waiting, "run")} waiting for a turn.</p>}
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
