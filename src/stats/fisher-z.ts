import { atanh, tanh } from "./elementary/hyperbolic.js";
import { square } from "./elementary/powers.js";

/** The largest |r| that Fisher's z is taken of: 1 has no finite z. */
export const largestForFisher = 0.999999;

/**
 * Fisher's z of a correlation, artanh(r), with r clipped to ±0.999999. Correlations are averaged as
 * tanh of the mean of z, not of r itself. Fisher, "On the 'Probable Error' of a Coefficient of
 * Correlation Deduced from a Small Sample" (1921).
 *
 * @param r in [-1, 1].
 * @returns a number in [-7.26, 7.26].
 * @example Math.tanh((fisherZ(0.1) + fisherZ(0.9)) / 2) // 0.6564…, where the plain mean is 0.5
 */
export const fisherZ = (r: number): number =>
  atanh(Math.max(-largestForFisher, Math.min(largestForFisher, r)));

/**
 * An interval of a coefficient that is symmetric on Fisher's scale, z = artanh of the coefficient
 * stretched to [-1, 1], where a coefficient near its bound spreads as one in the middle does.
 *
 * @param margin half the width of the interval near the value, on the coefficient's own scale.
 * @returns low and high within the range; the value twice where it lies at a bound.
 * @example fisherMargin(0.8, 0.1, [-1, 1]) // [0.673…, 0.881…]
 */
export function fisherMargin(
  value: number,
  margin: number,
  [least, most]: readonly [low: number, high: number],
): [low: number, high: number] {
  const half = (most - least) / 2;
  const r = (value - least) / half - 1;
  if (Math.abs(r) >= 1) return [value, value];
  const reach = margin / half / (1 - square(r));
  const at = (z: number) => least + half * (tanh(z) + 1);
  return [at(atanh(r) - reach), at(atanh(r) + reach)];
}
