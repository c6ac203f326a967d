import type { Random } from "../../core/random.js";
import { peopleExtras } from "../world/people.js";
import type { DescribedExtra } from "../world/scene.js";
import { colours, extraKinds } from "../world/vocabulary.js";

type Things = readonly DescribedExtra[];

/** A mistake with the things that a sentence speaks of; undefined where there is none to make. */
export type ThingMistake = (said: Things, random: Random) => Things | undefined;

/** Puts the colour of one thing on another as well. */
export const leakColour: ThingMistake = (said, random) => {
  const leaks = said.flatMap(({ colour }, source) =>
    said.flatMap((to, target) =>
      source === target || colour === undefined || colour === to.colour || !canHaveColour(to)
        ? []
        : [{ target, colour }],
    ),
  );
  return leaks.length === 0 ? undefined : painted(said, random.pick(leaks));
};

/** Gives two things each other's colour. */
export const swapColours: ThingMistake = (said, random) => {
  const pairs = said.flatMap(({ colour: first }, source) =>
    said.flatMap(({ colour: second }, target) =>
      source < target && first !== undefined && second !== undefined && first !== second
        ? [{ source, target, first, second }]
        : [],
    ),
  );
  if (pairs.length === 0) return undefined;
  const { source, target, first, second } = random.pick(pairs);
  return painted(painted(said, { target: source, colour: second }), { target, colour: first });
};

/** Paints a thing in another colour than it was told. */
export const loseColour: ThingMistake = (said, random) => {
  const told = said.flatMap(({ colour }, target) =>
    colour === undefined ? [] : [{ target, colour }],
  );
  if (told.length === 0) return undefined;
  const { target, colour } = random.pick(told);
  return painted(said, { target, colour: random.pick(colours.filter((one) => one !== colour)) });
};

const canHaveColour = ({ kind }: DescribedExtra): boolean =>
  (extraKinds.get(kind) ?? peopleExtras.get(kind))?.coloured === true;

const painted = (
  said: Things,
  { target, colour }: { readonly target: number; readonly colour: string },
): Things => said.map((one, at) => (at === target ? { ...one, colour } : one));
