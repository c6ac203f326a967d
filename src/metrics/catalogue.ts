import { InputError } from "../core/errors.js";
import type { ChatTask } from "../core/judging-task.js";
import type { Metric } from "../core/metric.js";
import type { Decomposer, Model } from "../core/models.js";
import { nearest } from "../core/nearest.js";
import { type ContractName, keeps } from "../models/contracts.js";
import { type BlipVqaConvention, blipVqa, blipVqaConventions } from "./blip-vqa.js";
import { type RatingConvention, type RatingWording, ratingConventions } from "./chat-rating.js";
import { checkModel } from "./check-model.js";
import { type ClipConvention, clipConventions, clipScore } from "./clip-score.js";
import { type HpsConvention, hps, hpsConventions } from "./hps.js";
import { imageReward } from "./image-reward.js";
import {
  type LocalizedConvention,
  localizedConventions,
  parseConvention,
} from "./localized-convention.js";
import { localizedVqaScore, localizingHints } from "./localized-vqa-score.js";
import { type MllmConvention, mllmConventions, mllmRating } from "./mllm-rating.js";
import { pickScore } from "./pick-score.js";
import { promptRating } from "./prompt-rating.js";
import { type ProtoScoreConvention, protoScore, protoScoreConventions } from "./proto-score.js";
import { vqaRating } from "./vqa-rating.js";
import { vqaScore } from "./vqa-score.js";

export interface CatalogueEntry {
  readonly name: string;
  readonly summary: string;
  /** Contracts that a model must keep to carry the metric. */
  readonly needs: readonly ContractName[];
  /** The task of the chat model, for those that were made for some tasks alone. */
  readonly task?: ChatTask;
  /** Contracts that it needs beside, of the same model or of another. */
  readonly also?: readonly "Localizer"[];
  /** The published conventions, the default first. */
  readonly conventions: readonly string[];
  /** @throws InputError where the model can't do what the metric needs. */
  make(choice: {
    readonly model: Model;
    /** Finds entities, for metrics that look at them one by one. */
    readonly localizer?: Model | undefined;
    /** Takes texts apart that come without a structure; by rules where not given. */
    readonly decomposer?: Decomposer | undefined;
    readonly convention?: string;
    readonly template?: string;
    /** Words of one's own, for metrics that a chat model rates by. */
    readonly wording?: RatingWording | undefined;
  }): Metric;
}

