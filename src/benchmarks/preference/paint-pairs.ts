import { type ImageGenerator, modelName } from "../../core/models.js";
import { pairSides } from "../../core/records.js";
import { partNamed, type Step } from "../../core/step.js";
import { paintPicture } from "../paint-picture.js";

/** The steps that paint the pairs, one for each painter, each of which paints its pictures of every pair. */
export const paintPairs = ({
  painters,
}: {
  /** By the name that pairs have it by. */
  readonly painters: ReadonlyMap<string, ImageGenerator>;
}): Step<"image">[] =>
  [...painters].map(([name, generator]) => {
    const model = modelName(generator.identity);
    return {
      name: "paint-pairs",
      part: partNamed([name]),
      version: 1,
      produces: "image",
      parameters: { painter: name, generator: { ...generator.identity } },
      async *plan(records) {
        for await (const pair of records.ofType("pair")) {
          if (pair.status !== "done") continue;
          for (const side of pairSides) {
            if ((side === "a" ? pair.painterA : pair.painterB) !== name) continue;
            yield {
              prompt: pair.key,
              role: side,
              sample: 0,
              text: pair.caption,
              seed: side === "a" ? pair.seedA : pair.seedB,
              model,
            };
          }
        }
      },
      perform: (about, context) => paintPicture(generator, about, context),
    };
  });
