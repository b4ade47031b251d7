// How private it was: who learns what, how many numbers were opened, and what nobody promises.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { bars } from "./plots";
import { promise } from "./promise";
import type { Simulate } from "./result";
import { count, known, percent, plural, rounded } from "./words";

function Opened({ result }: { result: Simulate }) {
  const landmarks = result.landmarks!,
    rows = [
      { name: "rows hold", value: landmarks.held, note: count(landmarks.held) },
      {
        name: "the fit opened",
        value: landmarks.opened_by_the_fit,
        note: count(landmarks.opened_by_the_fit),
      },
      { name: "landmarks opened", value: landmarks.opened, note: count(landmarks.opened) },
    ];
  const draw = useCallback((width: number) => bars(rows, "numbers", width), [result]);
  return (
    <Chart
      title="Numbers opened, numbers held"
      draw={draw}
      label={`Landmarks opened ${landmarks.opened} numbers; all rows hold ${landmarks.held}.`}
      numbers={{
        caption: "Numbers opened and held",
        columns: ["what", "numbers"],
        rows: rows.map((one) => [one.name, one.value]),
      }}
    >
      <p>
        The sum over {plural(landmarks.count, "landmark")} opened {percent(landmarks.opened / landmarks.held)}{" "}
        of as many numbers as all rows hold. They are totals over everybody’s rows.{" "}
        {landmarks.opened <= landmarks.held / 4 ? "That is within" : "That is above"} the ceiling of a
        quarter, up to which our attack found no row; counting numbers is a rule, not a proof. The ceiling is for
        landmarks alone: the whole fit, with scales and the search, opened{" "}
        {percent(landmarks.opened_by_the_fit / landmarks.held)}.
      </p>
    </Chart>
  );
}

export function Private({ result }: { result: Simulate }) {
  const { privacy, agents } = result;
  return (
    <section>
      <h2>How private it is</h2>
      <p>{promise(privacy, agents).sentence}</p>
      {!privacy.trajectory_safe && privacy.sentences && (
        <ul>
          {privacy.sentences.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {known(result.rmse?.mean) && (
        <p>
          Privacy does not blur the answer: means differ from those of the same computation in the open by{" "}
          {rounded(result.rmse.mean)} (RMSE).
        </p>
      )}
      {privacy.learns && privacy.learns.length > 0 && (
        <>
          <h3>Who learns what</h3>
          <dl class="terms who">
            {privacy.learns.map((one, k) => (
              <div key={k}>
                <dt>{one.who}</dt>
                <dd>{one.what}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {result.landmarks && <Opened result={result} />}
      {privacy.not_promised && privacy.not_promised.length > 0 && (
        <>
          <h3>What nobody promises</h3>
          <ul>
            {privacy.not_promised.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
