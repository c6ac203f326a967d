import { largestOf, smallestOf } from "../../core/arrays.js";
import { decimalExponent } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import type { Drawing } from "../../views/figures/figure.js";
import { intervalPlot, type SeriesMark } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import type { IntervalRow } from "../../views/figures/place-rows.js";
import { countText, fixedText } from "../../views/number-text.js";

export interface ScoreMean {
  readonly domain: string;
  readonly n: number;
  readonly meanCorrect: Estimate;
  readonly meanAdversarial: Estimate;
}

const series = [
  { name: "correct image", colour: palette.green, shape: "triangle-up", filled: true },
  { name: "typical wrong image", colour: palette.vermilion, shape: "circle", filled: false },
] as const satisfies readonly SeriesMark[];

/**
 * One metric's mean score of correct and of typical wrong images, by domain (figure 3 of
 * ProtoBias), in the metric's own unit. The axis spans the means, not the metric's range.
 */
export function scoreMeansPlot({
  title,
  unit,
  means,
}: {
  readonly title: string;
  readonly unit: string;
  readonly means: readonly ScoreMean[];
}): Drawing {
  const rows = means.flatMap(({ domain, n, meanCorrect, meanAdversarial }) =>
    [meanCorrect, meanAdversarial].flatMap(({ value, low, high }, at): IntervalRow[] => {
      const mark = series[at];
      if (value === null || mark === undefined) return [];
      return [
        {
          band: "",
          name: domain,
          series: mark.name,
          value,
          low: low ?? value,
          high: high ?? value,
          label: fixedText(value, 3),
          count: countText(n),
        },
      ];
    }),
  );
  const least = smallestOf(rows.map(({ low }) => low));
  const most = largestOf(rows.map(({ high }) => high));
  const air = Math.max((most - least) * 0.1, 1e-6);
  const decimals =
    rows.length === 0 ? 1 : Math.max(0, -decimalExponent((most - least + 2 * air) / 8));
  return intervalPlot({
    title,
    axisTitle: `mean score (${unit}), with its 95 % interval`,
    axisFormat: `.${decimals}f`,
    valueTitle: "mean",
    rows,
    series,
    domain: rows.length === 0 ? [0, 1] : [least - air, most + air],
  });
}
