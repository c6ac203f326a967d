import { ranked } from "./ranked.js";

/** The claims whose confidence lies in (low, high]. */
export interface ReliabilityBin {
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** The share of right ones; null where there are none. */
  readonly accuracy: number | null;
  /** The mean confidence; null where there are none. */
  readonly confidence: number | null;
}

/** Bins of one width, or of as many claims each. */
export const binnings = ["equal-width", "equal-mass"] as const;
export type Binning = (typeof binnings)[number];

/**
 * Yes-or-no answers sorted by how sure they were. The answer is 1 where the probability is at least
 * 0.5, its confidence max(p, 1 - p) (top-label confidence, from 0.5 to 1); bins of one width over
 * (0, 1], closed above, all of them listed. Guo et al., "On Calibration of Modern Neural Networks"
 * (2017), section 2.
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @throws RangeError where the two differ in length or a probability lies outside.
 * @example reliabilityBins([1, 0], [0.9, 0.8])[8]
 *   // { low: 0.8, high: 0.9, n: 1, accuracy: 1, confidence: 0.9 }
 */
export function reliabilityBins(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  count = 10,
): ReliabilityBin[] {
  return claimBinner(topLabel(labels, probabilities), { count })();
}

/**
 * Sorts claims by confidence into `count` bins: of one width over (0, 1], closed above, or of as many
 * claims each as ties allow. There equal confidences stay together, in the bin that holds the middle
 * of their places; an upper edge is the largest confidence of the bin. Nguyen and O'Connor,
 * "Posterior Calibration and Exploratory Analysis for Natural Language Processing Models" (2015).
 *
 * @returns what fills the bins when each claim counts as often as its weight says (once by default);
 *   called for each resample, it sorts nothing again.
 * @example claimBinner(topLabel([1, 0], [0.9, 0.8]), { binning: "equal-mass", count: 2 })()[1]
 *   // { low: 0.8, high: 0.9, n: 1, accuracy: 1, confidence: 0.9 }
 */
export function claimBinner(
  claims: Claims,
  { binning = "equal-width", count = 10 }: { readonly binning?: Binning; readonly count?: number },
): (weights?: ArrayLike<number>) => ReliabilityBin[] {
  const sort = binning === "equal-width" ? equalWidth : equalMass;
  const binsOf = sort(claims.confidences, count);
  return (weights) => {
    const { edges, ...runs } = binsOf(weights);
    const { n, right, sum } = heldBy(runs, claims, { count, weights });
    return Array.from(n, (own, bin) => ({
      low: edges[bin] ?? 0,
      high: edges[bin + 1] ?? 0,
      n: own,
      accuracy: own === 0 ? null : (right[bin] ?? 0) / own,
      confidence: own === 0 ? null : (sum[bin] ?? 0) / own,
    }));
  };
}

/** Adds up what each bin holds, row after row: rows that are sorted, as most are, in few runs. */
function heldBy(
  { start, bins }: Runs,
  { outcomes, confidences }: Claims,
  { count, weights }: { readonly count: number; readonly weights: ArrayLike<number> | undefined },
) {
  const [n, right, sum] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ];
  for (let run = 0; run < bins.length; run++) {
    const bin = bins[run] ?? 0;
    const end = start[run + 1] ?? 0;
    let [ownN, ownRight, ownSum] = [n[bin] ?? 0, right[bin] ?? 0, sum[bin] ?? 0];
    for (let row = start[run] ?? 0; row < end; row++) {
      const weight = weights === undefined ? 1 : (weights[row] ?? 0);
      ownN += weight;
      ownRight += weight * (outcomes[row] ?? 0);
      ownSum += weight * (confidences[row] ?? 0);
    }
    n[bin] = ownN;
    right[bin] = ownRight;
    sum[bin] = ownSum;
  }
  return { n, right, sum };
}

/** Rows of one bin that stand side by side: those of a run from its start up to the start of the next. */
interface Runs {
  readonly start: readonly number[];
  readonly bins: readonly number[];
}

function runsOf(binOfRow: Int32Array): Runs {
  const start: number[] = [];
  const bins: number[] = [];
  for (let row = 0; row < binOfRow.length; row++) {
    if (row > 0 && binOfRow[row] === binOfRow[row - 1]) continue;
    start.push(row);
    bins.push(binOfRow[row] ?? 0);
  }
  return { start: [...start, binOfRow.length], bins };
}

/** The claims of each bin. */
interface Sorted extends Runs {
  /** One more than there are bins. */
  readonly edges: readonly number[];
}

function equalWidth(confidences: Float64Array, count: number): () => Sorted {
  const codes = new Int32Array(confidences.length);
  for (let row = 0; row < codes.length; row++) {
    codes[row] = confidenceBin(confidences[row] ?? 0, count);
  }
  const edges = Array.from({ length: count + 1 }, (_, at) => at / count);
  const sorted = { ...runsOf(codes), edges };
  return () => sorted;
}

