import { smallestOf } from "touchstone-t2i/internal/core/arrays.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { type AnswerRow, commonDimensions, isLabelled } from "../ensemble/answers.js";
import { baselineMethods, mixtureMethods } from "../ensemble/grid.js";
import {
  type ConfidenceSums,
  type CopySums,
  type NoPreferenceCell,
  preferenceCells,
} from "./cells.js";
import { judgeFold, type NoPreferenceDesign } from "./fold.js";

/**
 * The design of Slyman et al. (2025), section 5, "MJBench", with 20 draws of labels in place of 50, since
 * each is fitted once a fold.
 */
export const paperNoPreference = {
  prompts: [5, 10, 20],
  labels: [5, 10, 20, 50],
  clusters: 16,
  seeds: { training: 3, labels: 20 },
  folds: 10,
  supportPerCluster: 256,
  restarts: 3,
  iterations: 1000,
} as const;

export interface NoPreferenceConclusion {
  readonly cells: readonly NoPreferenceCell[];
  readonly methods: readonly string[];
  readonly design: NoPreferenceDesign;
  /** Judged pairs in which neither image is better. */
  readonly n: number;
  /** Judged pairs of an image and its degraded copy. */
  readonly degraded: number;
  readonly captions: number;
  readonly folds: number;
  /** Pairs that lack an answer, or whose fold has too few labels outside it. */
  readonly unscored: number;
  readonly permutations: number;
  readonly resamples: number;
  readonly warnings: readonly string[];
}

/**
 * Measures the confidence of prompt ensembles on equal pairs: those in which neither image is better.
 * Weights are fitted on pairs of an image and its degraded copy. Captions are dealt into folds, and the
 * pairs of a fold are judged by weights fitted on the other folds. A judge that never prefers an image
 * has low confidence too, so the result has accuracy on the held-out copies beside it, for each
 * degradation and for all.
 *
 * The pairs of a fold are unscored where the other folds have fewer labels than the smallest number of
 * `design.labels`. A larger number that a fold lacks is left out of the design, with a warning.
 *
 * @param rows degraded pairs with a label, equal pairs without; `group` is the caption.
 * @throws InputError where there are no equal pairs, fewer than two labels or captions, or no equal pair
 *   can be judged.
 */
