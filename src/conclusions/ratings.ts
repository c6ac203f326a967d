import { type ColumnKind, rating } from "../tables/columns.js";
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

/** The mean of the numbers that were given; null where none was. */
export function meanOf(numbers: readonly (number | null)[]): number | null {
  const given = numbers.filter((number) => number !== null);
  return given.length === 0 ? null : given.reduce((sum, number) => sum + number, 0) / given.length;
}
