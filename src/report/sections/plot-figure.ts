import type { Drawing } from "../../views/figures/figure.js";
import { svgOf } from "../drawing/svg.js";
import { type Content, type Html, html, trusted } from "../pages/html.js";

/**
 * A plot with its caption. On a narrow page its narrow drawing stands in its place; one that has none
 * scrolls rather than shrinks.
 */
export async function plotFigure({ spec, narrow }: Drawing, caption: Content): Promise<Html> {
  const name = `Chart: ${spec.description ?? "plot"}`;
  const drawn = async (one: Drawing["spec"], look: string) => {
    const svg = await svgOf(one);
    const { width, height } = sizeOf(svg);
    const small = look !== " narrow" && width < smallBelow ? " small" : "";
    const tall = height > tallAbove ? " tall" : "";
    return html`<div class="plot scroll${look}${small}${tall}" role="region" aria-label="${name}" tabindex="0">${trusted(svg)}</div>
`;
  };
  return html`<figure>
${await drawn(spec, narrow === undefined ? "" : " wide")}${narrow && (await drawn(narrow, " narrow"))}<figcaption>${caption}</figcaption>
</figure>
`;
}

/** Pixels: one of less is not drawn out over the page's width. */
const smallBelow = 400;

/** One of more scrolls on the first screen, where it leaves the notice its room. */
const tallAbove = 640;

function sizeOf(svg: string): { width: number; height: number } {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}
