import { InputError } from "../../core/errors.js";

/** For what a row of answers is there: to fit weights, to judge them, to find groups of images. */
export const ensembleSplits = ["validation", "test", "support"] as const;
export type EnsembleSplit = (typeof ensembleSplits)[number];

/** One pair of images as all prompts judged it. */
export interface EnsembleRow {
  readonly id: string;
  readonly split: EnsembleSplit;
  /** People's label; null where there is none. */
  readonly label: 0 | 1 | null;
  /** P(label is 1) by each prompt in the same order, null for no answer; may be empty for support. */
  readonly probabilities: readonly (number | null)[];
  /** The embedding of the image or pair, of any length. */
  readonly embedding: readonly number[] | null;
  /** p(z | x), in place of an embedding. */
  readonly membership: readonly number[] | null;
  /** Rows of one are not independent: intervals and tests keep them together. */
  readonly prompt?: string | undefined;
}

/** Rows of one split with a label and at least one answer, as flat arrays. */
export interface EnsemblePart {
  readonly rows: number;
  readonly labels: Float64Array;
  /** At [row * prompts + a]; NaN for no answer. */
  readonly probabilities: Float64Array;
  /** rows x dimensions, all 0 for a row without one; empty without embeddings. */
  readonly points: Float64Array;
  /** rows x groups; null where it is not given. */
  readonly membership: Float64Array | null;
  /** Cluster of each row: drawn and swapped as a whole. */
  readonly units: readonly string[];
  /** Rows of the split that lack a label or all answers. */
  readonly unscored: number;
  /** Rows that lack an embedding while others have one. */
  readonly withoutEmbedding: number;
}

export interface EnsembleData {
  readonly prompts: number;
  /** Length of the embeddings; 0 without any. */
  readonly dimensions: number;
  /** Length of the given memberships; 0 without one. */
  readonly groups: number;
  readonly validation: EnsemblePart;
  readonly test: EnsemblePart;
  /** Embeddings of the support rows, flat. */
  readonly support: Float64Array;
  readonly clusteredBy: "prompt" | "row";
}

/**
 * Sorts rows of answers into what is fitted and what is judged.
 *
 * @throws InputError where rows differ in their numbers of prompts, embedding or membership, where
 *   only some have a membership, or where no test row has a label and an answer.
 */
export function ensembleData(given: readonly EnsembleRow[]): EnsembleData {
  const rows = given.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const asked = rows.filter(({ split }) => split !== "support");
  const prompts = asked[0]?.probabilities.length ?? 0;
  const dimensions = rows.find(({ embedding }) => embedding !== null)?.embedding?.length ?? 0;
  const groups = asked[0]?.membership?.length ?? 0;
  for (const { id, probabilities, membership } of asked) {
    if (probabilities.length !== prompts) {
      throw unlike(id, `${prompts} probabilities`, probabilities.length);
    }
    if ((membership?.length ?? 0) !== groups) {
      throw unlike(id, `a membership of ${groups} groups`, membership?.length ?? 0);
    }
  }
  for (const { id, embedding } of rows) {
    if (embedding !== null && embedding.length !== dimensions) {
      throw unlike(id, `an embedding of ${dimensions} numbers`, embedding.length);
    }
  }
  const clusteredBy = asked.every(({ prompt }) => prompt !== undefined) ? "prompt" : "row";
  const part = (split: EnsembleSplit) =>
    partOf(
      rows.filter((row) => row.split === split),
      { dimensions, hasGroups: groups > 0, clusteredBy },
    );
  const test = part("test");
  if (test.rows === 0) {
    throw new InputError("Expected rows of split test with a label and an answer but found none", {
      hint: "Weights are fitted on the rows of split validation and judged on those of split test",
    });
  }
  const support = rows.flatMap(({ split, embedding }) =>
    split === "support" && embedding !== null ? embedding : [],
  );
  return {
    prompts,
    dimensions,
    groups,
    clusteredBy,
    test,
    validation: part("validation"),
    support: Float64Array.from(support),
  };
}

const unlike = (id: string, expected: string, received: number) =>
  new InputError(`Expected ${expected} for id "${id}", as in other rows, but received ${received}`);

function partOf(
  rows: readonly EnsembleRow[],
  {
    dimensions,
    hasGroups,
    clusteredBy,
  }: {
    readonly dimensions: number;
    readonly hasGroups: boolean;
    readonly clusteredBy: "prompt" | "row";
  },
): EnsemblePart {
  const scored = rows.filter(
    ({ label, probabilities }) => label !== null && probabilities.some((p) => p !== null),
  );
  const points = new Float64Array(scored.length * dimensions);
  scored.forEach(({ embedding }, at) => {
    points.set(embedding ?? [], at * dimensions);
  });
  return {
    rows: scored.length,
    labels: Float64Array.from(scored, ({ label }) => label ?? 0),
    probabilities: Float64Array.from(
      scored.flatMap(({ probabilities }) => probabilities.map((p) => p ?? Number.NaN)),
    ),
    points,
    membership: hasGroups
      ? Float64Array.from(scored.flatMap(({ membership }) => shares(membership ?? [])))
      : null,
    units: scored.map(({ id, prompt }) => (clusteredBy === "prompt" ? (prompt ?? id) : id)),
    unscored: rows.length - scored.length,
    withoutEmbedding:
      dimensions === 0 ? 0 : scored.filter(({ embedding }) => embedding === null).length,
  };
}

function shares(membership: readonly number[]): number[] {
  const sum = membership.reduce((total, each) => total + each, 0);
  return membership.map((each) => each / sum);
}
