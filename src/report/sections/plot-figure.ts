import type { TopLevelSpec } from "vega-lite";
import { svgOf } from "../drawing/svg.js";
import { type Content, type Html, html, trusted } from "../pages/html.js";

/** A plot with its caption. On a narrow page it scrolls rather than shrinks. */
export async function plotFigure(spec: TopLevelSpec, caption: Content): Promise<Html> {
  const svg = await svgOf(spec);
  return html`<figure>
<div class="plot scroll" role="region" aria-label="${spec.description ?? "plot"}" tabindex="0">${trusted(svg)}</div>
<figcaption>${caption}</figcaption>
</figure>
`;
}
