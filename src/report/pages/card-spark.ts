import { type CardFigure, judgedEstimate } from "../../analysis/trust-card/trust-card-figure.js";
import { palette } from "../plots/palette.js";
import { type Html, html, trusted } from "./html.js";

const width = 132;
const height = 20;
const edge = 6;
const middle = height / 2;

const colours = { holds: palette.green, fails: palette.vermilion } as const;

/**
 * The interval that a figure is judged by as a small picture: a line from low to high, a dot at the value (a circle where
 * it holds, a square where it fails, a ring else), and a dashed line at each end of what is expected. Its axis is
 * the unit's: shares from 0 to 1, correlations and differences around 0.
 */
export function figureSpark(figure: CardFigure): Html | false {
  const { expectation, status } = figure;
  const estimate = judgedEstimate(figure);
  if (estimate === undefined || estimate.value === null || expectation === undefined) return false;
  const { value, oneSided } = estimate;
  const low = oneSided?.low ?? estimate.low ?? value;
  const high = oneSided?.high ?? estimate.high ?? value;
  const [from, to] = axisOf(estimate.unit, [low, high]);
  const x = (at: number) =>
    (edge + ((Math.max(from, Math.min(to, at)) - from) / (to - from)) * (width - 2 * edge)).toFixed(
      1,
    );
  const colour = status === "holds" || status === "fails" ? colours[status] : palette.muted;
  const ends = [expectation.low, expectation.high].filter((end) => end !== undefined);
  const mark =
    status === "fails"
      ? `<rect x="${Number(x(value)) - 4}" y="${middle - 4}" width="8" height="8" fill="${colour}"/>`
      : `<circle cx="${x(value)}" cy="${middle}" r="4" fill="${status === "holds" ? colour : palette.paper}" stroke="${colour}" stroke-width="1.6"/>`;
  return html`<span class="plot spark">${trusted(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" aria-hidden="true">` +
      `<line x1="${edge}" x2="${width - edge}" y1="${middle}" y2="${middle}" stroke="${palette.grid}" stroke-width="1.5"/>` +
      ends
        .map(
          (end) =>
            `<line x1="${x(end)}" x2="${x(end)}" y1="1" y2="${height - 1}" stroke="${palette.muted}" stroke-dasharray="2 2"/>`,
        )
        .join("") +
      `<line x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}" stroke="${colour}" stroke-width="2.4"/>${mark}</svg>`,
  )}</span>`;
}

/** Where the axis begins and ends: differences of shares within half of all, unless they are larger. */
function axisOf(unit: string, interval: readonly number[]): readonly [number, number] {
  if (unit === "share") return [0, 1];
  if (unit !== "points") return [-1, 1];
  return interval.every((end) => Math.abs(end) <= 0.5) ? [-0.5, 0.5] : [-1, 1];
}
