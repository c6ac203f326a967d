import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { normaliseRows } from "touchstone-t2i/internal/ensembles/membership.js";

/** Values of the column `split`. */
export const answerSplits = ["validation", "test", "support"] as const;
export type AnswerSplit = (typeof answerSplits)[number];

/** One pair with the answers of all prompts. */
export interface AnswerRow {
  readonly id: string;
  /** Rows of one group, such as one caption, stay in one split; default: the row alone. */
  readonly group?: string | undefined;
  readonly split?: AnswerSplit | undefined;
  /** Each world is evaluated by itself. */
  readonly world?: string | undefined;
  /** 1: the first image is better; 0: the second; null: no label. */
  readonly label: 0 | 1 | null;
  /** True kind of the pair's images, where known. */
  readonly kind?: string | undefined;
  /** Degradation of the copy, such as "noise", in a pair of an image and its copy. */
  readonly degradation?: string | undefined;
  /** P(label is 1) by each prompt, null for no answer. */
  readonly probabilities: readonly (number | null)[];
  readonly embedding: readonly number[] | null;
}

/** A pair with a label. */
export type LabelledRow = AnswerRow & { readonly label: 0 | 1 };

export const isLabelled = (row: AnswerRow): row is LabelledRow => row.label !== null;

/** Pairs with the answers of all prompts. */
export interface PromptAnswers {
  /** At [row * prompts + a]. */
  readonly probabilities: Float64Array;
  /** rows x dimensions, each of length 1. */
  readonly embeddings: Float64Array;
  /** Group of each row, from 0 to groups - 1. */
  readonly group: Int32Array;
  readonly groups: number;
}

/** Labelled pairs with the answers of all prompts. */
export interface LabelledAnswers extends PromptAnswers {
  readonly labels: Uint8Array;
}

/** Answers for experiments with ensembles, as plain arrays that can be sent to a worker. */
export interface ExperimentAnswers {
  /** How many prompts answered. */
  readonly prompts: number;
  /** Positions of these prompts in the table. */
  readonly promptNumbers: readonly number[];
  /** 0 where the table has no embeddings. */
  readonly dimensions: number;
  /** Rows to evaluate weights on. */
  readonly test: LabelledAnswers;
  /** Rows to draw labels from. */
  readonly pool: LabelledAnswers;
  /** Embeddings for clustering, of length 1. */
  readonly support: Float64Array;
  readonly unscored: number;
  readonly warnings: readonly string[];
}

/** A prompt that answered a smaller share of pairs is left out. */
const leastAnswered = 0.9;

/**
 * Splits a table of answers into pairs to fit on and pairs to test on: by the column `split`, or, where
 * there is none, by groups shuffled by `seed`, a `testShare` of them for the test. All experiments are
 * tested on the same pairs: a prompt that answered fewer than nine of ten pairs is left out, then pairs
 * that lack an answer are left out and counted in `unscored`.
 *
 * @throws InputError where a split has fewer than two pairs, or pairs of one label only.
 */
