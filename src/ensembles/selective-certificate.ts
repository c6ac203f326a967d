import { answersNeeded, atMostErrors, binomialUpperBound } from "./binomial-bound.js";

/** The promise: at most this share of wrong decisions among the accepted, with this confidence. */
export interface Assurance {
  /** In (0, 1). */
  readonly target: number;
  /** The probability, over the drawing of the labels, that what is said then holds; in (0, 1). */
  readonly confidence: number;
  /**
   * How often labels were counted, this time included; 1 where not given. Whoever adds labels because
   * nothing was certified, and counts again, has another chance to be wrong: each further try is left
   * half the chance of error of the one before, so that all tries together have less than twice that
   * of one.
   */
  readonly tries?: number | undefined;
}

/** The assurance of one try, of which `confidence` is what the try itself must have. */
export const ofTry = ({ target, confidence, tries = 1 }: Assurance): Assurance => ({
  target,
  confidence: 1 - (1 - confidence) / 2 ** (tries - 1),
});

/** A threshold that keeps the promise. */
export interface Certified {
  readonly threshold: number;
  /** Counts of the labels that decided; `n` is how many there were. */
  readonly n: number;
  readonly accepted: number;
  readonly wrong: number;
  /** The upper bound of the error rate among the accepted, at most the target. */
  readonly errorBound: number;
}

/** There is no such threshold. */
export interface NotCertified {
  readonly threshold: null;
  readonly n: number;
  /** The smallest target that so many labels could certify, all accepted and none wrong. */
  readonly bestTarget: number;
  /** So many accepted labels without an error would certify the target. */
  readonly acceptedNeeded: number;
}

/** So many wrong decisions may stand where testing begins: fewer is frail, more begins too low. */
const roomAtStart = 2;

/**
 * The lowest threshold among those tried of which it is sure enough that accepted decisions are
 * wrong at most as often as promised. The thresholds are tested in falling order, each by the exact
 * binomial test of "the error rate is above the target", until the first that fails: since the first
 * one for which that is true is passed with probability 1 - confidence at most, so is any, and no
 * correction for their number is needed (fixed-sequence testing; Angelopoulos, Bates, Candès, Jordan
 * and Lei, "Learn then Test", 2021).
 *
 * Exact where the pairs behind the counts are independent draws of what will be judged, and neither
 * weights nor thresholds have seen them. Testing begins at the threshold that is expected to accept
 * so many pairs that two may be wrong; that too is fixed by other pairs.
 *
 * @param counts of thresholds in falling order
 * @param n how many labels were counted
 */
export function certify(
  counts: readonly ThresholdCount[],
  n: number,
  promised: Assurance,
): Certified | NotCertified {
  const assurance = ofTry(promised);
  const { target, confidence } = assurance;
  let found: ThresholdCount | undefined;
  for (const count of counts.slice(startOf(counts, n, assurance))) {
    if (atMostErrors(count.wrong, count.accepted, target) > 1 - confidence) break;
    found = count;
  }
  if (found === undefined) {
    return {
      threshold: null,
      n,
      bestTarget: binomialUpperBound(0, n, confidence),
      acceptedNeeded: answersNeeded(0, assurance),
    };
  }
  const { threshold, accepted, wrong } = found;
  const errorBound = binomialUpperBound(wrong, accepted, confidence);
  return { threshold, n, accepted, wrong, errorBound };
}

/**
 * The first threshold that is expected to accept as many as are needed where two are wrong (one or
 * none where there are too few labels for that), and one standard deviation more.
 */
function startOf(counts: readonly ThresholdCount[], n: number, assurance: Assurance): number {
  for (let room = roomAtStart; room >= 0; room--) {
    const needed = answersNeeded(room, assurance);
    const spread = Math.sqrt(needed * Math.max(0, 1 - needed / n));
    const start = counts.findIndex(
      ({ expectedCoverage }) => expectedCoverage * n >= Math.min(needed + spread, n),
    );
    if (needed <= n && start >= 0) return start;
  }
  return counts.length;
}

/** Beyond so many times the labels that there are, nothing is foreseen from them. */
const furthest = 100;
/** Numbers of labels are tried in steps of 2 %. */
const step = 1.02;

/**
 * About how many labels would certify the target if further ones are like these: the fewest with
 * which the test as a whole passes, were every threshold to accept and to err at the rates it did. An
 * estimate, no promise: about every other time chance will ask for more.
 *
 * @param n how many labels were counted; they do not certify it.
 * @returns `undefined` where not even a hundred times as many would, as where the surest are wrong too
 *   often: more labels alone will not do.
 */
