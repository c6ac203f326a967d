import { svgOf } from "../drawing/svg.js";
import { type Content, type Html, html, trusted } from "../pages/html.js";
import type { Drawing } from "../plots/figure.js";

/**
 * A plot with its caption. On a narrow page its narrow drawing stands in its place; one that has none
 * scrolls rather than shrinks.
 */
export async function plotFigure({ spec, narrow }: Drawing, caption: Content): Promise<Html> {
  const name = `Chart: ${spec.description ?? "plot"}`;
  const drawn = async (one: Drawing["spec"], look: string) =>
    html`<div class="plot scroll${look}" role="region" aria-label="${name}" tabindex="0">${trusted(await svgOf(one))}</div>
`;
  return html`<figure>
${await drawn(spec, narrow === undefined ? "" : " wide")}${narrow && (await drawn(narrow, " narrow"))}<figcaption>${caption}</figcaption>
</figure>
`;
}
