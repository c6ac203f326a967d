import type { NamedMetric } from "../../analysis/inference/metric-name.js";
import { type Html, html } from "../pages/html.js";

/** What a table calls it. */
export function metricCell({ metric, model }: NamedMetric): Html {
  return html`${metric}${model !== "" && html`<span class="model">${model}</span>`}`;
}
