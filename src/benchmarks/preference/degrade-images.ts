import { modelName, type Pixels } from "../../core/models.js";
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

const modelOf = (kind: Degradation, level: DegradationLevel) =>
  modelName({ provider: "degrade", model: kind, revision: `level${level}` });

const kindsOfModels = new Map(
  degradations.flatMap((kind) =>
    degradationLevels.map((level) => [modelOf(kind, level), kind] as const),
  ),
);

/** Degradation of a copy, by the model of its record; undefined for other images. */
export const degradationOf = (model: string): Degradation | undefined => kindsOfModels.get(model);

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
