import { InputError } from "../core/errors.js";
import type { Metric } from "../core/metric.js";
import type { Model } from "../core/models.js";
import { nearest } from "../core/nearest.js";
import type { ContractName } from "../models/contracts.js";
import { checkModel } from "./check-model.js";
import { type ClipConvention, clipConventions, clipScore } from "./clip-score.js";
import { type HpsConvention, hps, hpsConventions } from "./hps.js";
import { imageReward } from "./image-reward.js";
import { pickScore } from "./pick-score.js";
import { vqaRating } from "./vqa-rating.js";
import { vqaScore } from "./vqa-score.js";

export interface CatalogueEntry {
  readonly name: string;
  readonly summary: string;
  /** What a model must be able to do to carry the metric. */
  readonly needs: readonly ContractName[];
  /** The published conventions, the default first. */
  readonly conventions: readonly string[];
  /** @throws InputError where the model can't do what the metric needs. */
  make(choice: {
    readonly model: Model;
    readonly convention?: string;
    readonly template?: string;
  }): Metric;
}

/** The metrics that are chosen by name. A new one is one entry here. */
export const metricCatalogue: readonly CatalogueEntry[] = [
  {
    name: "clip-score",
    summary: "how near image and text lie in a dual encoder's space",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: Object.keys(clipConventions),
    make({ model, convention, ...wording }) {
      checkModel(model, { metric: this.name, needs: ["ImageEmbedder", "TextEmbedder"] });
      return clipScore({ model, ...conventionOf<ClipConvention>(this, convention), ...wording });
    },
  },
  {
    name: "pick-score",
    summary: "the same in an encoder that learned from people's picks, on its own scale",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: [],
    make({ model, convention, ...wording }) {
      checkModel(model, { metric: this.name, needs: ["ImageEmbedder", "TextEmbedder"] });
      conventionOf(this, convention);
      return pickScore({ model, ...wording });
    },
  },
  {
    name: "hps",
    summary: "the same in an encoder that learned from people's rankings, as HPS v2 has it",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: Object.keys(hpsConventions),
    make({ model, convention, ...wording }) {
      checkModel(model, { metric: this.name, needs: ["ImageEmbedder", "TextEmbedder"] });
      return hps({ model, ...conventionOf<HpsConvention>(this, convention), ...wording });
    },
  },
  {
    name: "image-reward",
    summary: "what a network that learned from people's comparisons gives, normalised",
    needs: ["RewardModel"],
    conventions: [],
    make({ model, convention, ...wording }) {
      checkModel(model, { metric: this.name, needs: ["RewardModel"] });
      conventionOf(this, convention);
      return imageReward({ model, ...wording });
    },
  },
  {
    name: "vqa-score",
    summary: "the probability of yes to: does this show the text?",
    needs: ["VisualQuestionAnswering"],
    conventions: [],
    make({ model, convention, ...wording }) {
      checkModel(model, { metric: this.name, needs: ["VisualQuestionAnswering"] });
      conventionOf(this, convention);
      return vqaScore({ model, ...wording });
    },
  },
  {
    name: "vqa-rating",
    summary: "the same probability on the scale of 1 to 10 by which images are filtered",
    needs: ["VisualQuestionAnswering"],
    conventions: [],
    make({ model, convention, ...wording }) {
      checkModel(model, { metric: this.name, needs: ["VisualQuestionAnswering"] });
      conventionOf(this, convention);
      return vqaRating({ model, ...wording });
    },
  },
];

/** @throws InputError with the nearest name as hint. */
export function metricByName(name: string): CatalogueEntry {
  const entry = metricCatalogue.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  const names = metricCatalogue.map((candidate) => candidate.name);
  const meant = nearest(name, names);
  throw new InputError(`Expected one of ${names.join(", ")} for --metric but received "${name}"`, {
    hint:
      meant === undefined
        ? "A metric of your own is the path of a module: --metric ./mine.mjs"
        : `Did you mean ${meant}? A metric of your own is the path of a module: ./mine.mjs`,
  });
}

function conventionOf<Convention extends string>(
  { name, conventions }: CatalogueEntry,
  convention: string | undefined,
): { convention?: Convention } {
  if (convention === undefined) return {};
  if (!conventions.includes(convention)) {
    throw new InputError(
      `Expected ${conventions.length === 0 ? "no convention" : `one of ${conventions.join(", ")}`} ` +
        `after ${name}: but received "${convention}"`,
    );
  }
  // Each entry lists its metric's own.
  return { convention: convention as Convention };
}
