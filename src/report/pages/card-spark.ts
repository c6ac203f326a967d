import type { CardFigure } from "../../analysis/trust-card/trust-card-figure.js";
import { palette } from "../../views/figures/palette.js";
import { type Html, html, trusted } from "./html.js";
import { sparkShape, sparkSize } from "./spark-shape.js";

const { width, height, edge, middle } = sparkSize;

const colours = { holds: palette.green, fails: palette.vermilion } as const;

/**
 * The interval that a figure is judged by as a small picture: a line from low to high, a dot at the value (a circle where
 * it holds, a square where it fails, a ring else), and a dashed line at each end of what is expected. Its axis is
 * the unit's: shares from 0 to 1, correlations and differences around 0.
 */
export function figureSpark(figure: CardFigure): Html | false {
  const { status } = figure;
  const shape = sparkShape(figure);
  if (shape === undefined) return false;
  const { value, low, high, ends } = shape;
  const colour = status === "holds" || status === "fails" ? colours[status] : palette.muted;
  const mark =
    status === "fails"
      ? `<rect x="${value - 4}" y="${middle - 4}" width="8" height="8" fill="${colour}"/>`
      : `<circle cx="${value}" cy="${middle}" r="4" fill="${status === "holds" ? colour : palette.paper}" stroke="${colour}" stroke-width="1.6"/>`;
  return html`<span class="plot spark">${trusted(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" aria-hidden="true">` +
      `<line x1="${edge}" x2="${width - edge}" y1="${middle}" y2="${middle}" stroke="${palette.grid}" stroke-width="1.5"/>` +
      ends
        .map(
          (end) =>
            `<line x1="${end}" x2="${end}" y1="1" y2="${height - 1}" stroke="${palette.muted}" stroke-dasharray="2 2"/>`,
        )
        .join("") +
      `<line x1="${low}" x2="${high}" y1="${middle}" y2="${middle}" stroke="${colour}" stroke-width="2.4"/>${mark}</svg>`,
  )}</span>`;
}
