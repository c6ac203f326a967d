import { square } from "./elementary/powers.js";
import { brierScore } from "./losses.js";
import { confidenceBin } from "./reliability-bins.js";

/** brierScore = reliability - resolution + uncertainty + withinBins. */
export interface BrierDecomposition {
  /** How far probabilities lie from how often 1 is right, squared; less is better. */
  readonly reliability: number;
  /** How far bins lie from the overall share of 1, squared; more is better. */
  readonly resolution: number;
  /** p (1 - p) of the overall share of 1: what saying that share always would cost. */
  readonly uncertainty: number;
  /** The rest, since a bin holds different probabilities. */
  readonly withinBins: number;
}

/**
 * A Brier score taken apart over bins of one width of the probability, closed above. Murphy, "A New
 * Vector Partition of the Probability Score" (1973); what bins leave over: Stephenson, Coelho and
 * Jolliffe, "Two Extra Components in the Brier Score Decomposition" (2008).
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @param options.weights how often each row counts; default once.
 * @returns NaN in each without a label.
 */
export function brierDecomposition(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  {
    count = 10,
    weights,
  }: { readonly count?: number; readonly weights?: Float64Array | undefined } = {},
): BrierDecomposition {
  let n = 0;
  const bins = Array.from({ length: count }, () => ({ n: 0, ones: 0, said: 0 }));
  let ones = 0;
  for (let row = 0; row < labels.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    n += weight;
    const probability = probabilities[row] ?? 0;
    const bin = bins[confidenceBin(probability, count)];
    const label = labels[row] ?? 0;
    ones += weight * label;
    if (bin === undefined) continue;
    bin.n += weight;
    bin.ones += weight * label;
    bin.said += weight * probability;
  }
  const share = ones / n;
  let reliability = 0;
  let resolution = 0;
  for (const bin of bins) {
    if (bin.n === 0) continue;
    reliability += bin.n * square((bin.said - bin.ones) / bin.n);
    resolution += bin.n * square(bin.ones / bin.n - share);
  }
  const uncertainty = share * (1 - share);
  const explained = (reliability - resolution) / n + uncertainty;
  return {
    reliability: reliability / n,
    resolution: resolution / n,
    uncertainty,
    withinBins: brierScore(labels, probabilities, weights) - explained,
  };
}
