// What runs now, and the button that stops what was asked here.
import { asking, runningWords, stop } from "./asking";
import { live } from "./live";
import { Announced } from "./parts";
import { plural } from "../shared/words";

const names = { fit: "Your fit", evaluate: "Your evaluation", predict: "Your prediction" };

export function Running() {
  const mine = asking.use();
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
            <strong>{mine ? names[mine.kind] : "Asked by an agent"}</strong>: {words}
          </p>
          <progress aria-label="It runs" />
        </>
      )}
      {waiting > 0 && <p class="soft">{plural(waiting, "run")} waiting for a turn.</p>}
      {mine && (
        <p>
          <button type="button" class="danger" onClick={stop} disabled={mine.stopping || mine.ask === ""}>
            {mine.stopping ? "Stopping …" : "Stop"}
          </button>
        </p>
      )}
      <Announced words={short} />
    </div>
  );
}
