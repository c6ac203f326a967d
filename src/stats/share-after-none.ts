import { expm1 } from "./elementary/exponential.js";
import { log } from "./elementary/logarithm.js";
/**
 * How large a share may still be, at 95 % confidence, when none of `n` independent draws showed it:
 * 1 - 0.05^(1/n), near 3 / n. Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All
 * Right?" (1983).
 *
 * @returns a share in [0, 1]; 1 for n = 0.
 * @example shareAfterNone(300) // 0.00994
 */
export function shareAfterNone(n: number): number {
  return n === 0 ? 1 : -expm1(log(0.05) / n);
}
