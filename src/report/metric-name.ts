import type { EvaluatedMetric } from "../analysis/triplets.js";
import { type Html, html } from "./html.js";

type Named = Pick<EvaluatedMetric, "id" | "metric" | "model">;
type WithMetrics = { readonly metrics: readonly Named[] };

/** The metric that results speak of by its id. */
export function metricOf({ metrics }: WithMetrics, id: string): Named {
  return metrics.find((metric) => metric.id === id) ?? { id, metric: id, model: "" };
}

/**
 * What a sentence calls a metric: its name; with its model where another metric has the name, too;
 * with the model's revision where the models differ in nothing else; its id where even the model is
 * the same.
 */
export function spokenName({ metrics }: WithMetrics, id: string): string {
  const { metric, model } = metricOf({ metrics }, id);
  const namesakes = metrics.filter((other) => other.metric === metric && other.id !== id);
  if (namesakes.length === 0 || model === "") return metric;
  if (namesakes.some((other) => other.model === model)) return id;
  const short = withoutRevision(model);
  const isEnough = namesakes.every((other) => withoutRevision(other.model) !== short);
  return `${metric} with ${isEnough ? short : model}`;
}

const withoutRevision = (model: string) => model.replace(/@[^@]*$/, "");

/** What a table calls it. */
export function metricCell({ metric, model }: Named): Html {
  return html`${metric}${model !== "" && html`<span class="model">${model}</span>`}`;
}