export function experimentAnswers(
  rows: readonly AnswerRow[],
  { seed = 0, testShare = 0.7 }: { readonly seed?: number; readonly testShare?: number } = {},
): ExperimentAnswers {
  const warnings: string[] = [];
  const width = rows[0]?.probabilities.length ?? 0;
  const labelled = rows.filter(isLabelled);
  const promptNumbers = Array.from({ length: width }, (_, prompt) => prompt).filter((prompt) => {
    const answered = labelled.filter(({ probabilities }) => probabilities[prompt] !== null).length;
    return answered >= leastAnswered * labelled.length;
  });
  if (promptNumbers.length < width) {
    warnings.push(
      `${width - promptNumbers.length} of ${width} prompts answered fewer than nine of ten pairs and are left out`,
    );
  }
  const isWhole = ({ probabilities }: AnswerRow) =>
    promptNumbers.every((prompt) => probabilities[prompt] !== null);
  const whole = labelled.filter(isWhole);
  const unscored =
    rows.length - rows.filter((row) => row.split === "support" || isWhole(row)).length;
  if (whole.length < labelled.length) {
    const left = labelled.length - whole.length;
    warnings.push(
      `${left} of ${labelled.length} pairs with a label lack an answer and are left out of all experiments`,
    );
  }
  const dimensions = commonDimensions(rows);
  if (dimensions === 0) warnings.push("there are no embeddings, so that all pairs are one group");
  const splitOf = splits(rows, { seed, testShare });
  const test = whole.filter((row) => splitOf(row) === "test");
  const pool = whole.filter((row) => splitOf(row) === "validation");
  for (const [name, some] of [
    ["test", test],
    ["validation", pool],
  ] as const) {
    if (some.length >= 2 && new Set(some.map(({ label }) => label)).size === 2) continue;
    throw new InputError(
      `Expected pairs of both labels to ${name === "test" ? "judge" : "fit"} on but found ${some.length} in the split "${name}"`,
      {
        hint: "Name the split (validation, test or support) of each row, or leave the column out.",
      },
    );
  }
  const support = rows.filter((row) => splitOf(row) !== "test" && row.embedding !== null);
  const flat = (some: readonly AnswerRow[]) =>
    normaliseRows(Float64Array.from(some.flatMap(({ embedding }) => embedding ?? [])), dimensions);
  return {
    prompts: promptNumbers.length,
    promptNumbers,
    dimensions,
    test: labelledAnswersOf(test, promptNumbers, dimensions),
    pool: labelledAnswersOf(pool, promptNumbers, dimensions),
    support: dimensions === 0 ? new Float64Array() : flat(support),
    unscored,
    warnings,
  };
}

/** Returns labelled rows as flat arrays. */
export const labelledAnswersOf = (
  rows: readonly LabelledRow[],
  promptNumbers: readonly number[],
  dimensions: number,
): LabelledAnswers => ({
  ...answersOf(rows, promptNumbers, dimensions),
  labels: Uint8Array.from(rows, ({ label }) => label),
});

/** Returns rows as flat arrays, with or without labels. */
export function answersOf(
  rows: readonly AnswerRow[],
  promptNumbers: readonly number[],
  dimensions: number,
): PromptAnswers {
  const names = new Map<string, number>();
  const group = Int32Array.from(rows, (row) => {
    const name = groupOf(row);
    const number = names.get(name) ?? names.size;
    names.set(name, number);
    return number;
  });
  const probabilities = new Float64Array(rows.length * promptNumbers.length);
  const embeddings = new Float64Array(rows.length * dimensions);
  rows.forEach((row, at) => {
    promptNumbers.forEach((prompt, column) => {
      probabilities[at * promptNumbers.length + column] = row.probabilities[prompt] ?? Number.NaN;
    });
    if (dimensions > 0) embeddings.set(row.embedding ?? [], at * dimensions);
  });
  return {
    probabilities,
    embeddings: dimensions === 0 ? embeddings : normaliseRows(embeddings, dimensions),
    group,
    groups: names.size,
  };
}

const groupOf = ({ group, id }: AnswerRow) => group ?? `row ${id}`;

/** Number of dimensions of the rows' embeddings; 0 where a row has none, or one of another length. */
export function commonDimensions(rows: readonly AnswerRow[]): number {
  const dimensions = rows[0]?.embedding?.length ?? 0;
  return rows.every(({ embedding }) => embedding?.length === dimensions) ? dimensions : 0;
}

function splits(
  rows: readonly AnswerRow[],
  { seed, testShare }: { readonly seed: number; readonly testShare: number },
): (row: AnswerRow) => AnswerSplit {
  if (rows.some(({ split }) => split !== undefined)) return ({ split }) => split ?? "support";
  const names = [...new Set(rows.map(groupOf))].sort();
  const dealt = randomFrom(seed, "ensemble experiment", "split").shuffle(names);
  const tested = new Set(dealt.slice(0, Math.round(testShare * names.length)));
  return (row) => (tested.has(groupOf(row)) ? "test" : "validation");
}
