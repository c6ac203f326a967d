import { once } from "../core/cache.js";
import { InputError } from "../core/errors.js";
import type { Metric } from "../core/metric.js";
import { type ChatModel, modelName } from "../core/models.js";
import {
  chatRating,
  type RatingConvention,
  type RatingWording,
  ratingWording,
} from "./chat-rating.js";

/**
 * A chat model's rating from 1 to 10 of how well an image shows the prompt that it was made from, by
 * which images are filtered (ProtoBias, section 4: 8 and above stay). The words are ours, in
 * data/metrics/prompt-rating.yaml.
 *
 * @param options.own words in place of these
 * @throws InputError for an unknown convention, a template without {text}, a model that does not chat
 *   or was made for other ratings.
 * @example promptRating({ model: openAiCompatible("qwen2.5-vl-7b"), convention: "expected" })
 */
export function promptRating(options: {
  readonly model: ChatModel;
  readonly convention?: RatingConvention;
  readonly template?: string;
  readonly own?: RatingWording | undefined;
}): Metric {
  const { identity, madeFor } = options.model;
  if (madeFor !== undefined) {
    throw new InputError(
      `Expected a model that rates from 1 to 10 for prompt-rating but received ${modelName(identity)}, ` +
        "which was made for other tasks",
      { hint: "The lab's filter is lab:filter-vqa, by its P(yes)." },
    );
  }
  return chatRating({ ...options, name: "prompt-rating", scale: 10, wording: wording() });
}

const wording = once(() => ratingWording("prompt-rating.yaml"));
