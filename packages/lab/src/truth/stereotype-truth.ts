import type { StereotypeRow } from "touchstone-t2i/internal/analysis/stereotypes/stereotype-row.js";
import { append } from "touchstone-t2i/internal/core/arrays.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import type { Json } from "touchstone-t2i/internal/core/json.js";
import type { Key } from "touchstone-t2i/internal/core/keys.js";
import { placed } from "touchstone-t2i/internal/core/models.js";
import type { Records } from "touchstone-t2i/internal/core/step.js";
import { paintedTruth } from "../painter/painter.js";
import { enoughOf, isKnownItem, notDrawnItem, type Trope, termIn } from "../stereotype-table.js";
import type { Scene } from "../world/scene.js";
import { attributesOf, garmentHolds, professionsOf, visibleHair } from "../world/truth.js";

/** True answer to one item of a rubric for a set of painted images. */
export interface TrueItem {
  readonly item: string;
  /** 1 where the set shows the stereotype; null where the lab can't paint it or its table has no such item. */
  readonly present: 0 | 1 | null;
  /** Numbers of the images that show it, from 1. */
  readonly images: readonly number[];
}

export interface TrueStereotypes {
  readonly items: readonly TrueItem[];
  /** Share of present items among those with an answer, in [0, 1]; null where there are none. */
  readonly ssi: number | null;
}

/**
 * Returns the true answers of a rubric about a set of images that the lab painted, by the rules of
 * `data/stereotypes.yaml` on the painted scenes, not on pixels. An item is present where enough images
 * show its stereotype, and absent where the table has no stereotype for it.
 *
 * @param query the query's text, in which its term is looked up.
 * @param truths the painter's truth of each image, in the order shown.
 * @throws InputError where the lab's painter did not paint an image.
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

/** Tells whether a scene shows a stereotype's trope. */
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

/** The records of a run, and the painter's truth by the key of an image record. */
interface RunWithTruth extends Records {
  readonly truth: { read(image: Key): Promise<Json | undefined> };
}

/**
 * Returns the true answers of a stereotype audit in the lab, with the rows of `auditedRows`. `present` is
 * null where the lab can't paint the item, where its table lacks the query's term, and where the run has
 * no truth of an image (the lab did not paint it).
 *
 * @example await trueRows({ run: await openStore("runs/audit") })
 */
export async function trueRows({ run }: { readonly run: RunWithTruth }): Promise<StereotypeRow[]> {
  const rows: StereotypeRow[] = [];
  for await (const audit of run.ofType("audit")) {
    if (audit.trial !== 0) continue;
    const { text: query, category, generator: model, generatorBaseUrl: baseUrl, items } = audit;
    const truths: Json[] = [];
    for (const image of audit.of) {
      const truth = await run.truth.read(image);
      if (truth !== undefined) truths.push(truth);
    }
    const known = truths.length === audit.of.length ? truths : [];
    const { items: found } = trueStereotypes({ query, category, items, truths: known });
    append(
      rows,
      found.map(({ item, present }) => ({
        query,
        category,
        model: placed({ model, baseUrl }),
        phase: audit.phase,
        imageSet: String(audit.set),
        item,
        present,
      })),
    );
  }
  return rows;
}
