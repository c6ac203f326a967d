import { placed, withoutRevision } from "../../core/models.js";
import type { EvaluatedMetric } from "../pairs/triplets.js";

export type NamedMetric = Pick<EvaluatedMetric, "id" | "metric" | "model" | "baseUrl">;

type WithMetrics = { readonly metrics: readonly NamedMetric[] };

/**
 * The metric that results speak of by its id. Its model goes without the revision where no other
 * model has the name, and with the address where the model is asked at another, too; all stands where the page says how numbers were made.
 */
export function metricOf({ metrics }: WithMetrics, id: string): NamedMetric {
  const found = metrics.find((metric) => metric.id === id);
  if (found === undefined) return { id, metric: id, model: "" };
  const { metric, model } = found;
  const short = withoutRevision(model);
  const isShared = metrics.some(
    (other) => other.model !== model && withoutRevision(other.model) === short,
  );
  const isElsewhere = metrics.some(
    (other) => other.model === model && other.baseUrl !== found.baseUrl,
  );
  const shown = isShared ? model : short;
  const { baseUrl } = found;
  return { id, metric, model: isElsewhere ? placed({ model: shown, baseUrl }) : shown };
}

/**
 * Name of a metric in a sentence: its name; with its model where another metric has the name, too;
 * its id where even the model is the same.
 */
export function spokenName({ metrics }: WithMetrics, id: string): string {
  const { metric, model } = metricOf({ metrics }, id);
  const namesakes = metrics.filter((other) => other.metric === metric && other.id !== id);
  if (namesakes.length === 0 || model === "") return metric;
  const isShared = namesakes.some((other) => metricOf({ metrics }, other.id).model === model);
  return isShared ? id : `${metric} with ${model}`;
}
