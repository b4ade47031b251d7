// Requests of this page. Only one runs at a time, as between agents. It continues while another view is shown.
import { ask, readEvents, Refused } from "./api";
import { live } from "./live";
import { Store } from "./store";
import type { Evaluated, Fitted, Predicted } from "./types";

export type Kind = "fit" | "evaluate" | "predict";

export interface Asking {
  kind: Kind;
  ask: string; // the name of the request; "" until the agent has sent it
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

// The name of a request from before this tab was reloaded. The agents continue it, so it can still be stopped.
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
  asking.set({ kind, ask: "", words: "waiting for the agent", stopping: false });
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
  // A response that breaks off, for example when the tab is reloaded, does not end the request: the agents may continue
  // it.
  if (end) forget();
  else askedBefore.set(sessionStorage.getItem(kept) ?? "");
  asking.set(null);
  outcome.set(end ?? { kind, error: "The connection to the agent was lost. The overview shows whether the request is still running.", stopped: false });
}

// Asks the agents to stop. The outcome then reports how the request ended.
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

// Describes the current run, whether it was requested on this page or elsewhere.
export const runningWords = () => asking.get()?.words ?? live.get().status?.running ?? "";
