import { InputError } from "../core/errors.js";
import type { ChatTask } from "../core/judging-task.js";
import type { Metric } from "../core/metric.js";
import type { Decomposer, Localizer, Model, VisualQuestionAnswering } from "../core/models.js";
import { nearest } from "../core/nearest.js";
import { type ContractName, keeps } from "../models/contracts.js";
import { blipVqa, blipVqaConventions } from "./blip-vqa.js";
import { mllmRating, promptRating, type RatingWording, ratingConventions } from "./chat-rating.js";
import { clipConventions, clipScore } from "./clip-score.js";
import { hps, hpsConventions } from "./hps.js";
import { imageReward } from "./image-reward.js";
import { localizedConventions, parseConvention } from "./localized-convention.js";
import { localizedVqaScore } from "./localized-vqa-score.js";
import { pickScore } from "./pick-score.js";
import { protoScore, protoScoreConventions } from "./proto-score.js";
import { vqaRating, vqaScore } from "./vqa-score.js";

export interface CatalogueEntry {
  readonly name: string;
  readonly summary: string;
  /** Its number, in words. */
  readonly gives: string;
  /** What is asked of the model. */
  readonly costs: string;
  /** Contracts that a model must keep to carry the metric. */
  readonly needs: readonly ContractName[];
  /** The task of the chat model, for those that were made for some tasks alone. */
  readonly task?: ChatTask;
  /** Contracts that it needs beside, of the same model or of another. */
  readonly also?: readonly "Localizer"[];
  /** The published conventions, the default first. */
  readonly conventions: readonly string[];
  /** `make` reads parts of one, and refuses what it can't read. */
  readonly readsConvention?: true;
  /** @throws InputError where the model can't do what the metric needs. */
  make(choice: Choice): Metric;
}

interface Choice {
  readonly model: Model;
  /** Finds entities, for metrics that look at them one by one. */
  readonly localizer?: Model | undefined;
  /** Takes texts apart that come without a structure; by rules where not given. */
  readonly decomposer?: Decomposer | undefined;
  readonly convention?: string;
  readonly template?: string;
  /** Words of one's own, for metrics that a chat model rates by. */
  readonly wording?: RatingWording | undefined;
}

interface LocalizedChoice extends Choice {
  readonly model: VisualQuestionAnswering & Localizer;
  readonly localizer?: Localizer | undefined;
}

/** Passes the wording to a metric whose option for it is called `own`. */
const worded =
  (
    metric: {
      make(choice: Omit<Choice, "wording"> & { own?: RatingWording | undefined }): Metric;
    }["make"],
  ) =>
  ({ wording: own, ...choice }: Choice): Metric =>
    metric({ ...choice, own });

