import { type Random, randomFrom } from "touchstone-t2i/internal/core/random.js";
import type { Left, Trope } from "../stereotype-table.js";
import {
  type Area,
  areasOf,
  attributes,
  groups,
  hairColours,
  peopleExtras,
  peoplePlaces,
  professions,
  signKinds,
} from "../world/people.js";
import { completedPerson } from "../world/sample.js";
import {
  type DescribedGarment,
  type Extra,
  genders,
  type Person,
  type Scene,
  skinTones,
} from "../world/scene.js";
import { carries } from "../world/truth.js";
import { colours } from "../world/vocabulary.js";
import { type PersonPrompt, readPersonPrompt } from "./skewed-prompt.js";

/**
 * Scene that a painter of this skew draws for a prompt about a person: what the prompt says, and of
 * each stereotype that is known of its subject and that the prompt leaves room for, with probability
 * `skew`, what the stereotype shows. All else is drawn evenly, from the seed.
 *
 * What a prompt does not speak of is drawn from streams of its own, so that two prompts of one seed
 * differ in what they say.
 *
 * @returns undefined where the prompt speaks of no person
 */
export function skewedScene(prompt: string, skew: number, seed: number): Scene | undefined {
  const read = readPersonPrompt(prompt);
  if (read === undefined) return undefined;
  const tropes = chosenTropes(read, skew, seed);
  const place = read.place ?? placeOf(read, tropes, stream(seed, "place"));
  const extras = extrasOf(read, tropes, stream(seed, "extras"));
  const person = personOf(read, tropes, extras, seed);
  const beside = extras.filter(({ kind }) => !carries(person, kind) || says(read, kind));
  return { subject: "person", place, extras: beside, person };
}

const stream = (seed: number, ...path: (string | number)[]): Random =>
  randomFrom(seed, "skewed", ...path);

const says = (read: PersonPrompt, kind: string) => read.extras.some((one) => one.kind === kind);

/** The stereotypes that the painter falls for this time, in an order of its own. */
function chosenTropes({ term, open }: PersonPrompt, skew: number, seed: number): Trope[] {
  const fallen = [...(term?.tropes ?? [])].filter(([item]) =>
    stream(seed, term?.term ?? "", item).chance(skew),
  );
  return stream(seed, "order")
    .shuffle(fallen)
    .map(([, trope]) => trope)
    .filter((trope) => !closedBy(trope, open));
}

/** Whether a prompt leaves this to everybody, or out. */
function closedBy(trope: Trope, open: ReadonlySet<Left>): boolean {
  const worn = "sign" in trope || "garment" in trope;
  const areas = worn ? areasOf("sign" in trope ? trope.sign : trope.garment) : [];
  return (
    ("gender" in trope && open.has("gender")) ||
    ("age" in trope && open.has("age")) ||
    ("skin" in trope && open.has("skin")) ||
    ("hair" in trope && open.has("hair")) ||
    ("attribute" in trope && open.has(meansWords.has(trope.attribute) ? "means" : "expression")) ||
    ("attribute" in trope && trope.attribute === "poor" && open.has("clothes")) ||
    ("profession" in trope && open.has("work")) ||
    (open.has("clothes") && areas.some((area) => clothed.has(area))) ||
    areas.some((area) => open.has(area as Left))
  );
}

const meansWords = new Set(["rich", "poor"]);
const clothed = new Set<Area>(["head", "neck", "over", "chest", "upper", "lower", "feet", "bag"]);

const first = <Kind extends string>(tropes: readonly Trope[], kind: Kind) =>
  tropes.find((trope): trope is Extract<Trope, Record<Kind, unknown>> => kind in trope);

function placeOf({ without }: PersonPrompt, tropes: readonly Trope[], random: Random): string {
  const wanted = first(tropes, "place")?.place;
  const even = random.pick([...peoplePlaces.keys()].filter((place) => !without.has(place)));
  return wanted === undefined || without.has(wanted) ? even : wanted;
}

function extrasOf(read: PersonPrompt, tropes: readonly Trope[], random: Random): Extra[] {
  const trope = first(tropes, "extra")?.extra;
  const own = trope === undefined || read.without.has(trope) ? [] : [{ kind: trope }];
  return (read.extras.length > 0 ? read.extras : own).map((extra) => {
    const coloured = peopleExtras.get(extra.kind)?.coloured === true;
    const colour = "colour" in extra ? extra.colour : undefined;
    const drawn = random.pick(colours);
    return { count: 1, ...extra, ...(coloured ? { colour: colour ?? drawn } : {}) };
  });
}

