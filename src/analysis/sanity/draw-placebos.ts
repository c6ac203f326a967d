import { append, smallestOf } from "../../core/arrays.js";
import { type Random, randomFrom } from "../../core/random.js";

/** An item that is asked again with the text of another prompt: numbers of both among the items. */
export interface PlaceboPair {
  readonly item: number;
  /** The item whose text it is asked with. */
  readonly foreign: number;
}

export interface DrawnPlacebos {
  readonly pairs: readonly PlaceboPair[];
  /** Items that are asked once more with a grey image in place of their own. */
  readonly blanks: readonly number[];
}

export const fewestPlacebos = 8;
/** Of fewer prompts even the interval of a metric that is always right contains one half. */
export const fewestPrompts = 4;
const mostPlacebos = 24;
const mostBlanks = 8;
/** Of a run of a thousand items and more all placebos are at most this share. */
const mostShare = 0.03;
/** Calls that check a model's sight; they count within that share. */
const sightCalls = 4;

/** How many of so many items are asked again: a tenth, at least 8, at most 24. */
export function placeboCount(items: number): number {
  const tenth = Math.min(mostPlacebos, Math.max(fewestPlacebos, Math.round(items / 10)));
  return items < 1000
    ? Math.min(items, tenth)
    : Math.min(tenth, Math.floor(items * mostShare) - mostBlanks - sightCalls);
}

/**
 * Draws which items are asked again, over different prompts, each with the text of another prompt that shares
 * few words with its own.
 *
 * @param texts of the items, in their order
 * @param options.all draws every item, where that costs no call
 */
export function drawPlacebos(
  texts: readonly string[],
  { seed, all = false }: { readonly seed: string | number; readonly all?: boolean },
): DrawnPlacebos {
  const random = randomFrom("placebos", seed, texts.length);
  const byPrompt = new Map<string, number[]>();
  for (const item of random.shuffle(texts.map((_, at) => at))) {
    const prompt = texts[item] ?? "";
    const others = byPrompt.get(prompt) ?? [];
    byPrompt.set(prompt, others);
    others.push(item);
  }
  if (byPrompt.size < fewestPrompts || texts.length < fewestPlacebos)
    return { pairs: [], blanks: [] };
  const groups = [...byPrompt.values()];
  const drawn = inRounds(groups, all ? texts.length : placeboCount(texts.length));
  const pairs = drawn.map((item) => ({
    item,
    foreign: foreignTo(item, { texts, groups, random }),
  }));
  return { pairs, blanks: drawn.slice(0, mostBlanks) };
}

/** One item of each prompt, then a second of each, and so on. */
function inRounds(groups: readonly (readonly number[])[], count: number): number[] {
  const drawn: number[] = [];
  for (let round = 0; drawn.length < count; round++) {
    const next = groups.flatMap((group) => group[round] ?? []);
    if (next.length === 0) break;
    append(drawn, next);
  }
  return drawn.slice(0, count);
}

/** Of some items of other prompts the one whose text shares the fewest words. */
function foreignTo(
  item: number,
  {
    texts,
    groups,
    random,
  }: {
    readonly texts: readonly string[];
    readonly groups: readonly (readonly number[])[];
    readonly random: Random;
  },
): number {
  const own = texts[item] ?? "";
  const others = groups.filter(([first = 0]) => texts[first] !== own);
  const candidates = Array.from({ length: Math.min(12, others.length) }, () =>
    random.pick(random.pick(others)),
  );
  const shared = candidates.map((candidate) => sharedWords(own, texts[candidate] ?? ""));
  return candidates[shared.indexOf(smallestOf(shared))] ?? item;
}

/** Share of the words of two texts that both have (Jaccard). */
function sharedWords(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  const both = [...(a ?? [])].filter((word) => b?.has(word)).length;
  const either = new Set([...(a ?? []), ...(b ?? [])]).size;
  return either === 0 ? 1 : both / either;
}
