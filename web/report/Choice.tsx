// A menu of names. It is omitted if there is only one.
interface Options {
  words: string;
  names: string[];
  chosen: number;
  choose: (place: number) => void;
}

export function Choice({ words, names, chosen, choose }: Options) {
  if (names.length < 2) return null;
  return (
    <label class="choice">
      {words}
      <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {names.map((name, k) => (
          <option key={k} value={k}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
