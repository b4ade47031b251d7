// The result in one sentence, and the four numbers that matter most for a decision.
import { promise } from "./promise";
import type { Simulate } from "./result";
import { known, list, percent, plural, rounded } from "./words";

interface Big {
  number: string;
  words: string;
}

const less = (share: number) => `${percent(Math.abs(share))} ${share >= 0 ? "smaller" : "larger"}`;

export function headline({ accuracy, agents, targets, predictions }: Simulate): string {
  const what = targets.length > 3 ? plural(targets.length, "target") : list(targets),
    who = plural(agents, "party", "parties");
  if (!accuracy || !known(accuracy.private) || !known(accuracy.local))
    return `Together, ${who} predicted ${what} at ${plural(predictions.length, "point")}.`;
  const gain = 1 - accuracy.private / accuracy.local;
  if (Math.abs(gain) < 0.005) return `Together, ${who} predict ${what} about as well as each of them alone.`;
  return `Together, ${who} predict ${what} with an error ${less(gain)} than alone.`;
}

function bigNumbers(result: Simulate): Big[] {
  const { accuracy, agents, privacy } = result,
    numbers: Big[] = [];
  if (accuracy && known(accuracy.private)) {
    const { private: together, local, pooled } = accuracy;
    numbers.push({
      number: rounded(together),
      words: `error together (RMSE on ${plural(result.predictions.length, "test row")}); the average error alone is ${rounded(local)}`,
    });
    if (known(pooled)) {
      const gap = together / pooled - 1;
      numbers.push({
        number: percent(Math.abs(gap)),
        words: `${gap >= 0 ? "above" : "below"} the error of one model on all rows, which is ${rounded(pooled)}`,
      });
    }
    numbers.push({
      number: percent(accuracy.calibration.private.coverage),
      words: "of the true values are inside the 95 % intervals",
    });
  } else
    numbers.push({
      number: String(result.predictions.length),
      words: "points predicted; their true values are unknown",
    });
  const { bound, words } = promise(privacy, agents);
  numbers.push({ number: `${Math.max(bound, 1)} of ${agents}`, words });
  return numbers;
}

export function Answer({ result }: { result: Simulate }) {
  return (
    <dl class="big">
      {bigNumbers(result).map((one) => (
        <div key={one.words}>
          <dt>{one.words}</dt>
          <dd>{one.number}</dd>
        </div>
      ))}
    </dl>
  );
}
