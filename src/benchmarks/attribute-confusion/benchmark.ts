import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { isByPeople } from "../../core/models.js";
import { type Benchmark, chosenNames, hasStep } from "../benchmark.js";
import { readRunRecords } from "../run-records.js";
import {
  held,
  modelIdentity,
  paintInputs,
  scoreInputs,
  scorerParameters,
  stepKind,
  textFile,
  withInputs,
} from "../step-kind.js";
import { buildDescriptions, paintDescriptions } from "./build-descriptions.js";
import type { ConfusionReport } from "./conclusion.js";
import { descriptionSets } from "./descriptions.js";
import { readOwnDescriptions } from "./own-descriptions.js";
import { checkAttributes, scoreDescriptions } from "./score-descriptions.js";

const attributeConfusionSteps = [
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

/** Does a metric hear which attribute belongs to which entity? L-VQAScore, by swapped descriptions. */
export const attributeConfusion: Benchmark<ConfusionReport> = {
  name: "attribute-confusion",
  recognises: hasStep("build-descriptions"),
  steps: attributeConfusionSteps,
  build: {
    description:
      "outfits and pairs of coloured things, each described twice, once with the attributes " +
      "swapped between entities",
    flags: [
      {
        name: "set",
        value: "NAME",
        description: `one of ${descriptionSets.join(", ")} (default: all)`,
      },
      {
        name: "descriptions",
        value: "FILE.yaml",
        isSingle: true,
        description:
          "descriptions of your own: entities with their attributes, in place of the sets",
      },
    ],
    canBeDrawable: true,
    async plan({ seed, count, drawableBy, cannotDraw, textOf, ...request }) {
      const { set = [], descriptions: [file] = [] } = request.flags;
      if (file !== undefined) {
        if (set.length > 0) {
          throw new InputError("Expected --set or --descriptions but received both");
        }
        const descriptions = await textOf(file);
        const own = readOwnDescriptions(descriptions);
        const step = buildDescriptions({ seed, own, count, cannotDraw });
        return { steps: [withInputs(step, { drawableBy, descriptions })] };
      }
      const sets = chosenNames(set, descriptionSets, "--set");
      const step = buildDescriptions({ seed, sets, count, cannotDraw });
      return { steps: [withInputs(step, { drawableBy })] };
    },
  },
  paint: ({ generator, ...options }) => paintDescriptions({ generators: [generator], ...options }),
  score: ({ metrics, world }) => [
    ...(world === undefined ? [] : [checkAttributes({ truth: world.truth.attributes })]),
    ...scoreDescriptions({ metrics }),
  ],
  async conclude(run, options) {
    const { concludeConfusion } = await import("./conclude.js");
    return concludeConfusion({ run, ...options });
  },
  async report(conclusion) {
    const { confusionReport } = await import("./report.js");
    return confusionReport(conclusion);
  },
  async built(run, options) {
    const { builtDescriptions } = await import("./tables.js");
    return builtDescriptions(run, options);
  },
  async isEmptied(run) {
    if (!hasStep("check-attributes")(run.recipe)) return false;
    const { confusionImages, isAsDescribed, isReferenced } = await import(
      "../../analysis/confusion/confusion-images.js"
    );
    const { images } = confusionImages(await readRunRecords(run));
    return isReferenced(images) && !images.some(isAsDescribed);
  },
  async cards(run, options) {
    const { swapCards } = await import("./swap-cards.js");
    return swapCards(run, options);
  },
  async tables(run, options) {
    const { confusionTables } = await import("./tables.js");
    return confusionTables(run, options);
  },
};
