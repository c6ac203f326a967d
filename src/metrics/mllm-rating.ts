import { once } from "../core/cache.js";
import type { Metric } from "../core/metric.js";
import type { ChatModel } from "../core/models.js";
import {
  chatRating,
  type RatingConvention,
  type RatingWording,
  ratingConventions,
  ratingWording,
} from "./chat-rating.js";

/** How the rating is read: see `ratingConventions`. */
export const mllmConventions = ratingConventions;

export type MllmConvention = RatingConvention;

/**
 * A multimodal model as a judge of one image: how much of the text's meaning it shows, from 1 (the
 * main subject is wrong) to 4 (all of it), by the strict rules of data/metrics/mllm-rating.yaml.
 * The idea of the rules is ProtoBias' (Table 6); the words are ours.
 *
 * @param options.template the question, with {text} where the text goes; how it is to be answered is
 *   said after it
 * @param options.own words in place of these
 * @throws InputError for an unknown convention, a template without {text} or a model that does not
 *   chat.
 */
export const mllmRating = (options: {
  readonly model: ChatModel;
  readonly convention?: MllmConvention;
  readonly template?: string;
  readonly own?: RatingWording | undefined;
}): Metric => chatRating({ ...options, name: "mllm-rating", scale: 4, wording: wording() });

const wording = once(() => ratingWording("mllm-rating.yaml"));
