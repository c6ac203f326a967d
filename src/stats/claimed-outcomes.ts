/** Claims, one a row, with the confidence of each and whether it came true. */
export interface Claims {
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
