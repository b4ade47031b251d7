// How many agents can collude, and what they still cannot learn. With exact sums, or where noise hides all states, they
// learn nothing but totals. Where rounds reveal more, only the value of each other agent stays hidden.
import { plural } from "./words";

export interface Promised {
  collusion: number;
  withstands_all_rounds?: number;
  trajectory_safe?: boolean;
}

interface Promise {
  bound: number; // this many agents can collude
  words: string; // the guarantee, to follow "8 of 10"
  sentence: string;
}

const some = (bound: number, agents: number) =>
  bound === 1 ? `A single agent of ${agents}` : `Up to ${bound} of ${plural(agents, "agent")} together`;

export function promise(privacy: Promised, agents: number): Promise {
  const values = privacy.withstands_all_rounds ?? 0;
  if (privacy.trajectory_safe) {
    const bound = Math.min(privacy.collusion, privacy.withstands_all_rounds ?? privacy.collusion);
    if (bound > 0)
      return {
        bound,
        words: "parties can collude and still learn nothing but the totals",
        sentence: `${some(bound, agents)} can learn nothing but the totals.`,
      };
  } else if (values > 0)
    return {
      bound: values,
      words: "parties can collude without determining the value of another party, but they learn more than the totals",
      sentence: `${some(values, agents)} cannot determine the value of another agent, but can learn more than the totals.`,
    };
  return {
    bound: 0,
    words: "parties is enough to learn more than the totals",
    sentence: "A single agent can learn more than the totals.",
  };
}
