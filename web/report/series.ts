// The four models that a simulation compares, with one order, colour and description for all charts.
import type { Models, Quality, Series, Simulate } from "./result";

export interface SeriesWords {
  key: Series;
  field: keyof Models;
  label: string;
  colour: string;
  symbol: string;
  means: string;
}

const all: SeriesWords[] = [
  {
    key: "alone",
    field: "local",
    label: "alone",
    colour: "var(--alone)",
    symbol: "circle",
    means: "each party with only its own rows, and the length-scales and noise that all parties use",
  },
  {
    key: "at_home",
    field: "at_home",
    label: "at home",
    colour: "var(--home)",
    symbol: "square",
    means: "each party with the shared model and its own rows; no other party learns about the request",
  },
  {
    key: "together",
    field: "private",
    label: "together",
    colour: "var(--together)",
    symbol: "diamond",
    means: "all parties are asked; they see the inputs, and no party sees another party’s answer",
  },
  {
    key: "pooled",
    field: "pooled",
    label: "pooled",
    colour: "var(--pooled)",
    symbol: "triangle",
    means: "one model on all rows, for which the parties would have to share their data",
  },
];

// Without landmarks there is no shared model at home. The pooled model is not computed for many rows.
export function seriesOf(result: Simulate): SeriesWords[] {
  const models = result.accuracy?.calibration;
  return all.filter(({ key, field }) => models?.[field] && (key !== "at_home" || result.landmarks));
}

export const quality = (models: Models | undefined, series: SeriesWords): Quality | undefined =>
  models?.[series.field] ?? undefined;