export function labelsThatWouldDo(
  counts: readonly ThresholdCount[],
  n: number,
  assurance: Assurance,
): number | undefined {
  for (let labels = n + 1; labels <= furthest * n; labels = Math.ceil(labels * step)) {
    const grown = counts.map((count) => ({
      ...count,
      accepted: (count.accepted * labels) / n,
      wrong: (count.wrong * labels) / n,
    }));
    if (certify(grown, labels, assurance).threshold !== null) return labels;
  }
  return undefined;
}

/** A decision of a judge on a pair that people have decided, too. */
export interface CheckedDecision {
  /** max(P, 1 - P), in [0.5, 1]. */
  readonly confidence: number;
  /** Whether people decided otherwise. */
  readonly isWrong: boolean;
}

/** Accepted and wrong decisions at a threshold, on held-out pairs. */
export interface ThresholdCount extends TriedThreshold {
  readonly accepted: number;
  /** Number of the accepted that are wrong. */
  readonly wrong: number;
}

/**
 * How many decisions each threshold accepts, and how many of these are wrong.
 *
 * @param decisions on pairs that fitted neither the judge nor the thresholds
 */
export function countsAtThresholds(
  decisions: readonly CheckedDecision[],
  tried: readonly TriedThreshold[],
): ThresholdCount[] {
  const sorted = [...decisions].sort((a, b) => b.confidence - a.confidence);
  const wrongBefore = new Int32Array(sorted.length + 1);
  for (const [at, { isWrong }] of sorted.entries()) {
    wrongBefore[at + 1] = (wrongBefore[at] ?? 0) + (isWrong ? 1 : 0);
  }
  return tried.map((each) => {
    const accepted = firstBelow(sorted, each.threshold);
    return { ...each, accepted, wrong: wrongBefore[accepted] ?? 0 };
  });
}

/** How many decisions, which stand in falling order, are at least so confident. */
function firstBelow(sorted: readonly CheckedDecision[], threshold: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.confidence ?? 0) >= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A threshold that may be tried, and the share of pairs that it is thought to accept. */
export interface TriedThreshold {
  /** Accepted is who is at least so confident: max(P, 1 - P), in [0.5, 1]. */
  readonly threshold: number;
  /** Among the pairs that the thresholds were read from, in (0, 1]. */
  readonly expectedCoverage: number;
}

/** With so many decimals a threshold is told from 1, to two figures of what lacks; three at least. */
export function thresholdDecimals(threshold: number): number {
  let decimals = 3;
  for (let lacks = 0.01; 1 - threshold < lacks && threshold < 1 && decimals < 9; lacks /= 10)
    decimals++;
  return decimals;
}

/** How many thresholds are tried: steps of 1 % of coverage. */
const steps = 100;

/**
 * The thresholds to try, the highest first: the quantiles of the confidences of other pairs than
 * those that will decide, such as those that fitted the judge. Since they do not depend on the pairs
 * that decide, they count as fixed; how well they are chosen changes how much is accepted, never
 * whether the promise holds. The last one accepts everything.
 *
 * @param confidences max(P, 1 - P) of the other pairs, in [0.5, 1], in any order; none gives steps of
 *   equal width from 1 to the least.
 * @param least the least confidence that there is: 0.5 of two answers.
 * @example triedThresholds([0.9, 0.6]).at(-1) // { threshold: 0.5, expectedCoverage: 1 }
 */
export function triedThresholds(confidences: readonly number[], least = 0.5): TriedThreshold[] {
  const sorted = Float64Array.from(confidences).sort().reverse();
  const tried: TriedThreshold[] = [];
  for (let step = 1; step <= steps; step++) {
    const expectedCoverage = step / steps;
    const threshold = step === steps ? least : upperQuantile(sorted, expectedCoverage, least);
    tried.push({ threshold, expectedCoverage });
  }
  return tried;
}

/** The value that a share of further values is expected to reach: of n values the i-th largest is reached by i / (n + 1). */
function upperQuantile(sorted: Float64Array, share: number, least: number): number {
  const n = sorted.length;
  if (n === 0) return 1 - share * (1 - least);
  const at = Math.min(Math.max(share * (n + 1) - 1, 0), n - 1);
  const before = Math.floor(at);
  const low = sorted[before] ?? least;
  const next = sorted[Math.min(before + 1, n - 1)] ?? low;
  return low + (next - low) * (at - before);
}
