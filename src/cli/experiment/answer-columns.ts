import { type AnswerSplit, answerSplits } from "../../analysis/ensemble-experiment-answers.js";
import {
  type ColumnKind,
  oneOf,
  optionalAnswer,
  optionalText,
  text,
} from "../../files/table-columns.js";

/** A list of numbers; in a format that knows text only, as JSON. */
function list<Value extends number | null>({
  isRequired,
  accepts,
  expected,
}: {
  readonly isRequired: boolean;
  accepts(value: unknown): value is Value;
  readonly expected: string;
}): ColumnKind<readonly Value[] | null> {
  return {
    isRequired,
    read(cell, { isText }) {
      const value = isText && typeof cell === "string" ? parsed(cell) : cell;
      if (value === null || value === undefined || value === "") {
        return isRequired ? { expected } : { value: null };
      }
      const items =
        Array.isArray(value) || ArrayBuffer.isView(value) ? [...(value as unknown[])] : [];
      return items.length > 0 && items.every(accepts) ? { value: items } : { expected };
    },
  };
}

function parsed(cell: string): unknown {
  if (cell.trim() === "") return null;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

const isProbability = (value: unknown): value is number | null =>
  value === null || (typeof value === "number" && value >= 0 && value <= 1);
const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) <= 1e300;

const split: ColumnKind<AnswerSplit | undefined> = {
  isRequired: false,
  read: (cell, about) =>
    cell === undefined || cell === null || cell === ""
      ? { value: undefined }
      : oneOf(answerSplits).read(cell, about),
};

/** The columns of a table of answers. */
export const answerColumns = {
  id: text,
  label: optionalAnswer,
  probabilities: list({
    isRequired: true,
    accepts: isProbability,
    expected: "a list of numbers from 0 to 1, null for no answer,",
  }),
  embedding: list({
    isRequired: false,
    accepts: isNumber,
    expected: "a list of numbers or nothing",
  }),
  split,
  group: optionalText,
  prompt: optionalText,
  world: optionalText,
};
