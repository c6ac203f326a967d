import type { Drawing } from "../../views/figures/figure.js";
import { smallText, titleLook, words } from "../../views/figures/marks.js";
import { palette, plotConfig } from "../../views/figures/palette.js";
import { wrapped } from "../../views/figures/text-width.js";
import { countText } from "../../views/number-text.js";

const bins = 20;
const height = 220;

/** How many images got which score, in twenty bins from the lowest to the highest; a dashed line is the mean. */
export function scoreHistogram({
  title,
  axisTitle,
  values,
}: {
  readonly title: string;
  /** With the metric's range. */
  readonly axisTitle: string;
  /** At least one. */
  readonly values: readonly number[];
}): Drawing {
  const sum = values.reduce((all, value) => all + value, 0);
  // Spreading a million values over arguments would overflow the stack.
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  const [low, high] = least === most ? [least - 0.5, most + 0.5] : [least, most];
  const binWidth = (high - low) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor((value - low) / binWidth));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const bars = counts.map((count, bin) => ({
    from: low + bin * binWidth,
    to: low + (bin + 1) * binWidth,
    count,
  }));
  const mean = sum / values.length;
  const x = {
    type: "quantitative" as const,
    scale: { domain: [low, high], nice: false },
    axis: { title: null, format: "~g", tickCount: 5, grid: false },
  };
  const spec = (width: number) => {
    const below = wrapped(axisTitle, width, smallText.fontSize, 3);
    return {
      description: `${title}; ${axisTitle}; ${countText(values.length)} images, mean ${mean.toPrecision(3)}`,
      width,
      height,
      autosize: { type: "none" as const },
      padding: { left: 44, right: 16, top: 56, bottom: 34 + below.length * 15 },
      config: plotConfig,
      layer: [
        { data: { values: [{ y: -38, title }] }, ...words("title", -40, titleLook) },
        {
          data: { values: [{ y: -14, text: "images" }] },
          ...words("text", -40, { align: "left", ...smallText }),
        },
        {
          data: { values: bars.filter(({ count }) => count > 0) },
          mark: { type: "bar" as const, color: palette.blue, binSpacing: 1 },
          encoding: {
            x: { field: "from", ...x },
            x2: { field: "to" },
            y: {
              field: "count",
              type: "quantitative" as const,
              axis: { title: null, format: "d", tickMinStep: 1, tickCount: 5 },
            },
            y2: { datum: 0 },
          },
        },
        {
          data: { values: [{ mean }] },
          mark: { type: "rule" as const, color: palette.ink, strokeDash: [4, 3] },
          encoding: { x: { field: "mean", ...x } },
        },
        {
          data: { values: below.map((text, at) => ({ y: height + 34 + at * 15, text })) },
          ...words("text", 0, { align: "left", ...smallText }),
        },
      ],
    };
  };
  return { spec: spec(640), narrow: spec(288) };
}