function personOf(
  read: PersonPrompt,
  tropes: readonly Trope[],
  extras: readonly Extra[],
  seed: number,
): Person {
  const { said, term, without } = read;
  const employed = said.profession !== undefined || term?.category === "occupational";
  const ages = employed ? (["adult", "adult", "older"] as const) : evenAges;
  const gender =
    said.gender ??
    first(tropes, "gender")?.gender ??
    stream(seed, "gender").pick(genders.filter((one) => !without.has(one)));
  const age = said.age ?? first(tropes, "age")?.age ?? stream(seed, "age").pick(ages);
  const tones = skinTones.filter((tone) => first(tropes, "skin")?.skin.includes(tone) ?? true);
  const skin = said.skin ?? stream(seed, "skin").pick(tones);
  const even = age === "older" ? "grey" : stream(seed, "hair").pick(ungrey);
  const hair = said.hair ?? first(tropes, "hair")?.hair ?? even;

  const { garments, signs } = outfitOf(read, tropes, gender);
  const blocked = (kind: string): boolean =>
    without.has(kind) ||
    signs.some((sign) => hides(sign, kind)) ||
    areasOf(kind).some((area) => read.open.has(area as Left));
  const beside = extras.map(({ kind }) => kind);
  // What is left open is drawn anew until nothing is in it that the prompt forbids.
  for (let attempt = 0; ; attempt++) {
    const random = stream(seed, "rest", attempt);
    const person = completedPerson({ gender, age, skin, hair, garments, signs }, random, beside);
    const drawn = person.garments.slice(garments.length);
    if (attempt >= mostAttempts || !drawn.some(({ kind }) => blocked(kind))) return person;
  }
}

/** An apron over shorts would leave too little of them to be seen. */
const hides = (sign: string, garment: string): boolean => sign === "apron" && garment === "shorts";

const mostAttempts = 100;
const evenAges = ["child", "adult", "adult", "adult", "older"] as const;
const ungrey = hairColours.filter((hair) => hair !== "grey");

/** Clothes and things held: first what the prompt says, then what tells its subject, then tropes. */
function outfitOf(
  { said, term, open, without }: PersonPrompt,
  tropes: readonly Trope[],
  gender: Person["gender"],
): { garments: DescribedGarment[]; signs: string[] } {
  const garments = [...said.garments];
  const signs = [...said.signs];
  const taken = new Set<Area>([...garments.map(({ kind }) => kind), ...signs].flatMap(areasOf));
  const free = (kind: string): boolean =>
    !without.has(kind) && areasOf(kind).every((area) => !taken.has(area));
  const put = (sign: string): void => {
    const wornBy = signKinds.get(sign)?.worn;
    const covers = garments.some(({ kind }) => hides(sign, kind));
    if (
      covers ||
      signs.includes(sign) ||
      !free(sign) ||
      (wornBy !== undefined && wornBy !== gender)
    )
      return;
    for (const area of areasOf(sign)) taken.add(area);
    signs.push(sign);
  };
  const [badge] = (said.group === undefined ? undefined : groups.get(said.group)?.signs) ?? [];
  const tells = [
    ...(said.attribute === undefined ? [] : (attributes.get(said.attribute)?.shows ?? [])),
    ...(badge === undefined ? [] : [badge]),
    ...(said.profession === undefined ? [] : (professions.get(said.profession)?.signs ?? [])),
    ...(term?.signs ?? []),
  ];
  tells.forEach(put);
  for (const area of ["head", "neck", "hand"] as const) if (open.has(area)) taken.add(area);
  for (const trope of tropes) {
    if ("sign" in trope) put(trope.sign);
    if ("attribute" in trope && said.attribute === undefined && !without.has(trope.attribute)) {
      attributes.get(trope.attribute)?.shows.forEach(put);
    }
    if ("profession" in trope && said.profession === undefined) {
      professions.get(trope.profession)?.signs.forEach(put);
    }
    const covered = "garment" in trope && signs.some((sign) => hides(sign, trope.garment));
    if ("garment" in trope && free(trope.garment) && !covered) {
      const { garment: kind, ...rest } = trope;
      for (const area of areasOf(kind)) taken.add(area);
      garments.push({ kind, ...rest });
    }
  }
  return { garments, signs };
}
