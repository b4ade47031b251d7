// Formats numbers and lists. Sentences round numbers; tables show every digit.
import type { Maybe } from "./result";

// As in the JSON: JavaScript prints the shortest text that parses to the same number.
export const digits = (value: Maybe<number | string>) =>
  value === null || value === undefined ? "–" : String(value);

const minus = (text: string) => text.replace("-", "−");

export function rounded(value: Maybe<number>, places = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) {
    const [front, power] = value.toExponential(places - 1).split("e");
    return `${minus(String(Number(front)))} × 10${[...String(Number(power))].map((one) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(one)] ?? "⁻").join("")}`;
  }
  if (size >= 10 ** places || Number.isInteger(value)) return minus(Math.round(value).toLocaleString("en"));
  return minus(
    value.toLocaleString("en", { minimumSignificantDigits: places, maximumSignificantDigits: places }),
  );
}

export { count, plural } from "../shared/words";

// Shares just below 100 % are not rounded up to it, and small shares are not rounded down to 0 %.
export function percent(share: Maybe<number>): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "–";
  const all = 100 * share;
  if (all > 0 && all < 1) return `${all.toPrecision(1)} %`;
  return `${all > 99 && all < 100 ? all.toFixed(1) : Math.round(all)} %`;
}

const scaled = (value: number, base: number, units: string[]) => {
  let k = 0;
  while (value >= base && k + 1 < units.length) ((value /= base), ++k);
  return `${rounded(value)} ${units[k]}`;
};
export const bytes = (value: number) => scaled(value, 1000, ["bytes", "kB", "MB", "GB", "TB"]);
export const seconds = (value: number) =>
  value < 1 && value > 0 ? scaled(value * 1e6, 1000, ["µs", "ms"]) : `${rounded(value)} s`;

export function list(words: string[], most = 8): string {
  const shown = words.length > most ? [...words.slice(0, most), `${words.length - most} more`] : words;
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

// Math.min(...values) would overflow the stack for many values.
export const extent = (values: number[]) =>
  values.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)] as const, [
    Infinity,
    -Infinity,
  ] as const);

export const short = (name: string, most: number) =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name;
export const known = (value: Maybe<number>): value is number =>
  typeof value === "number" && Number.isFinite(value);
