import { smallestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import { promptSplits } from "../../core/records.js";
import {
  type Place,
  placesOf,
  requestIn,
  type Scene,
  type Split,
  type SplitShares,
  type Splitter,
  scenesOf,
} from "./scenes.js";
import {
  type Domain,
  domainsOf,
  type Knob,
  knobsOf,
  type Pair,
  pairsOf,
  type Taxonomy,
} from "./taxonomy.js";
import { type Templates, tripletFromTemplates } from "./templates.js";
import type { Triplet, TripletRequest } from "./triplet.js";

/**
 * How many prompts: in all, evenly over the domains; of each domain; or of each pair and knob. Where
 * a domain has too few for its even share, the others make up for it.
 */
export type BenchmarkSize =
  | { readonly total: number }
  | { readonly byDomain: Readonly<Record<Domain, number>> }
  | { readonly perPairAndKnob: number };

/** Why a generator can't draw a sentence; undefined where it can. */
export type CanDraw = (sentence: string) => string | undefined;

export interface PromptPlan {
  readonly seed: number;
  readonly size: BenchmarkSize;
  readonly domains: readonly Domain[];
  readonly splits: readonly Split[];
  readonly shares: SplitShares;
  /** Deals texts out to splits; `seed` where not given. */
  readonly splitSeed?: number | undefined;
  /** Where given, `size` counts only what can be drawn. */
  readonly drawable?: CanDraw;
  readonly taxonomy: Taxonomy;
  readonly templates: Templates;
}

export interface PlannedPrompt {
  readonly split: Split;
  readonly request: TripletRequest;
}

/** A pair with one knob turned. */
interface Cell {
  readonly pair: Pair;
  readonly knob: Knob;
  /** All scenes, in the order in which they are taken. */
  readonly scenes: readonly Scene[];
  /** Returns the drawable ones by number from 0; undefined after the last. */
  sceneAt(number: number): Scene | undefined;
}

type Turn = readonly [cell: Cell, scene: Scene];

/**
 * Which prompts to ask for: the domains take turns and within each its pairs and knobs, so that any
 * number of prompts from the start is balanced over all three; whoever has no more to give leaves
 * its turn to the rest. With `drawable`, scenes are tested until enough are found, and what can't be
 * drawn follows: one request for each pair, or for a knob of it, of which nothing can be drawn, so
 * that a table can name what was left out.
 *
 * @throws InputError where fewer prompts exist than are asked for.
 */
export function planPrompts(plan: PromptPlan): PlannedPrompt[] {
  const { seed, size, domains, drawable, templates } = plan;
  const request = (pair: Pair, knob: Knob, scene: Scene) =>
    requestIn(scene, { pair, knob, templates, seed });
  const cells = [...new Set(domains)].map((domain) =>
    cellsOf(domain, plan).map(({ pair, knob, scenes }): Cell => {
      const canBeDrawn = (scene: Scene) =>
        drawable === undefined ||
        whyUndrawable(tripletFromTemplates(request(pair, knob, scene), templates), drawable) ===
          undefined;
      return { pair, knob, scenes, sceneAt: lazilyFiltered(scenes, canBeDrawn) };
    }),
  );
  return [...chosen(cells, size), ...leftOut(interleaved(cells))].map(
    ([{ pair, knob }, scene]) => ({
      split: scene.split,
      request: request(pair, knob, scene),
    }),
  );
}

/** Finds the items that pass by their number, testing no more than it takes. */
function lazilyFiltered<Item>(
  items: readonly Item[],
  passes: (item: Item) => boolean,
): (number: number) => Item | undefined {
  const found: Item[] = [];
  const rest = items.values();
  return (number) => {
    while (found.length <= number) {
      const { value, done } = rest.next();
      if (done) break;
      if (passes(value)) found.push(value);
    }
    return found[number];
  };
}

/** The cells of a domain: each pair once with each knob, the knobs rotated from pair to pair. */
function cellsOf(
  domain: Domain,
  { seed, splitSeed = seed, splits, shares, taxonomy, templates }: PromptPlan,
): Omit<Cell, "sceneAt">[] {
  const pairs = randomFrom(seed, "pairs", domain).shuffle(pairsOf(taxonomy, domain));
  const knobs = knobsOf(taxonomy, domain);
  const splitOf = splitter({ taxonomy, templates, shares, seed: splitSeed });
  return knobs.flatMap((_, turn) =>
    pairs.flatMap((pair, index) => {
      const knob = knobs[(index + turn) % knobs.length];
      if (knob === undefined) return [];
      const scenes = scenesOf(pair, knob, { templates, splitOf, seed });
      if (scenes.length === 0) {
        throw new InputError(
          `Expected a setting for ${pair.category} with an extra that has a ${knob} but found none`,
          { hint: "Add the category to the settings of its domain." },
        );
      }
      return [{ pair, knob, scenes: scenes.filter(({ split }) => splits.includes(split)) }];
    }),
  );
}

/** One list in which the items of each list are spread evenly. */
function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  return lists
    .flatMap((list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function chosen(cells: readonly (readonly Cell[])[], size: BenchmarkSize): Turn[] {
  if ("total" in size) return first(size.total, alternately(cells.map(turnsOf)), "in all");
  if ("byDomain" in size) {
    return Object.entries(size.byDomain).flatMap(([domain, count]) => {
      const own = cells.flat().filter(({ pair }) => pair.domain === domain);
      return first(count, turnsOf(own), `of ${domain}`);
    });
  }
  const count = size.perPairAndKnob;
  const usable = interleaved(cells).filter(({ sceneAt }) => sceneAt(0) !== undefined);
  const found = usable.map((cell) => [...take(count, turnsOf([cell]))].length);
  const capacity = smallestOf(found);
  if (count > capacity) throw tooMany(count, capacity, "for each pair and error type");
  return first(usable.length * count, turnsOf(usable), "in all");
}

/** One scene of each cell, then another of each, until all are given. */
function* turnsOf(cells: readonly Cell[]): Generator<Turn> {
  let open = cells;
  for (let round = 0; open.length > 0; round++) {
    const left: Cell[] = [];
    for (const cell of open) {
      const scene = cell.sceneAt(round);
      if (scene === undefined) continue;
      left.push(cell);
      yield [cell, scene];
    }
    open = left;
  }
}

/** One item of each source, then another of each, until all are given. */
function* alternately<Item>(sources: readonly Iterator<Item>[]): Generator<Item> {
  let open = sources;
  while (open.length > 0) {
    const left: Iterator<Item>[] = [];
    for (const source of open) {
      const { value, done } = source.next();
      if (done) continue;
      left.push(source);
      yield value;
    }
    open = left;
  }
}

function* take<Item>(count: number, items: Iterator<Item>): Generator<Item> {
  for (let taken = 0; taken < count; taken++) {
    const { value, done } = items.next();
    if (done) return;
    yield value;
  }
}

function first(count: number, turns: Iterator<Turn>, what: string): Turn[] {
  const taken = [...take(count, turns)];
  if (taken.length < count) throw tooMany(count, taken.length, what);
  return taken;
}

const tooMany = (count: number, capacity: number, what: string): InputError =>
  new InputError(`Expected at most ${capacity} prompts ${what} but received ${count}`, {
    hint: `Ask for fewer, or build more of the splits ${promptSplits.join(", ")}.`,
  });

function leftOut(cells: readonly Cell[]): Turn[] {
  const isDrawn = ({ sceneAt }: Cell) => sceneAt(0) !== undefined;
  const drawn = new Set(cells.filter(isDrawn).map(({ pair }) => nameOf(pair)));
  const named = new Set<string>();
  return cells.flatMap((cell): Turn[] => {
    const [example] = cell.scenes;
    if (example === undefined || isDrawn(cell)) return [];
    const name = nameOf(cell.pair);
    if (!drawn.has(name) && named.has(name)) return [];
    named.add(name);
    return [[cell, example]];
  });
}

const nameOf = ({ category, nonPrototype, prototype }: Pair): string =>
  [category, nonPrototype.phrase, prototype.phrase].join(" / ");

/** Why one of the sentences that images are made from can't be drawn; undefined where all can. */
export function whyUndrawable(
  { correct, adversarial, controlCorrect, controlAdversarial }: Triplet,
  canDraw: CanDraw,
): string | undefined {
  for (const sentence of [correct, adversarial, controlCorrect, controlAdversarial]) {
    const reason = canDraw(sentence);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Splits so that no sentence of a prompt (text, correct, adversarial, controls) stands in two splits.
 * Pairs that share a hypernym or a member are a family, as their sentences may be the same; whatever
 * a family says with one knob of one extra in one environment is in one split, as a wrong value of
 * one prompt is the right one of another. Of each family and knob the places are shuffled by `seed`
 * and dealt out, so that each split gets its share to within one place. What is built changes
 * nothing.
 */
export function splitter({
  taxonomy,
  templates,
  shares,
  seed,
}: {
  readonly taxonomy: Taxonomy;
  readonly templates: Templates;
  readonly shares: SplitShares;
  readonly seed: number;
}): Splitter {
  const families = familiesOf(domainsOf(taxonomy).flatMap((domain) => pairsOf(taxonomy, domain)));
  const dealt = new Map<string, ReadonlyMap<string, Split>>();
  return (pair, knob, place) => {
    const family = families.get(pair.hypernym.phrase);
    const name = JSON.stringify([family?.name, knob]);
    const known = dealt.get(name);
    const splits = known ?? dealOut(family?.pairs ?? [pair], knob, { templates, shares, seed });
    if (known === undefined) dealt.set(name, splits);
    const split = splits.get(nameOfPlace(place));
    if (split === undefined) {
      throw new RangeError(`Expected a place of the templates but received ${nameOfPlace(place)}`);
    }
    return split;
  };
}

interface Family {
  readonly name: string;
  readonly pairs: readonly Pair[];
}

/** The family of each phrase that names a hypernym or a member. */
function familiesOf(pairs: readonly Pair[]): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  for (const pair of pairs) {
    const own = [pair.hypernym.phrase, pair.nonPrototype.phrase, pair.prototype.phrase];
    const joined = new Set(own.flatMap((phrase) => families.get(phrase) ?? []));
    const all = [...[...joined].flatMap((family) => family.pairs), pair];
    const family = { name: nameOfAll(all), pairs: all };
    for (const { hypernym, nonPrototype, prototype } of all) {
      for (const { phrase } of [hypernym, nonPrototype, prototype]) families.set(phrase, family);
    }
  }
  return families;
}

const nameOfAll = (pairs: readonly Pair[]): string =>
  [...new Set(pairs.map(({ hypernym }) => hypernym.phrase))].sort().join(" / ");

function dealOut(
  pairs: readonly Pair[],
  knob: Knob,
  {
    templates,
    shares,
    seed,
  }: { readonly templates: Templates; readonly shares: SplitShares; readonly seed: number },
): ReadonlyMap<string, Split> {
  const random = randomFrom(seed, "splits", nameOfAll(pairs), knob);
  const places = random.shuffle([
    ...new Set(pairs.flatMap((pair) => placesOf(pair, knob, templates).map(nameOfPlace))),
  ]);
  const offset = random.next();
  return new Map(
    places.map((place, at) => [place, splitAt((at + offset) / places.length, shares)]),
  );
}

/** The split in whose share of [0, 1) a point lies. */
function splitAt(point: number, shares: SplitShares): Split {
  const wanted = promptSplits.filter((split) => shares[split] > 0);
  let end = 0;
  const found = wanted.find((split) => {
    end += shares[split];
    return point < end;
  });
  // Shares may sum to a little less than 1.
  return found ?? wanted.at(-1) ?? "evaluation";
}

const nameOfPlace = ({ environment, extra }: Place): string => JSON.stringify([environment, extra]);
