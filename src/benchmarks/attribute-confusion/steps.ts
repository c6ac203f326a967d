import { z } from "zod";
import { isByPeople } from "../../core/models.js";
import { chosenNames } from "../chosen-names.js";
import {
  held,
  modelIdentity,
  paintInputs,
  scoreInputs,
  scorerParameters,
  stepKind,
  textFile,
} from "../step-kind.js";
import { buildDescriptions } from "./build-descriptions.js";
import { descriptionSets } from "./descriptions.js";
import { readOwnDescriptions } from "./own-descriptions.js";
import { paintDescriptions } from "./paint-descriptions.js";
import { checkAttributes } from "./score-descriptions.js";

export const attributeConfusionSteps = [
  stepKind({
    name: "build-descriptions",
    version: 1,
    title: "Writing descriptions",
    cost: 1,
    parameters: z.object({
      seed: z.int(),
      sets: z.array(z.string()),
      drawableOnly: z.boolean(),
      count: z.int().optional(),
      descriptions: z.string().optional(),
    }),
    inputs: z.object({ descriptions: textFile.optional(), drawableBy: z.string().optional() }),
    async make({ sets, drawableOnly, descriptions, ...rest }, inputs, sources) {
      const cannotDraw = drawableOnly
        ? await sources.cannotDraw(held(inputs.drawableBy, "who can draw its descriptions"))
        : undefined;
      return buildDescriptions({
        ...rest,
        cannotDraw,
        ...(descriptions === undefined
          ? { sets: chosenNames(sets, descriptionSets, "sets") }
          : {
              own: readOwnDescriptions(
                held(inputs.descriptions, "what stood in the file of descriptions"),
              ),
            }),
      });
    },
  }),
  stepKind({
    name: "paint-images",
    version: 2,
    title: "Painting pictures",
    cost: 10,
    parameters: z.object({ generator: modelIdentity, seed: z.int(), samples: z.int().positive() }),
    inputs: paintInputs,
    async make({ generator, ...rest }, inputs, sources) {
      const generators = [await sources.generator(generator, inputs)];
      const [step] = paintDescriptions({ ...rest, generators });
      return held(step, "who paints");
    },
  }),
  stepKind({
    name: "check-attributes",
    version: 1,
    title: "Comparing attributes with the truth",
    cost: 1,
    parameters: scorerParameters.pick({ model: true }).extend({ block: z.string().optional() }),
    inputs: scoreInputs,
    make: async ({ model, block = "" }, { study }, { people, world }) =>
      isByPeople({ model })
        ? people(held(study, "where the study lies"), block)
        : checkAttributes({ truth: (await world()).truth.attributes }),
  }),
];
