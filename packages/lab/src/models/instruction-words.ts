import { hashOf } from "touchstone-t2i/internal/core/keys.js";

/** How many kinds of words are told apart. */
export const instructionBuckets = 511;

/**
 * An instruction in any words, as a model's input: for each different word of it a number from 1 to
 * 511, the remainder of its hash. Unlike texts about pictures, an instruction may hold words that the
 * model never saw: they count as those they share a number with, which is some wording or other.
 */
export function instructionIds(text: string): number[] {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []);
  return [...new Set([...words].map(idOf))].sort((a, b) => a - b);
}

/** Prompts share most of their words, and a hash is some thousand steps. */
const known = new Map<string, number>();
const mostKnown = 10_000;

function idOf(word: string): number {
  const before = known.get(word);
  if (before !== undefined) return before;
  const hash = hashOf(new TextEncoder().encode(word));
  const id = (Number.parseInt(hash.slice(0, 8), 16) % instructionBuckets) + 1;
  if (known.size >= mostKnown) known.clear();
  known.set(word, id);
  return id;
}
