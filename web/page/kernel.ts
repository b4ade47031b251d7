// Parses the text of a model's kernel, such as se-ard(lengthscale=[1, 2], signal=3) + linear(signal=0.5).
import type { Column } from "./types";

export interface Part {
  name: string;
  lengthscales: number[]; // one for each column; empty if all columns share one
  numbers: [string, number][];
}

export function partsOf(kernel: string): Part[] {
  return [...kernel.matchAll(/([a-z][a-z0-9-]*)\(([^()]*)\)/g)].map(([, name, inside]) => {
    const part: Part = { name: name!, lengthscales: [], numbers: [] };
    for (const [, key, list, single] of inside!.matchAll(/(\w+)=(?:\[([^\]]*)\]|([^,\s]+))/g))
      if (list !== undefined) part.lengthscales = list.split(",").map(Number);
      else part.numbers.push([key!, Number(single)]);
    return part;
  });
}

// The columns of the model: a category becomes one column for each level.
export const columnsOf = (inputs: Column[]) =>
  inputs.flatMap(({ name, levels }) => (levels?.length ? levels.map((level) => `${name}=${level}`) : [name]));
