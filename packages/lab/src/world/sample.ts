import type { Random } from "touchstone-t2i/internal/core/random.js";
import {
  type Area,
  areasOf,
  attributes,
  displayPlaces,
  garmentColours,
  garmentKinds,
  groups,
  hairColours,
  patterns,
  people,
  peopleExtras,
  peoplePlaces,
  professions,
  signKinds,
} from "./people.js";
import {
  ages,
  type DescribedGarment,
  type DescribedPerson,
  type Extra,
  type Garment,
  genders,
  type Person,
  type Scene,
  skinTones,
} from "./scene.js";
import { carries, isGrown } from "./truth.js";
import { colours, extraKinds, mostOfAKind, places, subjects } from "./vocabulary.js";

/**
 * A random scene: a subject in one of its places with up to two kinds of extras, each with some
 * of count, colour, side, depth and size fixed.
 *
 * @param kinds the subjects to draw from, uniformly.
 */
export function sampleScene(random: Random, kinds: readonly string[]): Scene {
  const subject = random.pick(kinds);
  const hypernym = subjects.get(subject)?.hypernym ?? "";
  const place = random.pick([...places.values()].filter((one) => one.for.includes(hypernym))).name;
  const near = [...extraKinds.values()].filter((extra) => extra.for.includes(hypernym));
  const groups = random.chance(0.1) ? 0 : random.chance(0.6) ? 1 : 2;
  const extras = random
    .shuffle(near)
    .slice(0, groups)
    .map(({ kind, coloured }) => sampleExtra(kind, coloured, groups, random));
  return { subject, place, extras };
}

function sampleExtra(kind: string, coloured: boolean, groups: number, random: Random): Extra {
  const relation = random.pick(["none", "none", "side", "depth", "depth", "size"] as const);
  const most = relation === "size" ? 2 : mostOfAKind - (groups - 1);
  return {
    kind,
    count: random.chance(0.45) ? 1 : 1 + random.integer(most),
    ...(coloured ? { colour: random.pick(colours) } : {}),
    ...(relation === "side" ? { side: random.pick(["left", "right"] as const) } : {}),
    ...(relation === "depth" ? { depth: random.pick(["foreground", "background"] as const) } : {}),
    ...(relation === "size" ? { size: random.pick(["small", "large"] as const) } : {}),
  };
}

/** How often each sort of scene is drawn, as weights. */
export interface PeopleMix {
  /** A person alone, large, in patterned clothes. */
  readonly outfit: number;
  /** A person with things beside, and mostly with signs. */
  readonly person: number;
  /** Clothes with nobody in them. */
  readonly display: number;
  /** A person with things beside, of a group that image data favour or do not, with an attribute. */
  readonly attributed: number;
}

export const evenMix: Partial<PeopleMix> = { outfit: 4, person: 4, display: 2 };

/** A random scene of people or clothes. */
export function samplePeopleScene(random: Random, mix = evenMix): Scene {
  const { outfit = 0, person = 0, display = 0, attributed = 0 } = mix;
  const peopled = outfit + person + attributed;
  const drawn = random.next() * (peopled + display);
  if (drawn < outfit) return personScene(sampleDescribed, random);
  if (drawn < outfit + person) {
    return withExtras(personScene(sampleDescribed, random), random);
  }
  if (drawn < peopled) return withExtras(personScene(sampleAttributed, random), random);
  const garments = 1 + random.integer(3);
  return {
    subject: "clothes",
    place: random.pick([...displayPlaces.keys()]),
    extras: [],
    display: Array.from({ length: garments }, () => sampleGarment({}, random)),
  };
}

function personScene(said: (random: Random) => DescribedPerson, random: Random): Scene {
  return {
    subject: "person",
    place: random.pick([...peoplePlaces.keys()]),
    extras: [],
    person: completedPerson(said(random), random),
  };
}

function withExtras(scene: Scene, random: Random): Scene {
  const kinds = random.chance(0.75) ? 1 : 2;
  const extras = random
    .shuffle([...peopleExtras.values()].filter(({ kind }) => !carries(scene.person, kind)))
    .slice(0, kinds)
    .map(({ kind, coloured }) => sampleExtra(kind, coloured, kinds, random))
    .map((extra) => (extra.count > mostOfAKind ? { ...extra, count: mostOfAKind } : extra));
  return { ...scene, extras };
}

/** Draws what a sentence demands of a person: signs of one sort or another, else only clothes. */
function sampleDescribed(random: Random): DescribedPerson {
  const sort = random.pick([
    "clothes",
    "clothes",
    "profession",
    "group",
    "group",
    "signs",
  ] as const);
  const attribute = random.chance(sort === "profession" ? 0.1 : 0.35)
    ? { attribute: random.pick([...attributes.keys()]) }
    : {};
  const bare = { garments: [], signs: [], ...attribute };
  switch (sort) {
    case "profession":
      return { ...bare, profession: random.pick([...professions.keys()]) };
    case "group": {
      const group = random.pick([...groups.keys()]);
      const signs = groups.get(group)?.signs ?? [];
      return { ...bare, group, signs: [random.pick(signs)] };
    }
    case "signs":
      return { ...bare, signs: [random.pick([...signKinds.keys()])] };
    case "clothes":
      return bare;
  }
}

