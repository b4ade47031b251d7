// Follows the status of the agent. After a lost connection it retries until the agent responds.
import { useEffect, useState } from "preact/hooks";
import { ask, forgetToken, get, hasToken, readEvents, Refused } from "./api";
import { Store } from "./store";
import type { Status } from "./types";

export interface Live {
  state: "starting" | "there" | "gone" | "no token" | "wrong token";
  status: Status | null; // the last one received
  since: Date | null; // when the connection was lost
  why: string;
}

export const live = new Store<Live>({ state: "starting", status: null, since: null, why: "" });

// The agent sends an event at least every 15 seconds. A machine that sleeps or is unplugged does not close the
// connection.
const longest_silence = 40_000;
const pauses = [100, 500, 1000, 2000, 5000];

let session = new AbortController();

// Restarts with the current token.
export async function follow() {
  session.abort();
  const mine = (session = new AbortController());
  const say = (change: Partial<Live>) => mine === session && live.set({ ...live.get(), ...change });
  if (!hasToken()) return say({ state: "no token" });
  let went: Date | null = null;
  for (let failures = 0; mine === session; ++failures) {
    const stop = new AbortController();
    mine.signal.addEventListener("abort", () => stop.abort());
    let silence = setTimeout(() => stop.abort(), longest_silence);
    let why = "";
    try {
      await readEvents(await ask("events", undefined, stop.signal), (name, data) => {
        clearTimeout(silence);
        silence = setTimeout(() => stop.abort(), longest_silence);
        if (name === "error") why = data.error;
        if (name !== "status") return;
        failures = 0;
        went = null;
        say({ state: "there", status: data, since: null, why: "" });
      });
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        forgetToken();
        return say({ state: "wrong token" });
      }
      if (error instanceof Refused && error.status !== 0) why = error.message;
    }
    clearTimeout(silence);
    went ??= new Date();
    // Not after the first failure: an agent that reloads responds again at once.
    if (failures > 0) say({ state: "gone", since: went, why });
    await new Promise((go) => setTimeout(go, pauses[Math.min(failures, pauses.length - 1)]));
  }
}

// A hidden tab closes its connection: browsers limit the connections to one host, and other tabs need them.
export function followWhileSeen() {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return void follow();
    session.abort();
    session = new AbortController();
  });
  follow();
}

export interface Answer<T> {
  value: T | null;
  error: string;
}

// The agent's answer to `path`. It is requested again when `when` changes and when the agent is back.
export function useAnswer<T>(path: string, when: unknown = ""): Answer<T> {
  const [answer, set] = useState<Answer<T>>({ value: null, error: "" });
  const there = live.use().state === "there";
  useEffect(() => {
    if (!there) return;
    let wanted = true;
    get<T>(path).then(
      (value) => wanted && set({ value, error: "" }),
      (error) => wanted && set((last) => ({ ...last, error: error.message })),
    );
    return () => void (wanted = false);
  }, [path, when, there]);
  return answer;
}
