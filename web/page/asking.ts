// What was asked here: one thing at a time, as the agents do it. It goes on while other views are shown.
import { ask, readEvents, Refused } from "./api";
import { live } from "./live";
import { Store } from "./store";
import type { Evaluated, Fitted, Predicted } from "./types";

export type Kind = "fit" | "evaluate" | "predict";

export interface Asking {
  kind: Kind;
  ask: string; // its name, "" until the agent has told it
  words: string;
  stopping: boolean;
}

export interface Outcome {
  kind: Kind;
  error: string;
  stopped: boolean;
  fitted?: Fitted;
  evaluated?: Evaluated;
  predicted?: Predicted;
}

export const asking = new Store<Asking | null>(null);

// The name of what was asked before this tab was loaded anew: the agents go on with it, so it can still be stopped.
const kept = "tacit-asked";
export const askedBefore = new Store(sessionStorage.getItem(kept) ?? "");
live.watch(() => {
  if (live.get().status?.running === "" && askedBefore.get() !== "") forget();
});
function forget() {
  sessionStorage.removeItem(kept);
  askedBefore.set("");
}

export const outcome = new Store<Outcome | null>(null);

const results = { fit: "fitted", evaluate: "evaluated", predict: "predicted" } as const;

export async function start(kind: Kind, body: unknown) {
  if (asking.get()) return;
  const change = (what: Partial<Asking>) => asking.set({ ...asking.get()!, ...what });
  let end: Outcome | undefined;
  outcome.set(null);
  asking.set({ kind, ask: "", words: "asking the agent", stopping: false });
  try {
    await readEvents(await ask(kind, body), (name, data) => {
      if (name === "ask") {
        sessionStorage.setItem(kept, data.ask);
        change({ ask: data.ask });
      }
      if (name === "words") change({ words: data.words });
      if (name === "error") end = { kind, error: data.error, stopped: data.stopped };
      if (name === "result") end = { kind, error: "", stopped: false, [results[kind]]: data };
    });
  } catch (error) {
    if (error instanceof Refused) end = { kind, error: error.message, stopped: false };
  }
  // An answer that breaks off, as when the tab is loaded anew, ends nothing: the agents may go on.
  if (end) forget();
  else askedBefore.set(sessionStorage.getItem(kept) ?? "");
  asking.set(null);
  outcome.set(end ?? { kind, error: "The agent's answer broke off; the overview says whether it goes on.", stopped: false });
}

// Asks the agents to stop; the outcome then says what had happened.
export async function stop() {
  const now = asking.get();
  const name = now ? now.ask : askedBefore.get();
  if (name === "" || now?.stopping) return;
  if (now) asking.set({ ...now, stopping: true });
  await ask("stop", { ask: name }).catch((error) => {
    const still = asking.get();
    if (still) asking.set({ ...still, stopping: false, words: error.message });
  });
}

// What runs, in words: what was asked here, or what somebody else has asked for.
export const runningWords = () => asking.get()?.words ?? live.get().status?.running ?? "";
