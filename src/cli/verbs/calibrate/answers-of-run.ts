import type { RecordStore } from "../../../core/record-store.js";
import { answersSoFar, meanAnswers } from "../../../judges/answers-so-far.js";
import type { Asking } from "../../../judges/asking.js";
import type { Prompt } from "../../../judges/prompt.js";
import type { ItemRow, LabelledItem } from "./judged-table.js";
import { type ImageHashes, itemsAsked } from "./open-items.js";

/** A run's answers about items, in their order. */
export interface AnswersOfRun {
  /** As `FittingItems` has them. */
  readonly table: Float64Array;
  /** How many cells have no answer, by reason. */
  readonly unscored: Readonly<Record<string, number>>;
  /** Items that no prompt answered. */
  readonly unanswered: number;
}

export async function answersOfRun(
  store: RecordStore,
  items: readonly ItemRow[],
  {
    asking,
    prompts,
    width,
    hashes,
    idle,
  }: {
    readonly asking: Asking;
    readonly prompts: readonly Prompt[];
    readonly width: number;
    readonly hashes: ImageHashes;
    /** Numbers of items that nobody was asked about. */
    readonly idle: ReadonlySet<number>;
  },
): Promise<AnswersOfRun> {
  const said = await answersSoFar(asking.answers(store), {
    items: itemsAsked(items, hashes),
    prompts,
    width,
  });
  const length = prompts.length * width;
  const table = new Float64Array(items.length * length);
  const unscored: Record<string, number> = {};
  let unanswered = 0;
  for (const [at, { id }] of items.entries()) {
    const one = said.get(id);
    table.set(meanAnswers(one, { prompts: prompts.length, width }), at * length);
    if (idle.has(at)) continue;
    const silent = [...prompts.keys()].filter((prompt) => (one?.counts[prompt] ?? 0) === 0);
    if (silent.length === prompts.length) unanswered++;
    for (const prompt of silent) {
      const reason = one?.reasons[prompt] ?? "not asked";
      unscored[reason] = (unscored[reason] ?? 0) + 1;
    }
  }
  return { table, unscored, unanswered };
}

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