/** A new metric is one entry here; each metric checks itself that it can be asked of the model. */
const entries: readonly CatalogueEntry[] = [
  {
    name: "clip-score",
    summary: "how near image and text lie in a dual encoder's space",
    gives: "a scaled cosine, 0 to 2.5 in its default convention; higher is better",
    costs: "two embeddings per image",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: Object.keys(clipConventions),
    make: clipScore,
  },
  {
    name: "pick-score",
    summary:
      "how near image and text lie for an encoder that learned from people's picks, on its own scale",
    gives: "a cosine times the encoder's own scale; higher is better",
    costs: "two embeddings per image",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: [],
    make: pickScore,
  },
  {
    name: "hps",
    summary:
      "how near image and text lie for an encoder that learned from people's rankings, as HPS v2 has it",
    gives: "a cosine, scaled as HPS v2 has it; higher is better",
    costs: "two embeddings per image",
    needs: ["ImageEmbedder", "TextEmbedder"],
    conventions: Object.keys(hpsConventions),
    make: hps,
  },
  {
    name: "image-reward",
    summary: "what a network that learned from people's comparisons gives, normalised",
    gives: "a reward with mean 0 and deviation 1 over its training; higher is better",
    costs: "one call per image",
    needs: ["RewardModel"],
    conventions: [],
    make: imageReward,
  },
  {
    name: "vqa-score",
    summary: "the probability of yes to: does this show the text?",
    gives: "P(yes) to whether the image shows the text, 0 to 1; higher is better",
    costs: "one call per image",
    needs: ["VisualQuestionAnswering"],
    conventions: [],
    make: vqaScore,
  },
  {
    name: "blip-vqa",
    summary: "the probability of yes to every attribute with its entity, multiplied",
    gives: "the product of P(yes) over attributes, 0 to 1; higher is better",
    costs: "one call per attribute",
    needs: ["VisualQuestionAnswering"],
    conventions: Object.keys(blipVqaConventions),
    make: blipVqa,
  },
  {
    name: "localized-vqa-score",
    summary: "whether each entity shows its own attributes and none of the others', seen by itself",
    gives: "F1, precision or recall of attributes on localised entities, 0 to 1; higher is better",
    costs: "one mask per entity, one call per attribute and entity",
    needs: ["VisualQuestionAnswering"],
    also: ["Localizer"],
    conventions: localizedConventions,
    readsConvention: true,
    make({ model, localizer, convention, ...choice }: LocalizedChoice) {
      const chosen = convention === undefined ? undefined : parseConvention(convention);
      // The strategy `none` looks at the whole image.
      const isWhole = chosen?.strategy === "none" && !keeps(model, "Localizer");
      const finds = localizer ?? (isWhole ? undefined : model);
      return localizedVqaScore({ ...choice, ...chosen, model, localizer: finds });
    },
  },
  {
    name: "mllm-rating",
    summary: "a multimodal model's rating from 1 to 4 by strict rules",
    gives: "a rating, as stated or expected over its tokens; higher is better",
    costs: "one call per image",
    needs: ["ChatModel"],
    task: "rating",
    conventions: Object.keys(ratingConventions),
    make: worded(mllmRating),
  },
  {
    name: "prompt-rating",
    summary:
      "a chat model's rating from 1 to 10 of how well an image shows its prompt; benchmarks use it to filter out bad images",
    gives: "a rating from 1 to 10, as stated or expected over its tokens; higher is better",
    costs: "one call per image",
    needs: ["ChatModel"],
    task: "rating",
    conventions: Object.keys(ratingConventions),
    make: worded(promptRating),
  },
  {
    name: "proto-score",
    summary: "how well the image shows the text, by a model trained not to prefer typical images",
    gives: "the digit that it answers, divided by 9: 0 to 1; higher is better",
    costs: "one call per image",
    needs: ["ChatModel"],
    task: "score",
    conventions: Object.keys(protoScoreConventions),
    make: protoScore,
  },
  {
    name: "vqa-rating",
    summary:
      "the probability of yes as a rating from 1 to 10; benchmarks use it to filter out bad images",
    gives: "1 + 9 P(yes), 1 to 10; higher is better",
    costs: "one call per image",
    needs: ["VisualQuestionAnswering"],
    conventions: [],
    make: vqaRating,
  },
];

/** The metrics that are chosen by name. */
export const metricCatalogue: readonly CatalogueEntry[] = entries.map((entry) => ({
  ...entry,
  make(choice) {
    if (!entry.readsConvention) checkConvention(entry, choice.convention);
    return entry.make(choice);
  },
}));

/** Whether a metric may be asked of a model: it keeps the contracts and was made for the task. */
export const canCarry = ({ needs, task }: CatalogueEntry, model: Model): boolean =>
  needs.every((contract) => keeps(model, contract)) &&
  (task === undefined || !keeps(model, "ChatModel") || (model.madeFor?.includes(task) ?? true));

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

function checkConvention(
  { name, conventions }: Pick<CatalogueEntry, "name" | "conventions">,
  given?: string,
) {
  if (given === undefined || conventions.includes(given)) return;
  throw new InputError(
    `Expected ${conventions.length === 0 ? "no convention" : `one of ${conventions.join(", ")}`} ` +
      `after ${name}: but received "${given}"`,
  );
}
