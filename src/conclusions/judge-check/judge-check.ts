import { mostSay } from "../../analysis/judge-check/checked-answers.js";
import { judgeCheck } from "../../analysis/judge-check/judge-check.js";
import type { RatingRow, VoteRow } from "../../analysis/judge-check/row-ratios.js";
import { GateError, InputError } from "../../core/errors.js";
import type { Arguments, Given } from "../../core/options.js";
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
import { type RowProblem, rowsOf, type Table } from "../../tables/shapes.js";
import { readTable } from "../../tables/table.js";
import { conclusion } from "../conclusion.js";
import { preferredSide } from "../preferred-side.js";
import { differentNames, intervalArguments } from "../shared-options.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";
import { judgeCheckView } from "./view.js";

const options = {
  family: {
    kind: "text",
    value: "NAME,…",
    description:
      "generators of the judge's own family, as a and b name them: does it favour their images beyond people?",
  },
  raters: {
    kind: "text",
    value: "A,B,…",
    description:
      "one column for each person, beside human or in its place: is the judge as good as one rater?",
  },
  "fail-on": {
    kind: "choice",
    choices: ["defect", "caution"],
    description: "exit 4 if there is such a finding (caution: either)",
  },
  ...intervalArguments,
} as const satisfies Arguments;

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

const answerColumn = ({ has }: Pick<Table<Kinds>, "has">) =>
  has("vote") ? "vote" : has("rating") ? "rating" : undefined;

const expectedVote = "a, b, tie or nothing";

const expectedRating = "a number or nothing";

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

export default conclusion({
  title: "Judge check",
  description:
    "Checks a judge's answers before it is trusted: unreadable answers, a constant answer, preference for a " +
    "place, contradictions, cycles, a narrow scale, favour for its own family, blindness to degraded copies, and " +
    "accuracy beside the best constant answer. Reads a table (JSONL, JSON, CSV or Parquet), a run of judge or " +
    "calibrate, or judge.json, whose answers lie beside it. Votes on pairs: id, vote (a, b or tie; what can't be " +
    "read counts as unparsed) and, optionally, human, swapped (the answer in the other order; a is still item a), " +
    "first (which was shown first; default: a), prompt, a and b (generators), reason; --raters names several " +
    "people's columns. Ratings: id, rating and, " +
    "optionally, human; repeated rows of an id are trials. degradation and level name degraded copies. " +
    "`touchstone example judge-check` prints a sample.",
  examples: [
    "touchstone judge check votes.csv",
    "touchstone judge check votes.jsonl --family dalle-3,gpt-image-1 --out check.html",
    "touchstone judge check votes.csv --fail-on defect --json",
    "touchstone example judge-check | touchstone judge check -",
  ],
  example: { shows: "a judge's votes on forty pairs in both orders, beside people's" },
  page: "check.html",
  options,
  read: readAnswers,
  conclude: (rows, { family, raters: _, ...given }) =>
    judgeCheck(rows, { ...given, family: family?.split(",").map((name) => name.trim()) }),
  view: judgeCheckView,
  async figure(found) {
    const { judgeCheckFigure } = await import("./figure.js");
    return judgeCheckFigure(found);
  },
  finish({ findings }, { "fail-on": least }) {
    const counted = findings.filter(
      ({ severity }) => least === "caution" || (least === "defect" && severity === "defect"),
    );
    const [first] = counted;
    if (first !== undefined) {
      throw new GateError(`Expected no ${least} but found ${counted.length}: ${first.text}`);
    }
  },
});

type Kinds = typeof kinds;

type Cells = RowOf<Kinds>;

/** A judge's answers: votes on pairs, or ratings. */
type JudgeRows = readonly VoteRow[] | readonly RatingRow[];

/**
 * Reads a judge's answers. An answer that is none of the words for a, b and tie, or no number, can't be read and
 * counts as unparsed; what people say has to be one.
 *
 * @throws InputError as `readTable` does, for a table with neither column, and where no answer at all can be read
 *   though there are some.
 */
async function readAnswers(
  given: GivenTable & Pick<Given<typeof options>, "raters">,
  inputs: Inputs,
): Promise<JudgeRows> {
  const name = tableName(given);
  const request = await tableRequest(given, inputs);
  const raters =
    given.raters === undefined
      ? []
      : differentNames("raters", given.raters, { hint: "Name their columns: --raters anna,ben" });
  const all: Kinds = {
    ...Object.fromEntries(raters.map((rater) => [rater, { ...optionalText, isRequired: true }])),
    ...kinds,
  };
  const check = (table: Table<Kinds>) => soundRows(table, all, ["human", ...raters]);
  const table = await readTable({ ...request, shape: { kinds: all, check } });
  const cells = [...rowsOf(table, all)];
  const column = answerColumn(table);
  if (column === undefined) {
    throw new InputError(`Expected a column vote or rating in ${name}`, {
      hint: "If it has another name: --map vote=my_column; people's: --map human=theirs. A sample: touchstone example judge-check",
    });
  }
  const said = cells.map((row) => row[column]).filter((cell) => cell !== undefined);
  const rows =
    column === "vote"
      ? cells.map((row) =>
          withRaters(voteOf(row), raters, (rater) => sideIn(cellAt(row, rater), row)),
        )
      : cells.map((row) =>
          withRaters(ratingOf(row), raters, (rater) => numberIn(cellAt(row, rater))),
        );
  const isRead = rows.some((row) => ("vote" in row ? row.vote : row.rating) !== null);
  if (said.length > 0 && !isRead && !said.every(isNotAvailable)) {
    throw new InputError(
      `Expected ${column === "vote" ? expectedVote : expectedRating} for ${column} in some row of ${name} but received ${quoted(said[0] ?? "")} and the like`,
      { hint: `If the answers are in another column: --map ${column}=my_column` },
    );
  }
  return rows;
}

/** A row with what each rater says; most of them speak for people where nothing else does. */
function withRaters<Row extends { readonly human?: Answer | null | undefined }, Answer>(
  row: Row,
  names: readonly string[],
  of: (rater: string) => Answer | null,
): Row {
  if (names.length === 0) return row;
  const raters = names.map(of);
  return { ...row, raters, human: row.human ?? mostSay(raters) };
}

/** A cell of a column that the user named. */
function cellAt(cells: Readonly<Record<string, unknown>>, column: string): string | undefined {
  const cell = cells[column];
  return typeof cell === "string" ? cell : undefined;
}

/** What people say are words that can be read. */
function* soundRows(
  table: Table<Kinds>,
  all: Kinds,
  people: readonly string[],
): Generator<RowProblem> {
  const column = answerColumn(table);
  if (column === undefined) return;
  const isVote = column === "vote";
  let row = 0;
  for (const cells of rowsOf(table, all)) {
    for (const person of people) {
      const said = cellAt(cells, person);
      const isRead = (isVote ? sideIn(said, cells) : numberIn(said)) !== null;
      if (said === undefined || isNotAvailable(said) || isRead) continue;
      const expected = isVote ? expectedVote : expectedRating;
      yield { row, problem: `Expected ${expected} for ${person} but received ${quoted(said)}` };
    }
    row += 1;
  }
}

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
