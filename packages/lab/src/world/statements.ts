import type { Random } from "touchstone-t2i/internal/core/random.js";
import { displayPlaces, peopleExtras, peoplePlaces } from "./people.js";
import { alterPeople, type PeopleTelling, tellPeople } from "./people-statements.js";
import type { DescribedExtra, Description, Extra, Scene } from "./scene.js";
import { holds } from "./truth.js";
import {
  colours,
  type ExtraKind,
  extraKinds,
  hypernyms,
  mostOfAKind,
  type Place,
  places,
  subjects,
} from "./vocabulary.js";

/** How likely each part of a scene is to be said; `attribute`: of extras that are spoken of, too. */
export interface Telling extends PeopleTelling {
  readonly place: number;
  /** P(each kind of extra is spoken of). */
  readonly extra: number;
}

/** A true description of part of a scene. Numbers above one are always said. */
export function tell(scene: Scene, telling: Telling, random: Random): Description {
  const { hypernym = "" } = subjects.get(scene.subject) ?? {};
  return {
    subject:
      tellPeople(scene, telling, random) ??
      (random.chance(telling.hypernym) ? { hypernym } : { kind: scene.subject }),
    ...(random.chance(telling.place) ? { place: scene.place } : {}),
    extras: scene.extras
      .filter(() => random.chance(telling.extra))
      .map((extra) => tellExtra(extra, telling.attribute, random)),
  };
}

function tellExtra(extra: Extra, attribute: number, random: Random): DescribedExtra {
  const { kind, count, colour, side, depth, size } = extra;
  // A phrase has one relation: "to the left of a bush in the background" is not in the grammar.
  const relations = [
    ...(side === undefined ? [] : [{ side }]),
    ...(depth === undefined ? [] : [{ depth }]),
  ];
  return {
    kind,
    ...(count > 1 || random.chance(attribute / 2) ? { count } : {}),
    ...(colour !== undefined && random.chance(attribute) ? { colour } : {}),
    ...(size !== undefined && random.chance(attribute) ? { size } : {}),
    ...(relations.length > 0 && random.chance(attribute) ? random.pick(relations) : {}),
  };
}

type Alteration = (said: Description, scene: Scene, random: Random) => Description | undefined;

/** Ways to make a true description false by one word, with how often each is tried. */
const alterations: readonly { readonly weight: number; readonly alter: Alteration }[] = [
  { weight: 12, alter: alterKnob },
  { weight: 3, alter: swapColours },
  { weight: 3, alter: alterSubject },
  { weight: 2, alter: alterPlace },
  { weight: 2, alter: alterExtraKind },
];
const lottery = alterations.flatMap(({ weight, alter }) =>
  new Array<Alteration>(weight).fill(alter),
);

const ofPeople: readonly Alteration[] = [
  ...new Array<Alteration>(3).fill(alterSubject),
  alterKnob,
  alterPlace,
  alterExtraKind,
];

/** A description that is false of the scene in one word; undefined where none came in some tries. */
export function falsify(said: Description, scene: Scene, random: Random): Description | undefined {
  for (let attempt = 0; attempt < 20; attempt++) {
    const tried = scene.person === undefined && scene.display === undefined ? lottery : ofPeople;
    const altered = random.pick(tried)(said, scene, random);
    if (altered !== undefined && !holds(altered, scene)) return altered;
  }
  return undefined;
}

/** Changes the count, colour, side, depth or size of one extra. */
function alterKnob(said: Description, _scene: Scene, random: Random): Description | undefined {
  if (said.extras.length === 0) return undefined;
  return withExtra(said, random.integer(said.extras.length), (extra) => {
    const changes = knobChanges(extra, random);
    return changes.length === 0 ? extra : { ...extra, ...random.pick(changes) };
  });
}

/** One false value for each knob that the extra's phrase has. */
export function knobChanges(extra: DescribedExtra, random: Random): Partial<DescribedExtra>[] {
  const { count, colour, side, depth, size } = extra;
  return [
    ...(count === undefined ? [] : [{ count: otherCount(count, random) }]),
    ...(colour === undefined
      ? []
      : [{ colour: random.pick(colours.filter((other) => other !== colour)) }]),
    ...(side === undefined ? [] : [{ side: side === "left" ? "right" : "left" } as const]),
    ...(depth === undefined
      ? []
      : [{ depth: depth === "foreground" ? "background" : "foreground" } as const]),
    ...(size === undefined ? [] : [{ size: size === "small" ? "large" : "small" } as const]),
  ];
}

/** Another count, off by one or two. */
function otherCount(count: number, random: Random): number {
  const near = [-2, -1, 1, 2]
    .map((step) => count + step)
    .filter((other) => other >= 1 && other <= mostOfAKind);
  return random.pick(near);
}

/** Gives each of two extras the other's colour: every word stays, the binding breaks. */
function swapColours(said: Description): Description | undefined {
  const [first, second] = said.extras;
  if (first?.colour === undefined || second?.colour === undefined) return undefined;
  return {
    ...said,
    extras: [
      { ...first, colour: second.colour },
      { ...second, colour: first.colour },
    ],
  };
}

function alterSubject(said: Description, scene: Scene, random: Random): Description | undefined {
  if ("person" in said.subject || "garments" in said.subject) {
    const subject = alterPeople(said.subject, random);
    return subject === undefined ? undefined : { ...said, subject };
  }
  const { hypernym } = subjects.get(scene.subject) ?? {};
  if ("hypernym" in said.subject) {
    return { ...said, subject: { hypernym: random.pick([...hypernyms.keys()]) } };
  }
  const siblings = [...subjects.values()].filter((one) => one.hypernym === hypernym);
  return { ...said, subject: { kind: random.pick(siblings).kind } };
}

function alterPlace(said: Description, scene: Scene, random: Random): Description | undefined {
  if (said.place === undefined) return undefined;
  return { ...said, place: random.pick([...placesLike(scene).keys()]) };
}

/** The places where a scene of this sort may be. */
export function placesLike({ person, display }: Scene): ReadonlyMap<string, Place> {
  if (person !== undefined) return peoplePlaces;
  return display === undefined ? places : displayPlaces;
}

/** The kinds of extras that may stand in a scene of this sort. */
const extrasLike = ({ person }: Scene): ReadonlyMap<string, ExtraKind> =>
  person === undefined ? extraKinds : peopleExtras;

function alterExtraKind(said: Description, scene: Scene, random: Random): Description | undefined {
  if (said.extras.length === 0) return undefined;
  return withExtra(said, random.integer(said.extras.length), (extra) => ({
    ...extra,
    kind: random.pick(
      [...extrasLike(scene).values()].filter(
        ({ coloured }) => coloured || extra.colour === undefined,
      ),
    ).kind,
  }));
}

function withExtra(
  said: Description,
  index: number,
  change: (extra: DescribedExtra) => DescribedExtra,
): Description {
  return { ...said, extras: said.extras.map((one, at) => (at === index ? change(one) : one)) };
}
