import type { MetricFacts } from "../core/metric.js";
import { withoutRevision } from "../core/models.js";

/** Name of a metric on a card. @example "clip-score:hessel (lab:dual-encoder-skewed)" */
export const cardName = ({
  metric,
  convention,
  model,
}: Pick<MetricFacts, "metric" | "convention" | "model">): string =>
  `${metric}${convention === undefined ? "" : `:${convention}`} (${withoutRevision(model)})`;

/** Said of every card whose pictures the lab painted. */
export const labCaveat =
  "The lab is a world of clip art: this is no evidence about pictures of other kinds.";
