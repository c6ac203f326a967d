import { groupBy, largestOf, smallestOf } from "../../core/arrays.js";
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

/** What is drawn from: texts, and names that tell images apart. */
export interface PlaceboSource {
  readonly text: string;
  readonly image: string;
}

export const fewestPlacebos = 8;
const mostPlacebos = 24;
const mostBlanks = 8;
const mostCandidates = 12;
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
 * few words with its own. No question is drawn twice, and none that the items themselves ask.
 *
 * @param options.all draws every item, where that costs no call
 */
export function drawPlacebos(
  items: readonly PlaceboSource[],
  { seed, all = false }: { readonly seed: string | number; readonly all?: boolean },
): DrawnPlacebos {
  const random = randomFrom("placebos", seed, items.length);
  const shuffled = random.shuffle(items.map((_, at) => at));
  const groups = [...groupBy(shuffled, (at) => items[at]?.text).values()];
  if (groups.length < 2 || items.length < fewestPlacebos) return { pairs: [], blanks: [] };
  const asked = textsOfImages(items);
  const pairs: PlaceboPair[] = [];
  const most = all ? items.length : placeboCount(items.length);
  for (const item of inRounds(groups)) {
    if (pairs.length === most) break;
    const foreign = foreignTo(item, { items, groups, asked, random });
    if (foreign === undefined) continue;
    pairs.push({ item, foreign });
    asked.get(items[item]?.image ?? "")?.add(items[foreign]?.text ?? "");
  }
  const firsts = new Set(groups.map(([first]) => first));
  const drawn = pairs.map(({ item }) => item).filter((item) => firsts.has(item));
  return { pairs, blanks: drawn.slice(0, mostBlanks) };
}

/** Texts of which each image is asked. */
export function textsOfImages(items: readonly PlaceboSource[]): Map<string, Set<string>> {
  const asked = new Map<string, Set<string>>();
  for (const { text, image } of items) {
    asked.set(image, (asked.get(image) ?? new Set()).add(text));
  }
  return asked;
}

/** One item of each prompt, then a second of each, and so on. */
function* inRounds(groups: readonly (readonly number[])[]): Generator<number> {
  const longest = largestOf(groups.map(({ length }) => length));
  for (let round = 0; round < longest; round++) {
    for (const group of groups) {
      const item = group[round];
      if (item !== undefined) yield item;
    }
  }
}

/** Of some items of other prompts the one whose text shares the fewest words; none that has all of them. */
function foreignTo(
  item: number,
  {
    items,
    groups,
    asked,
    random,
  }: {
    readonly items: readonly PlaceboSource[];
    readonly groups: readonly (readonly number[])[];
    readonly asked: ReadonlyMap<string, ReadonlySet<string>>;
    readonly random: Random;
  },
): number | undefined {
  const { text: own = "", image = "" } = items[item] ?? {};
  const textOf = ([first = 0]: readonly number[]) => items[first]?.text ?? "";
  const some =
    groups.length <= mostCandidates
      ? groups
      : Array.from({ length: mostCandidates }, () => random.pick(groups));
  const candidates = some
    .filter((group) => asked.get(image)?.has(textOf(group)) !== true)
    .map((group) => ({ group, shared: sharedWords(own, textOf(group)) }))
    .filter(({ shared }) => shared < 1);
  const fewest = smallestOf(candidates.map(({ shared }) => shared));
  const found = candidates.find(({ shared }) => shared === fewest);
  return found && random.pick(found.group);
}

/** Share of the words of two texts that both have (Jaccard). */
export function sharedWords(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  const both = [...(a ?? [])].filter((word) => b?.has(word)).length;
  const either = new Set([...(a ?? []), ...(b ?? [])]).size;
  return either === 0 ? 1 : both / either;
}