function equalMass(
  confidences: Float64Array,
  count: number,
): (weights?: ArrayLike<number>) => Sorted {
  const { level, levels } = ranked(confidences);
  const value = new Float64Array(levels);
  confidences.forEach((confidence, row) => {
    value[level[row] ?? 0] = confidence;
  });
  return (weights) => {
    const mass = new Float64Array(levels);
    let total = 0;
    for (let row = 0; row < level.length; row++) {
      const weight = weights === undefined ? 1 : (weights[row] ?? 0);
      const at = level[row] ?? 0;
      mass[at] = (mass[at] ?? 0) + weight;
      total += weight;
    }
    const binOfLevel = new Int32Array(levels);
    const edges = new Array<number>(count + 1).fill(0);
    let below = 0;
    for (let at = 0; at < levels; at++) {
      const own = mass[at] ?? 0;
      const bin = Math.min(count - 1, Math.floor((count * (below + own / 2)) / total));
      binOfLevel[at] = bin;
      if (own > 0) edges[bin + 1] = value[at] ?? 0;
      below += own;
    }
    for (let at = 1; at <= count; at++) edges[at] ||= edges[at - 1] ?? 0;
    return { ...runsOf(level.map((at) => binOfLevel[at] ?? 0)), edges };
  };
}

/**
 * Which of `count` bins of one width over [0, 1], closed above, holds a confidence; 0 goes into the
 * first.
 */
export function confidenceBin(confidence: number, count: number): number {
  const near = Math.min(count - 1, Math.max(0, Math.ceil(confidence * count) - 1));
  // Compared with the edges themselves: 0.7 x 10 need not be 7.
  if (near > 0 && confidence <= near / count) return near - 1;
  return confidence > (near + 1) / count ? near + 1 : near;
}

/** Claims, one a row, with the confidence of each and whether it came true. */
interface Claims {
  /** 1 where the claim is right, 0 where it is wrong. */
  readonly outcomes: Uint8Array;
  /** In [0, 1]. */
  readonly confidences: Float64Array;
}

/**
 * The likelier answer to each question: 1 where the probability is at least 0.5, else 0, with
 * confidence max(p, 1 - p), from 0.5 to 1.
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @throws RangeError where the two differ in length or a probability lies outside.
 * @example topLabel([1, 1], [0.9, 0.2]) // { outcomes: [1, 0], confidences: [0.9, 0.8] }
 */
export function topLabel(labels: ArrayLike<number>, probabilities: ArrayLike<number>): Claims {
  check(labels, probabilities);
  const outcomes = new Uint8Array(labels.length);
  const confidences = new Float64Array(labels.length);
  for (let row = 0; row < labels.length; row++) {
    const probability = probabilities[row] ?? 0;
    outcomes[row] = (probability >= 0.5 ? 1 : 0) === labels[row] ? 1 : 0;
    confidences[row] = Math.max(probability, 1 - probability);
  }
  return { outcomes, confidences };
}

/**
 * Each class claimed of every row with its own probability: class 0 with 1 - p, class 1 with p. The
 * mean of the expected calibration errors of both is the class-wise one of Kull et al., "Beyond
 * Temperature Scaling: Obtaining Well-Calibrated Multi-Class Probabilities with Dirichlet
 * Calibration" (2019), which asks more than that the likelier answer be calibrated.
 *
 * @throws RangeError as `topLabel`.
 * @example classWise([1], [0.9])[1] // { outcomes: [1], confidences: [0.9] }
 */
export function classWise(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
): readonly [zero: Claims, one: Claims] {
  check(labels, probabilities);
  return [
    {
      outcomes: Uint8Array.from(labels, (label) => 1 - label),
      confidences: Float64Array.from(probabilities, complement),
    },
    {
      outcomes: Uint8Array.from(labels),
      confidences:
        probabilities instanceof Float64Array ? probabilities : Float64Array.from(probabilities),
    },
  ];
}

/** More digits than people write, and fewer than rounding of a difference spoils. */
const decimals = 1e15;

/** 1 - p as the decimal that it is: 0.3 of 0.7, where doubles make 0.30000000000000004, another bin. */
const complement = (probability: number): number =>
  Math.round((1 - probability) * decimals) / decimals;

function check(labels: ArrayLike<number>, probabilities: ArrayLike<number>): void {
  if (labels.length !== probabilities.length) {
    throw new RangeError(
      `Expected ${labels.length} probabilities but received ${probabilities.length}`,
    );
  }
  for (let row = 0; row < probabilities.length; row++) {
    const probability = probabilities[row] ?? Number.NaN;
    if (!(probability >= 0 && probability <= 1)) {
      throw new RangeError(`Expected a probability in [0, 1] but received ${probability}`);
    }
  }
}
