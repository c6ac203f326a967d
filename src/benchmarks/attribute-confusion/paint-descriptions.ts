import { type ImageGenerator, modelName, placedName } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { partNamed, type Step } from "../../core/step.js";
import { paintPicture } from "../paint-picture.js";

/**
 * The steps that make images from the descriptions, one for each generator: `samples` images of each
 * description. Each generator has seeds of its own: two of the lab's that both get a description right
 * would otherwise give the very same image, and one image would count twice.
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
    const part = partNamed([model.replace(/@.*$/, "")]);
    return {
      name: "paint-images",
      part,
      version: 2,
      produces: "image",
      parameters: { generator: { ...generator.identity }, seed, samples },
      asks: [placedName(generator.identity)],
      async *plan(records) {
        for await (const description of records.ofType("description")) {
          if (description.status !== "done") continue;
          for (let sample = 0; sample < samples; sample++) {
            yield {
              prompt: description.key,
              role: "description",
              sample,
              text: description.text,
              seed: randomFrom(seed, "paint", part, description.key, sample).integer(2 ** 31),
              model,
            };
          }
        }
      },
      perform: (about, context) => paintPicture(generator, about, context),
    };
  });
