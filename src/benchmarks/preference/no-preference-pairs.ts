import type { Hash } from "../../core/keys.js";
import { randomFrom } from "../../core/random.js";
import type { DoneRecord } from "../../core/records.js";
import type { Records } from "../../core/step.js";
import type { Degradation } from "../../images/degrade.js";
import { degradationOf } from "./degrade-images.js";
import { preferenceRows } from "./preference-rows.js";

/** A pair of which it is known which image is better, or that neither is. */
export interface KnownPair {
  readonly pair: string;
  readonly caption: string;
  readonly imageA: Hash;
  readonly imageB: Hash;
  /** Null where neither is. */
  readonly better: "a" | "b" | null;
  /** Degradation by which the other image is a copy; undefined where neither is better. */
  readonly degradation?: Degradation | undefined;
}

/**
 * The first image of every pair whose images both show all that the caption says, as the truth has it:
 * those that are degraded.
 */
export async function* faultlessImages(records: Records): AsyncGenerator<DoneRecord<"image">> {
  const pairs = new Set<string>((await faultlessPairs(records)).map(({ id }) => id));
  for await (const image of records.ofType("image")) {
    if (image.status === "done" && image.role === "a" && pairs.has(image.prompt)) yield image;
  }
}

/**
 * Pairs for a test of no preference: of two images without a fault neither is better, and each such
 * pair is there in both orders; of an image and its degraded copy the image is, and stands first or
 * second by chance. Slyman et al. (2025), section 5, "MJBench-Bias".
 *
 * @returns pairs of which the truth found a fault, or that lack an image, are in none.
 */
export async function noPreferencePairs(records: Records): Promise<KnownPair[]> {
  const equal = (await faultlessPairs(records)).flatMap(({ id, caption, imageA, imageB }) => [
    { pair: `${id}/ab`, caption, imageA, imageB, better: null },
    { pair: `${id}/ba`, caption, imageA: imageB, imageB: imageA, better: null },
  ]);
  const degraded: KnownPair[] = [];
  for await (const copy of records.ofType("image")) {
    if (copy.status !== "done" || copy.role !== "degraded" || copy.madeFrom === undefined) continue;
    const isFirst = randomFrom("no preference", "order", copy.key).chance(0.5);
    degraded.push({
      pair: copy.key,
      caption: copy.text,
      imageA: isFirst ? copy.madeFrom : copy.image,
      imageB: isFirst ? copy.image : copy.madeFrom,
      better: isFirst ? "a" : "b",
      degradation: degradationOf(copy.model),
    });
  }
  return [...equal, ...degraded];
}

async function faultlessPairs(records: Records) {
  const { rows } = await preferenceRows(records);
  return rows.filter(({ wrongA, wrongB }) => wrongA === 0 && wrongB === 0);
}
