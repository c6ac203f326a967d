import { highWord, withHighWord } from "./float-words.js";

/** Returns x times x: ECMAScript lets each engine round `x ** 2` as it likes. */
export const square = (x: number): number => x * x;

/**
 * Returns the least whole number whose power of 2 is no less than x, exactly.
 *
 * @param x above 0; what is below 2 ** -1022 counts as that.
 * @example ceilLog2(9) // 4
 */
export function ceilLog2(x: number): number {
  const word = highWord(x);
  const below = (word >> 20) - 1023;
  if (below < -1022) return -1022;
  const isPower = withHighWord(x, word & 0x7ff00000) === x;
  return isPower ? below : below + 1;
}

/**
 * Returns the length of a right-angled triangle's long side: the sum of squares of the parts of the
 * larger, added with compensation (Kahan). The same bits on every engine.
 *
 * @example hypot(3, 4) // 5
 */
export function hypot(a: number, b: number): number {
  const most = Math.max(Math.abs(a), Math.abs(b));
  if (most === 0 || !Number.isFinite(most)) return most;
  let sum = 0;
  let lost = 0;
  for (const side of [a, b]) {
    const part = Math.abs(side) / most;
    const added = part * part - lost;
    const next = sum + added;
    lost = next - sum - added;
    sum = next;
  }
  return Math.sqrt(sum) * most;
}

/**
 * Returns the power of ten of a number's first digit, exactly, for numbers other than 0.
 *
 * @example decimalExponent(999) // 2
 */
export const decimalExponent = (x: number): number => Number(x.toExponential().split("e")[1]);
