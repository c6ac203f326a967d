import type { Metric } from "../core/metric.js";
import { type CosineConvention, type CosineOptions, cosineMetric } from "./cosine.js";

/**
 * The scales on which HPS v2 is published (Wu et al. 2023, "Human Preference Score v2"):
 * - `v2`: the cosine itself, as its `score` returns it, in [-1, 1];
 * - `v2-benchmark`: 100 cosine, as its benchmark tables print it, in [-100, 100].
 * Neither is multiplied by the encoder's logit scale, which only its ranking loss uses.
 */
export const hpsConventions = {
  v2: { template: "{text}", statistic: "cosine", range: [-1, 1], of: (value) => value },
  "v2-benchmark": {
    template: "{text}",
    statistic: "100 cosine",
    range: [-100, 100],
    of: (value) => 100 * value,
  },
} as const satisfies Record<string, CosineConvention>;

export type HpsConvention = keyof typeof hpsConventions;

/**
 * Human Preference Score v2: the cosine between image and prompt in a dual encoder that learned
 * from people's rankings.
 *
 * @param options.template what the prompt is put into; published is the prompt as it is
 * @throws InputError for an unknown convention, a template without {text} or a model that embeds
 *   not both.
 * @example hps({ model: transformersJs("my/hps-v2-onnx") })
 */
export const hps = ({ convention = "v2", ...of }: CosineOptions<HpsConvention>): Metric =>
  cosineMetric("hps", hpsConventions, { ...of, convention });
