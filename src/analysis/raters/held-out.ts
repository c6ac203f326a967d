import { randomFrom } from "../../core/random.js";
import { log } from "../../stats/elementary/logarithm.js";
import type { FitOptions, FittedRaters, RaterTable } from "./rater-model.js";

const folds = 5;
/** Probabilities need not be more exact to rank models. */
const tolerance = 1e-3;
/** With more ratings, some items stand for all. */
const mostRatings = 50_000;

/**
 * How well models of raters foretell answers that they have not seen: the mean log-likelihood of a rating, each held
 * out once in five parts. An item's only rating is never held out, since nothing would be known of it.
 *
 * @returns nats a rating for each model, in their order; NaN where no item has two ratings.
 */
export function heldOutLikelihoods(
  fits: readonly ((table: RaterTable, options: FitOptions) => FittedRaters)[],
  whole: RaterTable,
  seed: number,
): number[] {
  const random = randomFrom("raters held out", seed);
  const table = someItems(whole, random.shuffle([...Array(whole.items).keys()]));
  const counts = new Int32Array(table.items);
  for (const item of table.item) counts[item] = (counts[item] ?? 0) + 1;
  const part = Int32Array.from(table.item, (item) =>
    (counts[item] ?? 0) < 2 ? -1 : random.integer(folds),
  );
  // Of the ratings of an item at least one is left in each fold.
  const heldOut = new Int32Array(table.items * folds);
  for (let at = 0; at < part.length; at++) {
    const fold = part[at] ?? -1;
    const item = table.item[at] ?? 0;
    if (fold < 0) continue;
    const place = item * folds + fold;
    heldOut[place] = (heldOut[place] ?? 0) + 1;
    if (heldOut[place] === counts[item]) part[at] = -1;
  }
  const sums = fits.map(() => 0);
  let scored = 0;
  for (let fold = 0; fold < folds; fold++) {
    const rows = [...part.keys()];
    const kept = onlyRatings(
      table,
      rows.filter((at) => part[at] !== fold),
    );
    const asked = rows.filter((at) => part[at] === fold);
    scored += asked.length;
    for (const [model, learn] of fits.entries()) {
      const fitted = learn(kept, { tolerance });
      for (const at of asked) sums[model] = (sums[model] ?? 0) + log(foretold(fitted, table, at));
    }
  }
  return sums.map((sum) => (scored === 0 ? Number.NaN : sum / scored));
}

/** P(a rater answers as they did), by what the others say of the item. */
function foretold(
  { posterior, answer }: FittedRaters,
  { categories, item, rater, label }: RaterTable,
  at: number,
): number {
  const place = { item: item[at] ?? 0, rater: rater[at] ?? 0, label: label[at] ?? 0 };
  let sum = 0;
  for (let right = 0; right < categories; right++) {
    sum += (posterior[place.item * categories + right] ?? 0) * answer({ ...place, right });
  }
  return Math.max(sum, 1e-12);
}

/** The ratings of some rows; items and raters keep their numbers. */
export const onlyRatings = (table: RaterTable, rows: readonly number[]): RaterTable => ({
  ...table,
  item: Int32Array.from(rows, (at) => table.item[at] ?? 0),
  rater: Int32Array.from(rows, (at) => table.rater[at] ?? 0),
  label: Int32Array.from(rows, (at) => table.label[at] ?? 0),
});

function someItems(table: RaterTable, shuffled: readonly number[]): RaterTable {
  if (table.item.length <= mostRatings) return table;
  const share = mostRatings / table.item.length;
  const isIn = new Uint8Array(table.items);
  for (const item of shuffled.slice(0, Math.ceil(share * table.items))) isIn[item] = 1;
  const rows = [...table.item.keys()].filter((at) => isIn[table.item[at] ?? 0] === 1);
  return onlyRatings(table, rows);
}
