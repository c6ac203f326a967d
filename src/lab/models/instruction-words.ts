import { hashOf } from "../../core/keys.js";

/** How many kinds of words are told apart. */
export const instructionBuckets = 511;

/**
 * An instruction in any words, as a model's input: for each different word of it a number from 1 to
 * 511, the remainder of its hash. Unlike texts about pictures, an instruction may hold words that the
 * model never saw: they count as those they share a number with, which is some wording or other.
 */
export function instructionIds(text: string): number[] {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []);
  const ids = [...words].map((word) => {
    const hash = hashOf(new TextEncoder().encode(word));
    return (Number.parseInt(hash.slice(0, 8), 16) % instructionBuckets) + 1;
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}