function sampleAttributed(random: Random): DescribedPerson {
  const standing = [...groups].filter(([, group]) => group.standing !== undefined);
  const [group, { signs }] = random.pick(standing);
  return {
    attribute: random.pick([...attributes.keys()]),
    group,
    garments: [],
    signs: [random.pick(signs)],
  };
}

/**
 * Completes a person for whom `said` is true: draws what it leaves open; where it demands two things for
 * one place (two hats), the first is worn.
 * @param beside things next to the person, which are therefore not carried unless stated
 */
export function completedPerson(
  said: DescribedPerson,
  random: Random,
  beside: readonly string[] = [],
): Person {
  const profession = said.profession === undefined ? undefined : professions.get(said.profession);
  const group = said.group === undefined ? undefined : (groups.get(said.group)?.signs ?? []);
  const [usual] = group ?? [];
  const taken = new Set<Area>(
    [...said.garments.map(({ kind }) => kind), ...said.signs].flatMap(areasOf),
  );
  const signs = [...said.signs];
  const garments = said.garments.map((garment) => sampleGarment(garment, random));
  const put = (sign: string): void => {
    const areas = areasOf(sign);
    if (signs.includes(sign) || areas.some((area) => taken.has(area))) return;
    for (const area of areas) taken.add(area);
    signs.push(sign);
  };
  if (said.attribute !== undefined) attributes.get(said.attribute)?.shows.forEach(put);
  if (usual !== undefined && !group?.some((sign) => signs.includes(sign))) put(usual);
  profession?.signs.forEach(put);

  // Beside clothes that were asked for the rest is plain, and none of it lies over them.
  const named = said.garments.length > 0;
  const wear = (garment: DescribedGarment): void => {
    const areas = areasOf(garment.kind);
    if (areas.some((area) => taken.has(area))) return;
    for (const area of areas) taken.add(area);
    garments.push(sampleGarment(garment, random, named ? 1 : undefined));
  };
  profession?.wears.forEach(wear);

  const wornBy = signs
    .map((sign) => signKinds.get(sign)?.worn)
    .find((gender) => gender !== undefined);
  const gender = said.gender ?? wornBy ?? random.pick(genders);
  // Nobody with a profession is a child, unless a sentence says so.
  const grown = said.profession !== undefined || isGrown(said) || random.chance(0.8);
  const age = said.age ?? (grown ? random.pick([...ages.slice(1), "adult"] as const) : "child");
  const pools = {
    upper: [
      "t-shirt",
      "shirt",
      "sweater",
      "jacket",
      ...(gender === "woman" ? ["dress"] : []),
      "coat",
    ],
    lower: ["trousers", "shorts", ...(gender === "woman" ? ["skirt", "skirt"] : [])],
  };
  const uppers = taken.has("lower") ? pools.upper.slice(0, 4) : pools.upper;
  wear({ kind: random.pick(uppers) });
  wear({ kind: random.pick(pools.lower) });
  wear({ kind: random.pick(["shoes", "boots"]) });
  // A scarf would hide a badge.
  const badge = taken.has("chest");
  for (const kind of ["scarf", "hat", "bag"]) {
    const hides = (kind === "scarf" && badge) || beside.includes(kind);
    if (random.chance(0.15) && !hides && !named) wear({ kind });
  }

  const cuts = people.cuts[age === "child" ? (gender === "woman" ? "girl" : "boy") : gender];
  const bald = said.hair === "bald" ? "bald" : undefined;
  const hair = bald === undefined ? said.hair : undefined;
  return {
    gender,
    age,
    skin: said.skin ?? random.pick(skinTones),
    cut: bald ?? random.pick(hair === undefined ? cuts : cuts.filter((cut) => cut !== "bald")),
    hair:
      hair ?? (age === "older" ? "grey" : random.pick(hairColours.filter((one) => one !== "grey"))),
    beard: gender === "man" && age !== "child" && random.chance(0.4),
    garments,
    signs,
  };
}

/** Draws a garment for which `said` is true; what it leaves open is random. */
export function sampleGarment(
  said: Partial<DescribedGarment>,
  random: Random,
  plain = 0.3,
): Garment {
  const kind = said.kind ?? random.pick([...garmentKinds.keys()]);
  const large = garmentKinds.get(kind)?.large === true;
  const drawn = !large || random.chance(plain) ? "plain" : random.pick(patterns.slice(1));
  return {
    kind,
    colour: said.colour ?? random.pick(garmentColours),
    pattern: said.pattern ?? drawn,
  };
}
