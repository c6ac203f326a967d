import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { escapeHtml } from "./html.js";
import { printableLines } from "./printable.js";

/**
 * Draws a Vega-Lite spec as SVG text, without a browser or a canvas. It scales with the page (a
 * view box and no size of its own), and a screen reader meets one picture with the spec's
 * `description` as its name.
 */
export async function svgOf(spec: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile(spec).spec), { renderer: "none" });
  try {
    const svg = printableLines(await view.toSVG());
    const name = escapeHtml(spec.description ?? "");
    return svg.replace(
      /^<svg[^>]*? viewBox="([^"]*)"[^>]*>/,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="$1" role="img" aria-label="${name}">`,
    );
  } finally {
    view.finalize();
  }
}
