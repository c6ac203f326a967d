/** Rule by which two scores tie. */
export interface TieOptions {
  /** The share of the larger by which two scores may differ and still tie, in [0, 1]. Default 1e-6. */
  readonly tieTolerance?: number | undefined;
}

/**
 * Scores come from 32-bit arithmetic, each operation of which rounds by up to 6e-8 of its result: what
 * lies closer together than this says nothing of the images.
 */
export const defaultTieTolerance = 1e-6;

/**
 * Whether two scores of one metric are a tie: |a - b| <= tolerance * max(|a|, |b|). With tolerance 0
 * only equal scores tie, as ProtoBias Eq. 5 and the swap test of L-VQAScore are printed. Being
 * relative, it holds in whatever unit a metric scores; so 0 ties with 0 alone, and scores of unlike
 * signs, such as 1e-9 and -1e-9, never tie. Asked of scores as the metric gave them: moving them by a
 * constant, as scaling to [0, 1] does, would change what ties.
 *
 * @throws RangeError where the tolerance is below 0 or no number.
 * @example isTie(0.1 + 0.2, 0.3) // true
 */
export function isTie(a: number, b: number, tolerance = defaultTieTolerance): boolean {
  if (!(tolerance >= 0)) {
    throw new RangeError(`Expected a tie tolerance of 0 or more but got ${tolerance}`);
  }
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/** The rule in words, to follow what a tie counts as. */
export function tieText(tolerance = defaultTieTolerance): string {
  if (tolerance === 0) return "only equal scores tie";
  const share = tolerance < 1e-3 ? tolerance.toExponential() : String(tolerance);
  return `scores within ${share} (relative) count as ties`;
}
