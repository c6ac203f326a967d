import type { Hash } from "../../core/keys.js";
import { modelName, type Pixels } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { DoneRecord } from "../../core/records.js";
import type { Records, Step } from "../../core/step.js";
import {
  type Degradation,
  type DegradationLevel,
  degradationLevels,
  degradations,
  degrade,
} from "../../images/degrade.js";
import { encodePng } from "../../images/pixels-picture.js";
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

const modelOf = (kind: Degradation, level: DegradationLevel) =>
  modelName({ provider: "degrade", model: kind, revision: `level${level}` });

const kindsOfModels = new Map(
  degradations.flatMap((kind) =>
    degradationLevels.map((level) => [modelOf(kind, level), kind] as const),
  ),
);

/** Degradation of a copy, by the model of its record; undefined for other images. */
const degradationOf = (model: string): Degradation | undefined => kindsOfModels.get(model);

/**
 * The step that makes a degraded copy of each image in each of the ways there are. What is wrong with
 * a copy needs no truth: it is worse than the image by how it was made.
 */
export function degradeImages({
  images,
  level,
  mark = () => {},
}: {
  /** Which to degrade, from the records that exist; each time in the same order. */
  images(records: Records): AsyncIterable<DoneRecord<"image">>;
  readonly level: DegradationLevel;
  /** Done to a copy's pixels in place, so that models that take only such images know it. */
  readonly mark?: (pixels: Pixels) => void;
}): Step<"image"> {
  return {
    name: "degrade-images",
    version: 1,
    produces: "image",
    parameters: { level, degradations: [...degradations] },
    async *plan(records) {
      for await (const { prompt, image, text, seed } of images(records)) {
        for (const kind of degradations) {
          yield {
            prompt,
            role: "degraded",
            sample: 0,
            text,
            madeFrom: image,
            seed,
            model: modelOf(kind, level),
          };
        }
      }
    },
    async perform({ madeFrom, model }, { openPicture, writeBlob }) {
      const degradation = degradationOf(model);
      if (madeFrom === undefined || degradation === undefined) {
        throw new Error(`No copy by ${model} was planned`);
      }
      const whole = await (await openPicture(madeFrom)).pixels();
      const { width, height, data } = degrade(whole, { degradation, level, seed: madeFrom });
      // Where nothing was to be changed the picture's own pixels come back.
      const copy = { width, height, data: data === whole.data ? data.slice() : data };
      mark(copy);
      const mediaType = "image/png";
      return { image: await writeBlob(encodePng(copy), mediaType), mediaType, width, height };
    },
  };
}
