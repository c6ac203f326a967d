import type { NamedMetric } from "../../analysis/inference/metric-name.js";
import { type Html, html } from "../pages/html.js";

/** A metric's cell in a table. */
export function metricCell({ metric, model }: NamedMetric): Html {
  return html`${metric}${model !== "" && html`<span class="model">${model}</span>`}`;
}
