import { InputError } from "../../core/errors.js";
import { type Benchmark, hasStep } from "../benchmark.js";
import { chosenNames } from "../chosen-names.js";
import { readRunRecords } from "../run-records.js";
import { withInputs } from "../step-kind.js";
import { buildDescriptions } from "./build-descriptions.js";
import type { ConfusionReport } from "./conclusion.js";
import { descriptionSets } from "./descriptions.js";
import { readOwnDescriptions } from "./own-descriptions.js";
import { paintDescriptions } from "./paint-descriptions.js";
import { checkAttributes, scoreDescriptions } from "./score-descriptions.js";
import { attributeConfusionSteps } from "./steps.js";

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
