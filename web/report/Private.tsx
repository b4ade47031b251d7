// Privacy: who learns what, how many numbers were opened, and what is not guaranteed.
import { useCallback } from "preact/hooks";
import { Chart } from "./Chart";
import { bars } from "./plots";
import { promise } from "./promise";
import type { Simulate } from "./result";
import { count, known, percent, plural, rounded } from "./words";

function Opened({ result }: { result: Simulate }) {
  const landmarks = result.landmarks!,
    rows = [
      { name: "held by all rows", value: landmarks.held, note: count(landmarks.held) },
      {
        name: "opened by the fit",
        value: landmarks.opened_by_the_fit,
        note: count(landmarks.opened_by_the_fit),
      },
      { name: "opened by landmarks", value: landmarks.opened, note: count(landmarks.opened) },
    ];
  const draw = useCallback((width: number) => bars(rows, "numbers", width), [result]);
  return (
    <Chart
      title="Numbers opened and held"
      draw={draw}
      label={`Landmarks opened ${landmarks.opened} numbers; all rows hold ${landmarks.held}.`}
      numbers={{
        caption: "Numbers opened and held",
        columns: ["what", "numbers"],
        rows: rows.map((one) => [one.name, one.value]),
      }}
    >
      <p>
        The rows hold {count(landmarks.held)} numbers. The sums over {plural(landmarks.count, "landmark")} opened{" "}
        {count(landmarks.opened)} ({percent(landmarks.opened / landmarks.held)}). Each of them is a total over the rows of
        all parties. This is {landmarks.opened <= landmarks.held / 4 ? "within" : "above"} the ceiling of a quarter, up to
        which our attack found no row. The ceiling is a rule of thumb, not a proof. It is for landmarks only: the whole
        fit, with scales and the search, opened {percent(landmarks.opened_by_the_fit / landmarks.held)}.
      </p>
    </Chart>
  );
}

export function Private({ result }: { result: Simulate }) {
  const { privacy, agents } = result;
  return (
    <section>
      <h2>Privacy</h2>
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
          Compared with the same computation without privacy, the predicted means differ by{" "}
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
          <h3>What is not guaranteed</h3>
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
