import { randomFrom } from "../../core/random.js";
import type { promptSplits } from "../../core/records.js";
import type { Knob, Pair } from "./taxonomy.js";
import { knobValues, type Templates, wrongValues } from "./templates.js";
import type { TripletRequest } from "./triplet.js";

export type Split = (typeof promptSplits)[number];

/** Which share of the texts each split gets; together 1. */
export type SplitShares = Readonly<Record<Split, number>>;

/** Where a pair stands, and beside what. */
export interface Place {
  readonly environment: string;
  readonly extra: string;
}

/** Content of a text apart from its subject, and the split that it belongs to. */
export interface Scene extends Place {
  readonly right: string;
  readonly split: Split;
}

/** Says which split a pair's prompts at one place are in, where one knob is turned. */
export type Splitter = (pair: Pair, knob: Knob, place: Place) => Split;

/** Every place at which a pair can be shown with one knob turned, in the order of the settings. */
export const placesOf = (pair: Pair, knob: Knob, templates: Templates): Place[] =>
  (templates.settings[pair.domain] ?? [])
    .filter(({ categories }) => categories.includes(pair.category))
    .flatMap(({ environments, extras }) =>
      environments.flatMap((environment) =>
        extras
          .filter((extra) => !pair.without.includes(extra))
          .filter((extra) => knobValues(templates, knob, extra).length > 0)
          .map((extra) => ({ environment, extra })),
      ),
    );

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
  const scenes = placesOf(pair, knob, templates).flatMap((place) => {
    const split = splitOf(pair, knob, place);
    return knobValues(templates, knob, place.extra).map((right) => ({ ...place, right, split }));
  });
  return randomFrom(seed, "scenes", ...pathOf(pair, knob)).shuffle(scenes);
}

/** Request for a pair in a scene; the wrong value is drawn from `seed`. */
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
