import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { placed } from "../../core/models.js";
import { type Html, html } from "../pages/html.js";

type Named = Pick<EvaluatedMetric, "id" | "metric" | "model" | "baseUrl">;
type WithMetrics = { readonly metrics: readonly Named[] };

/**
 * The metric that results speak of by its id. Its model goes without the revision where no other
 * model has the name, and with the address where the model is asked at another, too; all stands where the page says how numbers were made.
 */
export function metricOf({ metrics }: WithMetrics, id: string): Named {
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
 * A model's name, or those of several together, without revisions.
 *
 * @example withoutRevision("lab:vqa@80dcc2a09671") // "lab:vqa"
 */
export const withoutRevision = (model: string) => model.replace(/@[^@]*?(?= [+/] |$)/g, "");

/**
 * What a sentence calls a metric: its name; with its model where another metric has the name, too;
 * its id where even the model is the same.
 */
export function spokenName({ metrics }: WithMetrics, id: string): string {
  const { metric, model } = metricOf({ metrics }, id);
  const namesakes = metrics.filter((other) => other.metric === metric && other.id !== id);
  if (namesakes.length === 0 || model === "") return metric;
  const isShared = namesakes.some((other) => metricOf({ metrics }, other.id).model === model);
  return isShared ? id : `${metric} with ${model}`;
}

/** What a table calls it. */
export function metricCell({ metric, model }: Named): Html {
  return html`${metric}${model !== "" && html`<span class="model">${model}</span>`}`;
}
