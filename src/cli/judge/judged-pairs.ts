import { dirname, isAbsolute, relative, resolve } from "node:path";
import type { AskedSoFar, Verdict } from "../../ensembles/fewer-calls.js";
import { probabilityBounds } from "../../ensembles/fewer-calls.js";
import { type Approximation, concluded } from "../../ensembles/fewer-calls-replay.js";
import type { PairRow } from "../calibrate/pair-table.js";

/** What became of a pair. */
export interface JudgedPair {
  readonly pair: PairRow;
  readonly verdict: Verdict;
  /** P(a is better), as far as it is known; null where nobody answered. */
  readonly probability: number | null;
  /** What it can still be, were all prompts asked. */
  readonly low: number;
  readonly high: number;
  /** Prompts that were asked, and those of them that gave no answer. */
  readonly asked: number;
  readonly unscored: number;
}

export function judged(
  pair: PairRow,
  state: AskedSoFar,
  {
    threshold,
    approximate,
  }: { readonly threshold: number; readonly approximate: Approximation | undefined },
): JudgedPair {
  const { verdict, probability } = concluded(state, threshold, approximate);
  const asked = state.asked.reduce((sum, each) => sum + each, 0);
  const unscored = state.answers.filter(
    (answer, at) => state.asked[at] === 1 && Number.isNaN(answer),
  ).length;
  return {
    ...{ pair, verdict, ...probabilityBounds(state), asked, unscored },
    probability: Number.isNaN(probability) ? null : probability,
  };
}

/** A line of the results: who won, and how sure that is. */
export const resultLine = ({ pair, verdict, ...told }: JudgedPair) => ({
  ...{ id: pair.id, caption: pair.caption, image_a: pair.imageA, image_b: pair.imageB },
  decision: verdict,
  ...told,
});

/**
 * A line of the review queue: the pair, where its images lie as seen from the queue's file, what the
 * judge thinks, and `preferred` for a person to fill in.
 */
export function reviewLine(
  { pair, probability, low, high, asked, unscored }: JudgedPair,
  { file, workingDirectory }: { readonly file: string; readonly workingDirectory: string },
) {
  const folder = dirname(resolve(workingDirectory, file));
  const seen = (path: string, written: string) =>
    isAbsolute(written) ? path : relative(folder, path).replaceAll("\\", "/");
  const why =
    asked === 0
      ? "nothing is certified, so nobody was asked"
      : unscored === asked
        ? "no prompt gave an answer"
        : "not sure enough";
  return {
    ...{ id: pair.id, caption: pair.caption },
    image_a: seen(pair.pathA, pair.imageA),
    image_b: seen(pair.pathB, pair.imageB),
    ...{ preferred: null, why, probability, low, high, asked, unscored },
  };
}
