import { type ColumnKind, isNotAvailable } from "./columns.js";

/**
 * A column of lists; null where the cell is empty. A list is an array or, where the cell is text, as
 * in CSV, one in JSON. An item that says that there is none, such as n/a, is null where it is no item itself.
 *
 * @param options.mustBeFilled whether an empty cell is refused, too.
 */
export function listColumn<Item>({
  isItem,
  expected,
  isRequired = false,
  mustBeFilled = false,
}: {
  readonly isItem: (item: unknown) => item is Item;
  readonly expected: string;
  readonly isRequired?: boolean;
  readonly mustBeFilled?: boolean;
}): ColumnKind<readonly Item[] | null> {
  return {
    isRequired,
    read(cell) {
      const value = typeof cell === "string" ? parsed(cell) : cell;
      if (value === undefined || value === null)
        return mustBeFilled ? { expected } : { value: null };
      const given = Array.isArray(value) || isNumbers(value) ? [...(value as unknown[])] : [];
      const items = given.map((item) => (!isItem(item) && isNotAvailable(item) ? null : item));
      return items.length > 0 && items.every(isItem) ? { value: items } : { expected };
    },
  };
}

/** As Parquet has lists of numbers. */
const isNumbers = (value: unknown) =>
  value instanceof Float32Array || value instanceof Float64Array;

/** Nothing of an empty cell. Text that is no JSON, or the word null, stays text and is no list. */
function parsed(cell: string): unknown {
  if (cell.trim() === "") return undefined;
  try {
    return JSON.parse(cell) ?? cell;
  } catch {
    return cell;
  }
}

/** Beyond it sums and differences could be infinite. */
const largest = 1e300;

export const isNumberItem = (item: unknown): item is number =>
  typeof item === "number" && Math.abs(item) <= largest;

/** P(yes) of one prompt; null where it gave no answer. */
export const isAnswerItem = (item: unknown): item is number | null =>
  item === null || (typeof item === "number" && item >= 0 && item <= 1);
