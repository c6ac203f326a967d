import type { Metric } from "../core/metric.js";
import { modelFacts, type RewardModel } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { checkModel } from "./check-model.js";
import { checkTemplate, fillTemplate } from "./template.js";

const name = "image-reward";

/** Mean and deviation of the published network's rewards, as its public code has them. */
const published = { mean: 0.16717362830052426, deviation: 1.0333394966054072 };

/** In deviations. The reward has no bounds; beyond this it is no answer of a sound network. */
const furthest = 10;

/**
 * ImageReward: what a network that learned from people's comparisons gives an image for a prompt,
 * normalised to mean 0 and deviation 1 (Xu et al. 2023, "ImageReward"): (reward - mean) / deviation.
 * Published values lie between -2.5 and 2.5 or so; below 0 is worse than the average.
 *
 * @param options.mean of the network's rewards; by default the published network's
 * @param options.deviation the same for their standard deviation
 * @throws InputError for a template without {text} or a model that gives no rewards.
 */
export function imageReward({
  model,
  template,
  mean = published.mean,
  deviation = published.deviation,
}: {
  readonly model: RewardModel;
  readonly template?: string;
  readonly mean?: number;
  readonly deviation?: number;
}): Metric {
  checkModel(model, { metric: name, needs: ["RewardModel"] });
  const wording = checkTemplate(template ?? model.templates?.[name] ?? "{text}");
  const isPublished = mean === published.mean && deviation === published.deviation;
  return {
    name,
    version: 1,
    convention: isPublished ? "v1.0" : `mean ${mean}, deviation ${deviation}`,
    template: wording,
    statistic: "(reward - mean) / deviation",
    ...modelFacts(model.identity),
    range: [-furthest, furthest],
    direction: "higher",
    async score({ image, text }, options) {
      const reward = await model.reward(image, fillTemplate(wording, text), options);
      if (!Number.isFinite(reward)) throw new NoAnswer("unparsable", `The reward is ${reward}`);
      return { value: (reward - mean) / deviation };
    },
  };
}
