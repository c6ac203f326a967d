import { atanh } from "./elementary/hyperbolic.js";
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
