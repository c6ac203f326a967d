import { randomFrom } from "../../core/random.js";
import type { promptSplits } from "../../core/records.js";
import type { Knob, Pair } from "./taxonomy.js";
import { knobValues, type Templates, wrongValues } from "./templates.js";
import type { TripletRequest } from "./triplet.js";

export type Split = (typeof promptSplits)[number];

/** Which share of the texts each split gets; together 1. */
export type SplitShares = Readonly<Record<Split, number>>;

/** What a text says apart from its subject, and the split that it belongs to. */
export interface Scene {
  readonly environment: string;
  readonly extra: string;
  readonly right: string;
  readonly split: Split;
}

/** Says which split a text belongs to, from what determines it. */
export type Splitter = (...text: readonly string[]) => Split;

/**
 * Splits by `seed` and text alone, so that pairs that share a text share its split, whatever else
 * is in the benchmark.
 */
export function splitter(shares: SplitShares, seed: number): Splitter {
  const known = new Map<string, Split>();
  return (...text) => {
    const name = JSON.stringify(text);
    const before = known.get(name);
    if (before !== undefined) return before;
    const drawn = randomFrom(seed, "split", ...text).next();
    const other = drawn < shares.train + shares.evaluation ? "evaluation" : "human";
    const split = drawn < shares.train ? "train" : other;
    known.set(name, split);
    return split;
  };
}

/** Every scene that a pair can be shown in with one knob turned, in an order shuffled by `seed`. */
export function scenesOf(
  pair: Pair,
  knob: Knob,
  {
    templates,
    splitOf,
    seed,
  }: { readonly templates: Templates; readonly splitOf: Splitter; readonly seed: number },
): Scene[] {
  const scenes: Scene[] = [];
  for (const setting of templates.settings[pair.domain]) {
    if (!setting.categories.includes(pair.category)) continue;
    for (const environment of setting.environments) {
      for (const extra of setting.extras.filter((one) => !pair.without.includes(one))) {
        for (const right of knobValues(templates, knob, extra)) {
          const split = splitOf(pair.hypernym.phrase, knob, environment, extra, right);
          scenes.push({ environment, extra, right, split });
        }
      }
    }
  }
  return randomFrom(seed, "scenes", ...pathOf(pair, knob)).shuffle(scenes);
}

/** What is asked about a pair in a scene; the wrong value is drawn from `seed`. */
export function requestIn(
  scene: Scene,
  {
    pair,
    knob,
    templates,
    seed,
  }: {
    readonly pair: Pair;
    readonly knob: Knob;
    readonly templates: Templates;
    readonly seed: number;
  },
): TripletRequest {
  const { environment, extra, right } = scene;
  const path = [...pathOf(pair, knob), environment, extra, right];
  const wrong = randomFrom(seed, "wrong", ...path).pick(wrongValues(templates, knob, extra, right));
  return requestAbout(pair, { knob, right, wrong, extra, environment }, templates);
}

/** Everything that a writer is told of a pair with these values. */
export function requestAbout(
  { knobs, without, ...members }: Pair,
  values: Pick<TripletRequest, "knob" | "right" | "wrong" | "extra" | "environment">,
  templates: Templates,
): TripletRequest {
  return { ...members, ...values, knobDescription: templates.knobs[values.knob].description };
}

const pathOf = ({ category, nonPrototype, prototype }: Pair, knob: Knob): string[] => [
  category,
  nonPrototype.phrase,
  prototype.phrase,
  knob,
];
