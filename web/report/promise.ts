// What a coalition of how many agents cannot do, in words that hold. With exact sums, or where noise hides all states, that is
// to learn anything but totals. Where rounds tell more it is only to work out somebody's value.
import { plural } from "./words";

export interface Promised {
  collusion: number;
  withstands_all_rounds?: number;
  trajectory_safe?: boolean;
}

interface Promise {
  bound: number; // so many may join forces
  words: string; // what holds then, after "8 of 10"
  sentence: string;
}

const some = (bound: number, agents: number) =>
  bound === 1 ? `A single one of ${plural(agents, "agent")}` : `Up to ${bound} of ${plural(agents, "agent")} together`;

export function promise(privacy: Promised, agents: number): Promise {
  const values = privacy.withstands_all_rounds ?? 0;
  if (privacy.trajectory_safe) {
    const bound = Math.min(privacy.collusion, privacy.withstands_all_rounds ?? privacy.collusion);
    if (bound > 0)
      return {
        bound,
        words: "parties may join forces and still learn nothing but the totals",
        sentence: `${some(bound, agents)} can learn nothing but the totals.`,
      };
  } else if (values > 0)
    return {
      bound: values,
      words: "parties may join forces without working out anybody’s value; but they learn more than the totals",
      sentence: `${some(values, agents)} cannot work out anybody’s value, but can learn more than the totals.`,
    };
  return {
    bound: 0,
    words: "parties is enough to learn more than the totals",
    sentence: "A single agent can learn more than the totals.",
  };
}
