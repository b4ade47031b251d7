// The numbers of a model's kernels by name, such as se.signal, or se.lengthscale[2] for the third column of the data.
import type { Column, Prior } from "./types";

const ofColumn = /^(.+)\.lengthscale\[\d+\]$/;

// The length-scales by column, for each kernel that has one for every column.
export function lengthscalesOf({ numbers }: Prior): [string, number[]][] {
  const found = new Map<string, number[]>();
  for (const [name, value] of Object.entries(numbers)) {
    const kernel = ofColumn.exec(name)?.[1];
    if (kernel !== undefined) found.set(kernel, [...(found.get(kernel) ?? []), value]);
  }
  return [...found];
}

export const otherNumbersOf = ({ numbers }: Prior) => Object.entries(numbers).filter(([name]) => !ofColumn.test(name));

// The columns of the model: a category becomes one column for each level.
export const columnsOf = (inputs: Column[]) =>
  inputs.flatMap(({ name, levels }) => (levels?.length ? levels.map((level) => `${name}=${level}`) : [name]));
