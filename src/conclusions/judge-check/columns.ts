import type { RatingRow, VoteRow } from "../../analysis/judge-check/judge-rows.js";
import { InputError } from "../../core/errors.js";
import { decimalNumber } from "../../core/read-json.js";
import {
  isNotAvailable,
  optionalOneOf,
  optionalText,
  type RowOf,
  score,
  text,
} from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { rowsOf } from "../../tables/rows-of.js";
import type { RowProblem, Table, Tells } from "../../tables/shapes.js";
import { readTable } from "../../tables/table.js";
import { preferredSide } from "../preferred-side.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";

const kinds = {
  id: text,
  vote: optionalText,
  rating: optionalText,
  human: optionalText,
  swapped: optionalText,
  first: optionalOneOf(["a", "b"]),
  prompt: optionalText,
  a: optionalText,
  b: optionalText,
  trial: optionalText,
  reason: optionalText,
  degradation: optionalText,
  level: { ...score, isRequired: false },
};
type Kinds = typeof kinds;
type Cells = RowOf<Kinds>;

/** A judge's answers: votes on pairs, or ratings. */
export type JudgeRows = readonly VoteRow[] | readonly RatingRow[];

export const tells: Tells = { columns: { id: text, vote: text } };

/**
 * Reads a judge's answers. An answer that is none of the words for a, b and tie, or no number, can't be read and
 * counts as unparsed; what people say has to be one.
 *
 * @throws InputError as `readTable` does, for a table with neither column, and where no answer at all can be read
 *   though there are some.
 */
export async function readAnswers(given: GivenTable, inputs: Inputs): Promise<JudgeRows> {
  const name = tableName(given);
  const request = await tableRequest(given, inputs);
  const table = await readTable({ ...request, shape: { kinds, check: soundRows } });
  const cells = [...rowsOf(table, kinds)];
  const column = answerColumn(table);
  if (column === undefined) {
    throw new InputError(`Expected a column vote or rating in ${name}`, {
      hint: "If it has another name: --map vote=my_column. A sample: touchstone example judge-check",
    });
  }
  const said = cells.map((row) => row[column]).filter((cell) => cell !== undefined);
  const rows = column === "vote" ? cells.map(voteOf) : cells.map(ratingOf);
  const isRead = rows.some((row) => ("vote" in row ? row.vote : row.rating) !== null);
  if (said.length > 0 && !isRead && !said.every(isNotAvailable)) {
    throw new InputError(
      `Expected ${column === "vote" ? expectedVote : expectedRating} for ${column} in some row of ${name} but received ${quoted(said[0] ?? "")} and the like`,
      { hint: `If the answers are in another column: --map ${column}=my_column` },
    );
  }
  return rows;
}

const answerColumn = ({ has }: Pick<Table<Kinds>, "has">) =>
  has("vote") ? "vote" : has("rating") ? "rating" : undefined;

const expectedVote = "a, b, tie or nothing";
const expectedRating = "a number or nothing";

/** What people say, and answers in the other order, are words that can be read. */
function* soundRows(table: Table<Kinds>): Generator<RowProblem> {
  const column = answerColumn(table);
  if (column === undefined) return;
  const isVote = column === "vote";
  let row = 0;
  for (const cells of rowsOf(table, kinds)) {
    const { human } = cells;
    const isRead = isVote ? sideIn(human, cells) : numberIn(human);
    if (human !== undefined && !isNotAvailable(human) && isRead === null) {
      const expected = isVote ? expectedVote : expectedRating;
      yield { row, problem: `Expected ${expected} for human but received ${quoted(human)}` };
    }
    row += 1;
  }
}

const sideIn = (word: string | undefined, names: Pick<Cells, "a" | "b">) =>
  word === undefined ? null : (preferredSide(word.trim(), names) ?? null);

const numberIn = (word: string | undefined): number | null =>
  word === undefined ? null : (decimalNumber(word.trim()) ?? null);

/** Replies that decline, where somebody put them in place of an answer. */
const declined = /^(refus|declin|i['’]?m sorry|sorry|i can(no|['’])t|i am unable|as an ai)/i;

const isRefused = (answer: string | undefined, reason: string | undefined) =>
  reason === undefined ? declined.test(answer?.trim() ?? "") : declined.test(reason);

const sharedOf = ({ id, prompt, degradation, level }: Cells) => ({
  id,
  prompt,
  degradation,
  level,
});

function voteOf(cells: Cells): VoteRow {
  const { vote, human, swapped, first, a, b, reason } = cells;
  const read = sideIn(vote, cells);
  return {
    ...sharedOf(cells),
    vote: read,
    refused: read === null && isRefused(vote, reason),
    human: sideIn(human, cells),
    swapped: sideIn(swapped, cells),
    first,
    a,
    b,
  };
}

function ratingOf(cells: Cells): RatingRow {
  const { rating, human, reason } = cells;
  const read = numberIn(rating);
  return {
    ...sharedOf(cells),
    rating: read,
    refused: read === null && isRefused(rating, reason),
    human: numberIn(human),
  };
}
