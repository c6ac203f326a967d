import { highWord, withHighWord } from "./float-words.js";

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
