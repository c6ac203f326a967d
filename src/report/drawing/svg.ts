import { parse, View, type ViewOptions } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { Recent } from "../../core/cache.js";
import { sizeOf } from "../../views/figures/marks.js";
import { darkPalette, palette } from "../../views/figures/palette.js";
import { printableLines } from "../../views/printable.js";
import { escapeHtml } from "../pages/html.js";

/**
 * Draws a Vega-Lite spec as SVG text, without a browser or a canvas. It scales with the page (a
 * view box and no size of its own), and a screen reader meets one picture with the spec's
 * `description` as its name.
 */
export async function svgOf(spec: TopLevelSpec): Promise<string> {
  const { body, width, height, name } = await draw(spec, undefined);
  return `<svg xmlns="${xmlns}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">${body}`;
}

/**
 * The same as a file of its own: with a size, and a ground and colours that follow whether its
 * reader likes light or dark; a program that knows no such wish shows it light.
 *
 * @param interpreter evaluates Vega's expressions where a policy forbids to compile them
 */
export async function svgFileOf(
  spec: TopLevelSpec,
  interpreter?: ViewOptions["expr"],
): Promise<string> {
  const { body, width, height, name } = await draw(spec, interpreter);
  return (
    `<svg xmlns="${xmlns}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">` +
    `<style>${darkRules}</style><rect width="${width}" height="${height}" fill="${palette.paper}"/>${body}\n`
  );
}

const xmlns = "http://www.w3.org/2000/svg";

const darkRules = `@media (prefers-color-scheme:dark){${Object.entries(palette)
  .map(([name, light]) => {
    const dark = darkPalette[name];
    return `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`;
  })
  .join("")}}`;

/** Drawings made last: a report is written anew with each chapter that follows it, and its plots stay. */
const drawings = new Recent<Drawn>(64);

const draw = (spec: TopLevelSpec, interpreter: ViewOptions["expr"]): Promise<Drawn> =>
  drawings.get(JSON.stringify(spec), () => drawAnew(spec, interpreter));

/** The content of an `svg` element, its end included, and its size in pixels. */
interface Drawn {
  readonly body: string;
  readonly width: number;
  readonly height: number;
  readonly name: string;
}

async function drawAnew(spec: TopLevelSpec, interpreter: ViewOptions["expr"]): Promise<Drawn> {
  const runtime = parse(compile(spec).spec, undefined, { ast: interpreter !== undefined });
  const view = new View(runtime, { renderer: "none", expr: interpreter });
  try {
    // The picture has one name; parts of it that say they are graphics, and have none, would be errors.
    const svg = printableLines(await view.toSVG()).replace(
      / (?:role|aria-roledescription|aria-label)="[^"]*"/g,
      "",
    );
    const opening = /^<svg[^>]*? viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>/.exec(svg);
    // Vega would guess the size of views beside each other by the width of their texts.
    const { width = Number(opening?.[1]), height = Number(opening?.[2]) } = sizeOf(spec) ?? {};
    const inner = svg.slice(opening?.[0].length ?? 0).replace(/<\/svg>$/, "");
    return {
      // One picture has one name: the parts that Vega names are none of a screen reader's.
      body: `<g aria-hidden="true">${inner}</g></svg>`,
      width,
      height,
      name: escapeHtml(spec.description ?? ""),
    };
  } finally {
    view.finalize();
  }
}
