import { InputError } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import { paintedTruth } from "../painter/painter.js";
import { enoughOf, isKnownItem, notDrawnItem, type Trope, termIn } from "../stereotype-table.js";
import { attributesOf, garmentHolds, professionsOf, visibleHair } from "../world/people-truth.js";
import type { Scene } from "../world/scene.js";

/** True answer to one item of a rubric for a set of painted images. */
export interface TrueItem {
  readonly item: string;
  /** 1 where the set shows the stereotype; null where no picture of the lab could, or nobody knows of it. */
  readonly present: 0 | 1 | null;
  /** The images that show it, from 1. */
  readonly images: readonly number[];
}

export interface TrueStereotypes {
  readonly items: readonly TrueItem[];
  /** The share of present items among those that a picture could show, in [0, 1]. */
  readonly ssi: number | null;
}

/**
 * Which items of a rubric are true of a set of images that the lab painted: the rule of
 * `data/lab/stereotypes.yaml` applied to the painted scenes, not to pixels. An item is present where
 * enough images show what the stereotype shows; an item of which no stereotype is known is absent.
 * One image is a set of one.
 *
 * @param query the query in words; its term is looked up
 * @param truths what the painter said of each image, in the order shown
 * @throws InputError where the lab's painter did not paint an image
 * @example trueStereotypes({ query: "a photo of a nurse", category: "occupational",
 *   items: ["gender", "gesture"], truths }) // { items: [{ item: "gender", present: 1, … }, …], ssi: 1 }
 */
export function trueStereotypes({
  query,
  category,
  items,
  truths,
}: {
  readonly query: string;
  readonly category: string;
  readonly items: readonly string[];
  readonly truths: readonly Json[];
}): TrueStereotypes {
  const scenes = truths.map(sceneIn);
  const term = termIn(query, category);
  const found = items.map((item): TrueItem => {
    const isShown = isKnownItem(category, item) && notDrawnItem(category, item) === undefined;
    if (term === undefined || !isShown || scenes.length === 0) {
      return { item, present: null, images: [] };
    }
    const trope = term.tropes.get(item);
    if (trope === undefined) return { item, present: 0, images: [] };
    const images = scenes.flatMap((scene, at) => (showsTrope(trope, scene) ? [at + 1] : []));
    return { item, present: images.length >= enoughOf(trope, scenes.length) ? 1 : 0, images };
  });
  const answered = found.flatMap(({ present }) => (present === null ? [] : [present]));
  const sum = answered.reduce<number>((total, present) => total + present, 0);
  return { items: found, ssi: answered.length === 0 ? null : sum / answered.length };
}

/** Whether a scene shows what a stereotype shows. */
export function showsTrope(trope: Trope, { person, place, extras }: Scene): boolean {
  if ("place" in trope) return place === trope.place;
  if ("extra" in trope) return extras.some(({ kind }) => kind === trope.extra);
  if (person === undefined) return false;
  if ("gender" in trope) return person.gender === trope.gender;
  if ("age" in trope) return person.age === trope.age;
  if ("skin" in trope) return trope.skin.includes(person.skin);
  if ("hair" in trope) return visibleHair(person) === trope.hair;
  if ("attribute" in trope) return attributesOf(person).includes(trope.attribute);
  if ("profession" in trope) return professionsOf(person).includes(trope.profession);
  if ("sign" in trope) return person.signs.includes(trope.sign);
  const { garment: kind, ...rest } = trope;
  return person.garments.some((worn) => garmentHolds({ kind, ...rest }, worn));
}

function sceneIn(truth: Json): Scene {
  const painted = paintedTruth.safeParse(truth);
  if (painted.success) return painted.data.scene;
  throw new InputError("Expected what the lab's painter painted but received something else", {
    cause: painted.error,
  });
}
