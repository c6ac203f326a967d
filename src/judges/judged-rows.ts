import type { RatingRow, VoteRow } from "../analysis/judge-check/row-ratios.js";
import { largestOf } from "../core/arrays.js";
import type { RecordOf } from "../core/records.js";
import type { Records } from "../core/step.js";

/** An answer as `judge check` reads it from a table. */
export type JudgedRow = (VoteRow | RatingRow) & { readonly reason?: string | undefined };

/**
 * A row for each answer that a run holds: votes on pairs, or ratings; yes is 1 and no is 0.
 *
 * @param labels what people say, by item: 1 and 0 are a and b of a pair, yes and no of a question.
 */
export async function* judgedRows(
  records: Records,
  labels: ReadonlyMap<string, number>,
): AsyncGenerator<JudgedRow> {
  for await (const judgment of records.ofType("judgment")) yield voteOf(judgment, labels);
  for await (const judgment of records.ofType("image-judgment")) yield ratingOf(judgment, labels);
}

function voteOf(judgment: RecordOf<"judgment">, labels: ReadonlyMap<string, number>): VoteRow {
  const { pair, caption, firstShown: first } = judgment;
  const label = labels.get(pair);
  const human = label === undefined ? undefined : label === 1 ? "a" : "b";
  const row = { id: pair, prompt: caption, first, human } as const;
  if (judgment.status === "unscored") return { ...row, vote: null, ...reasonOf(judgment.reason) };
  const { a, b, tie } = judgment.probabilities;
  // Equal probabilities are no preference.
  return { ...row, vote: a > b && a > tie ? "a" : b > a && b > tie ? "b" : "tie" };
}

function ratingOf(
  judgment: RecordOf<"image-judgment">,
  labels: ReadonlyMap<string, number>,
): RatingRow {
  const { item: id, text, task } = judgment;
  const row = { id, prompt: task === "rating" ? text : undefined, human: labels.get(id) };
  if (judgment.status === "unscored") return { ...row, rating: null, ...reasonOf(judgment.reason) };
  const { probabilities, answers } = judgment;
  const likeliest = probabilities.indexOf(largestOf(probabilities));
  const rating = task === "yes-no" ? Number(answers[likeliest] === "yes") : likeliest + 1;
  return { ...row, rating };
}

const reasonOf = (reason: string) => ({ reason, refused: reason === "refused" });
