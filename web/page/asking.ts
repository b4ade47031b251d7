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
export const outcome = new Store<Outcome | null>(null);

const results = { fit: "fitted", evaluate: "evaluated", predict: "predicted" } as const;

export async function start(kind: Kind, body: unknown) {
  if (asking.get()) return;
  const change = (what: Partial<Asking>) => asking.set({ ...asking.get()!, ...what });
  const broken = "The agent broke off before there was a result; see its log.";
  let end: Outcome = { kind, error: broken, stopped: false };
  outcome.set(null);
  asking.set({ kind, ask: "", words: "asking the agent", stopping: false });
  try {
    await readEvents(await ask(kind, body), (name, data) => {
      if (name === "ask") change({ ask: data.ask });
      if (name === "words") change({ words: data.words });
      if (name === "error") end = { kind, error: data.error, stopped: data.stopped };
      if (name === "result") end = { kind, error: "", stopped: false, [results[kind]]: data };
    });
  } catch (error) {
    if (error instanceof Refused) end = { kind, error: error.message, stopped: false };
  }
  asking.set(null);
  outcome.set(end);
}

// Asks the agents to stop; the outcome then says what had happened.
export async function stop() {
  const now = asking.get();
  if (!now || now.ask === "") return;
  asking.set({ ...now, stopping: true });
  await ask("stop", { ask: now.ask }).catch((error) => {
    const still = asking.get();
    if (still) asking.set({ ...still, stopping: false, words: error.message });
  });
}

// What runs, in words: what was asked here, or what somebody else has asked for.
export const runningWords = () => asking.get()?.words ?? live.get().status?.running ?? "";
