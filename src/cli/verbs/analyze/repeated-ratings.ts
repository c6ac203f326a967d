import { pluralText } from "../../../views/number-text.js";
import type { WideRow } from "../../conclusions/wide-row.js";

/**
 * Rows of one item become one where they differ in people's ratings alone, as a table with a row for
 * each rating has them: its ratings are all of theirs, a metric's score the one that is there. Rows of
 * one item that differ in a score are left as they are, all of them: the id then names no item.
 *
 * @returns the rows, and a sentence that says what was done, if anything.
 */
export function joinRepeated(rows: readonly WideRow[]): {
  readonly rows: readonly WideRow[];
  readonly notes: readonly string[];
} {
  const items = new Map<string, WideRow[]>();
  for (const [at, row] of rows.entries()) {
    const item = row.item ?? `${at}`;
    const known = items.get(item);
    if (known === undefined) items.set(item, [row]);
    else known.push(row);
  }
  const repeated = [...items.values()].filter(({ length }) => length > 1);
  if (repeated.length === 0) return { rows, notes: [] };
  const unlike = repeated.filter(
    (its) => sharedScores(its.map(({ scores }) => scores)) === undefined,
  );
  if (unlike.length > 0) {
    return {
      rows,
      notes: [
        `${pluralText(unlike.length, "id")} ${unlike.length === 1 ? "has" : "have"} rows with different ` +
          "scores, so id names no item here and each row counts as one; in the intervals, too, unless a " +
          "prompt brings them together; --map id=id+other names an item by two columns",
      ],
    };
  }
  const joined = [...items.values()].map((its): WideRow => {
    const [first] = its;
    if (first === undefined) throw new RangeError("Expected a row of each item");
    const scores = sharedScores(its.map((row) => row.scores)) ?? first.scores;
    return its.length === 1
      ? first
      : { ...first, scores, people: its.flatMap((row) => row.people) };
  });
  const ratings = repeated
    .flat()
    .flatMap(({ people }) => people.filter((rating) => rating !== null));
  return { rows: joined, notes: averagedNote(ratings.length, repeated.length) };
}

/** Says that items had several ratings each; nothing of none. */
export const averagedNote = (ratings: number, items: number): string[] =>
  items === 0
    ? []
    : [`${pluralText(ratings, "rating")} of ${pluralText(items, "id")} with several were averaged`];

/** Joins scores of several rows of one item, place by place; undefined where two differ. */
export function sharedScores(
  rows: readonly (readonly (number | null)[])[],
): (number | null)[] | undefined {
  const shared = [...(rows[0] ?? [])];
  for (const row of rows) {
    for (const [at, score] of row.entries()) {
      const known = shared[at] ?? null;
      if (score === null) continue;
      if (known !== null && known !== score) return undefined;
      shared[at] = score;
    }
  }
  return shared;
}
