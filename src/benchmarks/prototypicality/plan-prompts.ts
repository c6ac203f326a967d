import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import { promptSplits } from "../../core/records.js";
import {
  requestIn,
  type Scene,
  type Split,
  type SplitShares,
  scenesOf,
  splitter,
} from "./scenes.js";
import { type Domain, type Knob, type Pair, pairsOf, type Taxonomy } from "./taxonomy.js";
import { tripletFromTemplates } from "./template-writer.js";
import type { Templates } from "./templates.js";
import type { Triplet, TripletRequest } from "./triplet.js";

/** How many prompts: in all, for each domain, or for each pair and knob. */
export type BenchmarkSize =
  | { readonly total: number }
  | { readonly byDomain: Readonly<Partial<Record<Domain, number>>> }
  | { readonly perPairAndKnob: number };

/** Why a generator can't draw a sentence; undefined where it can. */
export type CanDraw = (sentence: string) => string | undefined;

export interface PromptPlan {
  readonly seed: number;
  readonly size: BenchmarkSize;
  readonly domains: readonly Domain[];
  readonly splits: readonly Split[];
  readonly shares: SplitShares;
  /** Where given, `size` counts only what can be drawn. */
  readonly drawable?: CanDraw;
  readonly taxonomy: Taxonomy;
  readonly templates: Templates;
}

export interface PlannedPrompt {
  readonly split: Split;
  readonly request: TripletRequest;
}

/** All scenes of a pair with one knob turned. */
interface Cell {
  readonly pair: Pair;
  readonly knob: Knob;
  readonly scenes: readonly Scene[];
}

type Turn = readonly [cell: Cell, scene: Scene];

/**
 * Which prompts to ask for: the pairs and knobs take turns, so that any number of prompts from the
 * start is balanced over both, and a pair and knob that has no more to give leaves its turn to the
 * rest. With `drawable`, what can't be drawn follows: one request for each pair, or for a knob of
 * it, of which nothing can be drawn, so that a table can name what was left out.
 *
 * @throws InputError where fewer prompts exist than are asked for.
 */
export function planPrompts(plan: PromptPlan): PlannedPrompt[] {
  const { seed, size, domains, drawable, templates } = plan;
  const request = ([{ pair, knob }, scene]: Turn) =>
    requestIn(scene, { pair, knob, templates, seed });
  const canBeDrawn = (turn: Turn) =>
    drawable === undefined ||
    whyUndrawable(tripletFromTemplates(request(turn), templates), drawable) === undefined;

  const offered = interleaved(domains.map((domain) => cellsOf(domain, plan)));
  const cells = offered.map((cell) => ({
    ...cell,
    scenes: cell.scenes.filter((scene) => canBeDrawn([cell, scene])),
  }));
  const turns = [...chosen(cells, size), ...leftOut(offered, cells)];
  return turns.map((turn) => ({ split: turn[1].split, request: request(turn) }));
}

/** The cells of a domain: each pair once with each knob, the knobs rotated from pair to pair. */
function cellsOf(
  domain: Domain,
  { seed, splits, shares, taxonomy, templates }: PromptPlan,
): Cell[] {
  const pairs = randomFrom(seed, "pairs", domain).shuffle(pairsOf(taxonomy, domain));
  const { knobs } = taxonomy[domain];
  const splitOf = splitter(shares, seed);
  return knobs.flatMap((_, turn) =>
    pairs.flatMap((pair, index) => {
      const knob = knobs[(index + turn) % knobs.length];
      if (knob === undefined) return [];
      const scenes = scenesOf(pair, knob, { templates, splitOf, seed });
      if (scenes.length === 0) {
        throw new InputError(
          `Expected a setting for ${pair.category} with an extra that has a ${knob} but found none (in data/prototypicality/templates.yaml)`,
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

function chosen(cells: readonly Cell[], size: BenchmarkSize): Turn[] {
  if ("total" in size) return inTurns(cells, size.total, "in all");
  if ("byDomain" in size) {
    return Object.entries(size.byDomain).flatMap(([domain, count]) =>
      inTurns(
        cells.filter(({ pair }) => pair.domain === domain),
        count,
        `of ${domain}`,
      ),
    );
  }
  const count = size.perPairAndKnob;
  const usable = cells.filter(({ scenes }) => scenes.length > 0);
  const capacity = Math.min(...usable.map(({ scenes }) => scenes.length));
  if (count > capacity) throw tooMany(count, capacity, "for each pair and knob");
  return inTurns(usable, usable.length * count, "in all");
}

function inTurns(cells: readonly Cell[], count: number, what: string): Turn[] {
  const capacity = cells.reduce((sum, { scenes }) => sum + scenes.length, 0);
  if (count > capacity) throw tooMany(count, capacity, what);
  const turns: Turn[] = [];
  for (let round = 0; turns.length < count; round++) {
    for (const cell of cells) {
      const scene = cell.scenes[round];
      if (scene !== undefined && turns.length < count) turns.push([cell, scene]);
    }
  }
  return turns;
}

const tooMany = (count: number, capacity: number, what: string): InputError =>
  new InputError(`Expected at most ${capacity} prompts ${what} but received ${count}`, {
    hint: `Ask for fewer, or build more of the splits ${promptSplits.join(", ")}.`,
  });

function leftOut(offered: readonly Cell[], drawable: readonly Cell[]): Turn[] {
  const drawn = new Set(
    drawable.filter(({ scenes }) => scenes.length > 0).map(({ pair }) => nameOf(pair)),
  );
  const named = new Set<string>();
  return offered.flatMap((cell, index): Turn[] => {
    const [example] = cell.scenes;
    if (example === undefined || (drawable[index]?.scenes.length ?? 0) > 0) return [];
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
