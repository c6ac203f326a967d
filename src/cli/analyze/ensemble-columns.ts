import { ensembleSplits } from "../../analysis/ensemble-rows.js";
import {
  type ColumnKind,
  oneOf,
  optionalAnswer,
  optionalText,
  text,
} from "../../files/table-columns.js";

/** A list, as JSON where the format knows text only; null where the cell is empty. */
function listOf<Item>(
  isItem: (item: unknown) => item is Item,
  expected: string,
): ColumnKind<readonly Item[] | null> {
  return {
    isRequired: false,
    read(cell) {
      const value = typeof cell === "string" ? parsed(cell) : cell;
      if (value === undefined || value === null) return { value: null };
      const items: unknown[] | undefined =
        Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array
          ? [...value]
          : undefined;
      return items?.every(isItem) && items.length > 0 ? { value: items } : { expected };
    },
  };
}

/** Nothing of an empty cell; text that is no JSON stays text, and is no list. */
function parsed(cell: string): unknown {
  if (cell.trim() === "") return undefined;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

const isNumber = (item: unknown): item is number =>
  typeof item === "number" && Math.abs(item) <= 1e300;
const isShare = (item: unknown): item is number => isNumber(item) && item >= 0;
const isAnswer = (item: unknown): item is number | null =>
  item === null || (isShare(item) && item <= 1);

/** The columns of `analyze ensemble`. */
export const ensembleColumns = {
  id: text,
  split: oneOf(ensembleSplits),
  label: optionalAnswer,
  probabilities: {
    ...listOf(isAnswer, "a list of numbers from 0 to 1, null for no answer, such as [0.8, null]"),
    isRequired: true,
  },
  embedding: listOf(isNumber, "a list of numbers, such as [0.1, -0.3], or nothing"),
  membership: listOf(isShare, "a list of numbers from 0 on, such as [0.9, 0.1], or nothing"),
  prompt: optionalText,
};