/** The metrics that are chosen by name. A new one is one entry here. */
export const metricCatalogue: readonly CatalogueEntry[] = [
  {
    name: "clip-score",
    summary: "how near image and text lie in a dual encoder's space",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: Object.keys(clipConventions),
    make({ model, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["ImageEmbedder", "TextEmbedder"] });
      return clipScore({
        model,
        ...conventionOf<ClipConvention>(this, convention),
        ...worded(template),
      });
    },
  },
  {
    name: "pick-score",
    summary:
      "how near image and text lie for an encoder that learned from people's picks, on its own scale",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: [],
    make({ model, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["ImageEmbedder", "TextEmbedder"] });
      conventionOf(this, convention);
      return pickScore({ model, ...worded(template) });
    },
  },
  {
    name: "hps",
    summary:
      "how near image and text lie for an encoder that learned from people's rankings, as HPS v2 has it",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: Object.keys(hpsConventions),
    make({ model, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["ImageEmbedder", "TextEmbedder"] });
      return hps({ model, ...conventionOf<HpsConvention>(this, convention), ...worded(template) });
    },
  },
  {
    name: "image-reward",
    summary: "what a network that learned from people's comparisons gives, normalised",
    needs: ["RewardModel"],
    conventions: [],
    make({ model, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["RewardModel"] });
      conventionOf(this, convention);
      return imageReward({ model, ...worded(template) });
    },
  },
  {
    name: "vqa-score",
    summary: "the probability of yes to: does this show the text?",
    needs: ["VisualQuestionAnswering"],
    conventions: [],
    make({ model, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["VisualQuestionAnswering"] });
      conventionOf(this, convention);
      return vqaScore({ model, ...worded(template) });
    },
  },
  {
    name: "blip-vqa",
    summary: "the probability of yes to every attribute with its entity, multiplied",
    needs: ["VisualQuestionAnswering"],
    conventions: Object.keys(blipVqaConventions),
    make({ model, decomposer, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["VisualQuestionAnswering"] });
      return blipVqa({
        model,
        decomposer,
        ...conventionOf<BlipVqaConvention>(this, convention),
        ...worded(template),
      });
    },
  },
  {
    name: "localized-vqa-score",
    summary: "whether each entity shows its own attributes and none of the others', seen by itself",
    needs: ["VisualQuestionAnswering"],
    also: ["Localizer"],
    conventions: localizedConventions,
    make({ model, localizer, decomposer, convention, template }) {
      const chosen: Partial<LocalizedConvention> =
        convention === undefined ? {} : parseConvention(convention);
      const finds = localizer ?? (canGoWithout(model, chosen) ? undefined : model);
      const { answerer, finder } = localizingHints;
      checkModel(model, { metric: this.name, needs: ["VisualQuestionAnswering"], hint: answerer });
      if (finds !== undefined) {
        checkModel(finds, { metric: this.name, needs: ["Localizer"], hint: finder });
      }
      return localizedVqaScore({
        model,
        localizer: finds,
        decomposer,
        ...chosen,
        ...worded(template),
      });
    },
  },
  {
    name: "mllm-rating",
    summary: "a multimodal model's rating from 1 to 4 by strict rules",
    needs: ["ChatModel"],
    task: "rating",
    conventions: Object.keys(mllmConventions),
    make({ model, convention, template, wording }) {
      checkModel(model, { metric: this.name, needs: ["ChatModel"] });
      return mllmRating({
        model,
        ...conventionOf<MllmConvention>(this, convention),
        ...worded(template),
        own: wording,
      });
    },
  },
  {
    name: "prompt-rating",
    summary: "a chat model's rating from 1 to 10, by which images are filtered",
    needs: ["ChatModel"],
    task: "rating",
    conventions: Object.keys(ratingConventions),
    make({ model, convention, template, wording }) {
      checkModel(model, { metric: this.name, needs: ["ChatModel"] });
      return promptRating({
        model,
        ...conventionOf<RatingConvention>(this, convention),
        ...worded(template),
        own: wording,
      });
    },
  },
  {
    name: "proto-score",
    summary: "the digit that a model trained against prototypicality answers",
    needs: ["ChatModel"],
    task: "score",
    conventions: Object.keys(protoScoreConventions),
    make({ model, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["ChatModel"] });
      return protoScore({
        model,
        ...conventionOf<ProtoScoreConvention>(this, convention),
        ...worded(template),
      });
    },
  },
  {
    name: "vqa-rating",
    summary: "the probability of yes on the scale of 1 to 10 by which images are filtered",
    needs: ["VisualQuestionAnswering"],
    conventions: [],
    make({ model, convention, template }) {
      checkModel(model, { metric: this.name, needs: ["VisualQuestionAnswering"] });
      conventionOf(this, convention);
      return vqaRating({ model, ...worded(template) });
    },
  },
];

/** Whether a metric may be asked of a model: it keeps the contracts and was made for the task. */
export const canCarry = ({ needs, task }: CatalogueEntry, model: Model): boolean =>
  needs.every((contract) => keeps(model, contract)) &&
  (task === undefined || !keeps(model, "ChatModel") || (model.madeFor?.includes(task) ?? true));

/** The strategy `none` looks at the whole image. */
const canGoWithout = (model: Model, { strategy }: Partial<LocalizedConvention>) =>
  strategy === "none" && !keeps(model, "Localizer");

const worded = (template: string | undefined) => (template === undefined ? {} : { template });

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
