// What the agent is doing, as it tells it. When it goes away this tries again until it is back.
import { useEffect, useState } from "preact/hooks";
import { ask, forgetToken, get, hasToken, readEvents, Refused } from "./api";
import { Store } from "./store";
import type { Status } from "./types";

export interface Live {
  state: "starting" | "there" | "gone" | "no token" | "wrong token";
  status: Status | null; // the last that was heard
  since: Date | null; // when it went away
  why: string;
}

export const live = new Store<Live>({ state: "starting", status: null, since: null, why: "" });

// The agent speaks at least every 15 seconds; a machine that sleeps or a cable that is out says nothing at all.
const longest_silence = 40_000;
const pauses = [100, 500, 1000, 2000, 5000];

let session = new AbortController();

// Begins anew with the token that there is now.
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
    // Not after the first time: an agent that reloads is back at once.
    if (failures > 0) say({ state: "gone", since: went, why });
    await new Promise((go) => setTimeout(go, pauses[Math.min(failures, pauses.length - 1)]));
  }
}

// A tab that nobody sees asks for nothing: browsers have few connections to one machine, and its other tabs need them.
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

// What the agent says to `path`; asked again whenever `when` changes and when the agent is back.
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
