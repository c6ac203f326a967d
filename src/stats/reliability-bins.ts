/** The answers whose confidence lies in (low, high]. */
export interface ReliabilityBin {
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** The share of right answers; null where there are none. */
  readonly accuracy: number | null;
  /** The mean confidence; null where there are none. */
  readonly confidence: number | null;
}

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
  labels: readonly number[],
  probabilities: readonly number[],
  count = 10,
): ReliabilityBin[] {
  if (labels.length !== probabilities.length) {
    throw new RangeError(
      `Expected ${labels.length} probabilities but received ${probabilities.length}`,
    );
  }
  const sums = Array.from({ length: count }, () => ({ n: 0, right: 0, confidence: 0 }));
  probabilities.forEach((probability, index) => {
    if (!(probability >= 0 && probability <= 1)) {
      throw new RangeError(`Expected a probability in [0, 1] but received ${probability}`);
    }
    const confidence = Math.max(probability, 1 - probability);
    const bin = sums[confidenceBin(confidence, count)];
    if (bin === undefined) return;
    bin.n += 1;
    bin.right += (probability >= 0.5 ? 1 : 0) === labels[index] ? 1 : 0;
    bin.confidence += confidence;
  });
  return sums.map(({ n, right, confidence }, index) => ({
    low: index / count,
    high: (index + 1) / count,
    n,
    accuracy: n === 0 ? null : right / n,
    confidence: n === 0 ? null : confidence / n,
  }));
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
