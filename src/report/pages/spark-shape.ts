import { type CardFigure, judgedEstimate } from "../../analysis/trust-card/trust-card-figure.js";

/** Pixels. */
export const sparkSize = { width: 132, height: 20, edge: 6, middle: 10 } as const;

/** Where in a small picture the interval lies that a figure is judged by, in pixels from its left. */
export interface SparkShape {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The ends of what is expected. */
  readonly ends: readonly number[];
}

/** Undefined where there is nothing to compare. Shares lie from 0 to 1, correlations and differences around 0. */
export function sparkShape(figure: CardFigure): SparkShape | undefined {
  const { expectation } = figure;
  const estimate = judgedEstimate(figure);
  if (estimate === undefined || estimate.value === null || expectation === undefined) {
    return undefined;
  }
  const { value, oneSided } = estimate;
  const low = oneSided?.low ?? estimate.low ?? value;
  const high = oneSided?.high ?? estimate.high ?? value;
  const [from, to] = axisOf(estimate.unit, [low, high]);
  const { edge, width } = sparkSize;
  const x = (at: number) =>
    Number(
      (
        edge +
        ((Math.max(from, Math.min(to, at)) - from) / (to - from)) * (width - 2 * edge)
      ).toFixed(1),
    );
  const ends = [expectation.low, expectation.high].filter((end) => end !== undefined);
  return { value: x(value), low: x(low), high: x(high), ends: ends.map(x) };
}

/** Where the axis begins and ends: differences of shares within half of all, unless they are larger. */
function axisOf(unit: string, interval: readonly number[]): readonly [number, number] {
  if (unit === "share") return [0, 1];
  if (unit !== "points") return [-1, 1];
  return interval.every((end) => Math.abs(end) <= 0.5) ? [-0.5, 0.5] : [-1, 1];
}
