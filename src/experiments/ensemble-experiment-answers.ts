import { InputError } from "../core/errors.js";
import { randomFrom } from "../core/random.js";
import { normaliseRows } from "../ensembles/membership.js";

/** Uses of a row of a table of answers. */
export const answerSplits = ["validation", "test", "support"] as const;
export type AnswerSplit = (typeof answerSplits)[number];

/** One pair as all prompts judged it. */
export interface AnswerRow {
  readonly id: string;
  /** Rows of one group (pairs of one caption) are never parted; default: the row alone. */
  readonly group?: string | undefined;
  readonly split?: AnswerSplit | undefined;
  /** Rows of one world are judged apart from those of others. */
  readonly world?: string | undefined;
  /** Which image is better: 1 the first, 0 the second; null where nobody said. */
  readonly label: 0 | 1 | null;
  /** Kind of images that a pair truly shows, where somebody knows it. */
  readonly kind?: string | undefined;
  /** Degradation of the copy, such as "noise", in a pair of an image and its copy. */
  readonly degradation?: string | undefined;
  /** P(label is 1) by each prompt, null for no answer. */
  readonly probabilities: readonly (number | null)[];
  readonly embedding: readonly number[] | null;
}

/** A pair of which somebody said which image is better. */
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

/** Pairs that have labels as well. */
export interface LabelledAnswers extends PromptAnswers {
  readonly labels: Uint8Array;
}

/** Answers that experiments with ensembles are made of; plain arrays, so that they can be sent to a worker. */
export interface ExperimentAnswers {
  /** How many prompts answered. */
  readonly prompts: number;
  /** Which of the table's prompts they are. */
  readonly promptNumbers: readonly number[];
  /** 0 where the table has no embeddings. */
  readonly dimensions: number;
  /** The rows that weights are judged on. */
  readonly test: LabelledAnswers;
  /** Where labels for fitting are drawn. */
  readonly pool: LabelledAnswers;
  /** Embeddings for clustering, of length 1. */
  readonly support: Float64Array;
  readonly unscored: number;
  readonly warnings: readonly string[];
}

/** A prompt that answered fewer is left out rather than the pairs that it left unanswered. */
const leastAnswered = 0.9;

/**
 * Sorts a table of answers into what is fitted on and what is judged on: by the column `split`, or,
 * where there is none, whole groups dealt by `seed`, `testShare` of them for the test. Every experiment
 * is judged on the same pairs whatever prompts it uses, so a pair that a prompt left unanswered is left
 * out of all and counted; a prompt that answered fewer than nine of ten is left out itself.
 *
 * @throws InputError where no pair is left to fit on or to judge on.
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

/** Rows with labels as flat arrays. */
export const labelledAnswersOf = (
  rows: readonly LabelledRow[],
  promptNumbers: readonly number[],
  dimensions: number,
): LabelledAnswers => ({
  ...answersOf(rows, promptNumbers, dimensions),
  labels: Uint8Array.from(rows, ({ label }) => label),
});

/** Rows as flat arrays, whether anybody labelled them or not. */
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

/** Embeddings are used where all rows have one. */
function commonDimensions(rows: readonly AnswerRow[]): number {
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
