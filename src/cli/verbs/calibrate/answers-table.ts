import type { LabelledItem } from "./judged-table.js";

/** Items of labels with what each prompt said of them. */
export interface AnsweredItems {
  readonly items: readonly LabelledItem[];
  /** P(label is 1) at [item * prompts + prompt], NaN for no answer. */
  readonly answers: Float64Array;
  /** Empty arrays, or nothing, without an embedder. */
  readonly embeddings: readonly Float64Array[] | undefined;
  /** Numbers of items that nobody was asked about. */
  readonly idle: ReadonlySet<number>;
}

/**
 * Answers as the table that `lab experiment` and `analyze ensemble` read: a JSON line for each item that was
 * asked about, of a tie with an empty label.
 */
export const answersTable = (parts: readonly AnsweredItems[], prompts: number): string =>
  parts
    .flatMap(({ items, answers, embeddings, idle }) =>
      items.flatMap(({ id, group, label, degradation }, at) => {
        if (idle.has(at)) return [];
        const said = answers.subarray(at * prompts, (at + 1) * prompts);
        const embedding = embeddings?.[at];
        const row = {
          id,
          group,
          label,
          probabilities: Array.from(said, (one) => (Number.isNaN(one) ? null : one)),
          ...(embedding === undefined ? {} : { embedding: Array.from(embedding) }),
          ...(degradation === undefined ? {} : { degradation }),
        };
        return [`${JSON.stringify(row)}\n`];
      }),
    )
    .join("");

/** Its name beside a run's records. */
export const answersName = "answers.jsonl";
