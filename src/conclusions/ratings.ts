import type { NumberLists } from "../core/number-lists.js";
import { type ColumnKind, type ListKind, rating } from "../tables/columns.js";
import { isNumberItem, listColumn } from "../tables/list-column.js";

/** A cell of people's judgement: a number, several, or null where nobody gave one. */
export type Judged = number | null | readonly (number | null)[];

const ratingList = listColumn({
  isItem: (item): item is number | null => item === null || isNumberItem(item),
  expected: "a number, a list of numbers or nothing",
  isRequired: true,
});

/** A rating, or a list of several; null where nobody gave one. */
export const ratings: ColumnKind<Judged> = {
  isRequired: true,
  read(cell, about) {
    const one = rating.read(cell, about);
    if ("value" in one) return one;
    const several = ratingList.read(cell, about);
    return "value" in several ? several : one;
  },
};

/** The same in a table in columns; a row without one has a list of no answer. */
export const ratingLists: ListKind<readonly (number | null)[]> = {
  holds: "lists",
  isRequired: true,
  ...(rating.isNumber && { isNumber: rating.isNumber }),
  read(cell, about) {
    const read = ratings.read(cell, about);
    if (!("value" in read)) return read;
    return {
      value: typeof read.value === "object" && read.value !== null ? read.value : [read.value],
    };
  },
};

/** The mean of the numbers that were given; null where none was. */
export function meanOf(numbers: readonly (number | null)[]): number | null {
  const given = numbers.filter((number) => number !== null);
  return given.length === 0 ? null : given.reduce((sum, number) => sum + number, 0) / given.length;
}

/** The mean of each list's numbers; NaN where it has none. */
export function meansOf({ start, values }: NumberLists): Float64Array {
  const means = new Float64Array(start.length - 1);
  for (let row = 0; row < means.length; row++) {
    let sum = 0;
    let count = 0;
    for (let at = start[row] ?? 0; at < (start[row + 1] ?? 0); at++) {
      const value = values[at] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    means[row] = sum / count;
  }
  return means;
}
