import { svgOf } from "../drawing/svg.js";
import { type Content, type Html, html, trusted } from "../pages/html.js";
import type { Drawing } from "../plots/figure.js";

/**
 * A plot with its caption. On a narrow page its narrow drawing stands in its place; one that has none
 * scrolls rather than shrinks.
 */
export async function plotFigure({ spec, narrow }: Drawing, caption: Content): Promise<Html> {
  const name = `Chart: ${spec.description ?? "plot"}`;
  const drawn = async (one: Drawing["spec"], look: string) => {
    const svg = await svgOf(one);
    const small = look !== " narrow" && widthOf(svg) < smallBelow ? " small" : "";
    return html`<div class="plot scroll${look}${small}" role="region" aria-label="${name}" tabindex="0">${trusted(svg)}</div>
`;
  };
  return html`<figure>
${await drawn(spec, narrow === undefined ? "" : " wide")}${narrow && (await drawn(narrow, " narrow"))}<figcaption>${caption}</figcaption>
</figure>
`;
}

/** Pixels: one of less is not drawn out over the page's width. */
const smallBelow = 400;

const widthOf = (svg: string): number => Number(/viewBox="0 0 ([\d.]+)/.exec(svg)?.[1]);
