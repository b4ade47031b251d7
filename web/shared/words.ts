// Formats numbers, times and lists as tacit status does.

export const count = (n: number) => n.toLocaleString("en-GB");
export const plural = (n: number, word: string, many = `${word}s`) => `${count(n)} ${n === 1 ? word : many}`;

export function size(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  let value = bytes / 1000;
  const units = ["kB", "MB", "GB", "TB"];
  while (value >= 999.5 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return `${Number(value.toPrecision(3))} ${units[0]}`;
}

export function duration(seconds: number): string {
  if (seconds < 1e-3) return `${Math.round(1e6 * seconds)} µs`;
  if (seconds < 1) return `${Number((1e3 * seconds).toPrecision(3))} ms`;
  if (seconds < 100) return `${Number(seconds.toPrecision(3))} s`;
  const minutes = seconds / 60;
  if (minutes < 100) return `${Math.round(minutes)} minutes`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 60 / 24)} days`;
}

// Four significant digits, without trailing zeros.
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const short = Number(value.toPrecision(4));
  const text =
    Math.abs(short) >= 1e6 || (short !== 0 && Math.abs(short) < 1e-4)
      ? String(short)
      : short.toLocaleString("en-GB", { maximumFractionDigits: 8 });
  return text.replace("-", "−");
}

export const percent = (share: number) => `${figure(Number((100 * share).toPrecision(3)))} %`;

// a, b and c
export const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

// A time in the reader's time zone, or the text unchanged if it is not a time.
export function when(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : day.format(date);
}
export const timeOfDay = (date: Date) => clock.format(date);