export function noPreference(
  rows: readonly AnswerRow[],
  design: NoPreferenceDesign,
  {
    resamples = 1000,
    permutations = 10_000,
  }: { readonly resamples?: number; readonly permutations?: number } = {},
): NoPreferenceConclusion {
  const whole = rows.filter(({ probabilities }) => probabilities.every((each) => each !== null));
  const dealt = new Set(whole.map(captionOf));
  const labels = whole.filter(isLabelled);
  if (whole.length === labels.length || labels.length < 2 || dealt.size < 2) {
    throw new InputError(
      `Expected pairs without a label (neither is better), pairs with one (an image and its degraded copy) and two captions or more but received ${whole.length - labels.length}, ${labels.length} and ${dealt.size}`,
      { hint: captionHint },
    );
  }
  const folds = Math.min(design.folds, dealt.size);
  const foldOf = foldsOf([...dealt].sort(), { folds, seed: design.seed });
  const outside = Array.from(
    { length: folds },
    (_, fold) => labels.filter((row) => foldOf(row) !== fold).length,
  );
  const least = smallestOf(design.labels);
  const judged = whole.filter((row) => (outside[foldOf(row)] ?? 0) >= least);
  const copies = judged.filter(isLabelled);
  const degraded = copies.length;
  const n = judged.length - degraded;
  if (n === 0) {
    const equal = whole.filter((row) => !isLabelled(row));
    const most = equal.reduce((high, row) => Math.max(high, outside[foldOf(row)] ?? 0), 0);
    throw new InputError(
      `Expected at least ${least} pairs with a label beside a fold that has pairs without one but received ${most}`,
      { hint: captionHint },
    );
  }
  const fewest = smallestOf(outside.filter((count) => count >= least));
  const numbers = design.labels.filter((count) => count <= fewest);
  const used = { ...design, labels: numbers };
  const dimensions = commonDimensions(whole);
  const captions = [...new Set(judged.map(captionOf))].sort();
  const numberOf = new Map(captions.map((caption, at) => [caption, at]));
  const methods = [...baselineMethods(used), ...mixtureMethods(used)];
  const kinds = [...new Set(copies.flatMap(({ degradation }) => degradation ?? []))].sort();
  const emptySums = (): CopySums => ({
    confidence: new Float64Array(captions.length),
    right: new Float64Array(captions.length),
  });
  const sums = design.prompts.flatMap((prompts) =>
    numbers.flatMap((count) =>
      methods.map(
        (method): ConfidenceSums => ({
          method,
          prompts,
          labels: count,
          ...emptySums(),
          copies: new Map(kinds.map((kind) => [kind, emptySums()])),
        }),
      ),
    ),
  );
  const sumsOf = new Map(
    sums.map((each) => [`${each.method} ${each.prompts} ${each.labels}`, each]),
  );
  for (let fold = 0; fold < folds; fold++) {
    const held = judged.filter((row) => foldOf(row) === fold);
    if (held.length === 0) continue;
    const seen = whole.filter((row) => foldOf(row) !== fold);
    const caption = Int32Array.from(held, (row) => numberOf.get(captionOf(row)) ?? -1);
    judgeFold({ held, seen, fold, dimensions, design: used }, (said) => {
      const into = sumsOf.get(`${said.method} ${said.prompts} ${said.labels}`);
      if (into === undefined) throw new RangeError(`Expected no method ${said.method}`);
      held.forEach(({ label, degradation = "" }, row) => {
        const p = said.prediction[row] ?? Number.NaN;
        const add = (sum: Float64Array | undefined, value: number) => {
          const at = caption[row] ?? -1;
          if (sum !== undefined) sum[at] = (sum[at] ?? 0) + said.share * value;
        };
        const confidence = Math.max(p, 1 - p);
        if (label === null) {
          add(into.confidence, confidence);
          return;
        }
        const isRight = (p >= 0.5 ? 1 : 0) === label ? 1 : 0;
        add(into.right, isRight);
        const ofKind = into.copies.get(degradation);
        add(ofKind?.right, isRight);
        add(ofKind?.confidence, confidence);
      });
    });
  }
  const perCaption = (some: readonly AnswerRow[]) => {
    const counts = new Float64Array(captions.length);
    for (const row of some) {
      const at = numberOf.get(captionOf(row)) ?? -1;
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts;
  };
  const unanswered = rows.length - whole.length;
  const unjudged = whole.length - judged.length;
  const unnamed = copies.filter(({ degradation }) => degradation === undefined).length;
  const tooMany = design.labels.filter((count) => count > fewest);
  return {
    cells: preferenceCells(sums, {
      equal: perCaption(judged.filter(({ label }) => label === null)),
      degraded: perCaption(copies),
      copies: new Map(
        kinds.map((kind) => [
          kind,
          perCaption(copies.filter(({ degradation }) => degradation === kind)),
        ]),
      ),
      runs: design.seeds.training * design.seeds.labels,
      resamples,
      permutations,
    }),
    methods,
    design: used,
    n,
    degraded,
    captions: captions.length,
    folds,
    unscored: unanswered + unjudged,
    permutations,
    resamples,
    warnings: [
      ...(unanswered === 0 ? [] : [`${unanswered} pairs lack an answer and are left out`]),
      ...(unjudged === 0
        ? []
        : [
            `beside ${unjudged} pairs there are fewer than ${least} with a label to fit weights on: they are unscored and left out`,
          ]),
      ...(unnamed === 0 || kinds.length === 0
        ? []
        : [
            `${unnamed} pairs of a degraded copy do not say how it was degraded: they are in no kind of copies`,
          ]),
      ...(tooMany.length === 0
        ? []
        : [`too few pairs with a label for ${tooMany.join(", ")}: beside a fold are ${fewest}`]),
      ...(dimensions === 0 ? ["there are no embeddings, so that all pairs are one group"] : []),
      ...(folds < design.folds
        ? [`${dealt.size} captions make ${folds} folds, not ${design.folds}`]
        : []),
    ],
  };
}

const captionHint = "The caption of each row stands in its column prompt or group.";

const captionOf = ({ group }: AnswerRow) => group ?? "";

/** Deals captions into folds that differ by one at most. */
function foldsOf(
  captions: readonly string[],
  { folds, seed }: { readonly folds: number; readonly seed: number },
): (row: AnswerRow) => number {
  const dealt = new Map(
    randomFrom(seed, "no preference", "folds")
      .shuffle(captions)
      .map((caption, at) => [caption, at % folds]),
  );
  return (row) => dealt.get(captionOf(row)) ?? 0;
}
