import { type ImageGenerator, modelName } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { Step } from "../../core/step.js";
import { partNamed } from "../../core/step-part.js";
import { paintPicture } from "../paint-picture.js";

/**
 * The steps that make images from the descriptions, one for each generator: `samples` images of each
 * description. Generators share the seeds.
 */
export const paintDescriptions = ({
  generators,
  seed,
  samples = 1,
}: {
  readonly generators: readonly ImageGenerator[];
  readonly seed: number;
  readonly samples?: number;
}): Step<"image">[] =>
  generators.map((generator) => {
    const model = modelName(generator.identity);
    return {
      name: "paint-images",
      part: partNamed([model.replace(/@.*$/, "")]),
      version: 1,
      produces: "image",
      parameters: { generator: { ...generator.identity }, seed, samples },
      async *plan(records) {
        for await (const description of records.ofType("description")) {
          if (description.status !== "done") continue;
          for (let sample = 0; sample < samples; sample++) {
            yield {
              prompt: description.key,
              role: "description",
              sample,
              text: description.text,
              seed: randomFrom(seed, "paint", description.key, sample).integer(2 ** 31),
              model,
            };
          }
        }
      },
      perform({ text, seed: itsSeed, prompt, role, sample }, context) {
        const place = { prompt, role, sample };
        return paintPicture(generator, { prompt: text, seed: itsSeed, place }, context);
      },
    };
  });
