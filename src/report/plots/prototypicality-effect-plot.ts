import { largestOf } from "../../core/extremes.js";
import type { Estimate } from "../../stats/estimate.js";
import type { Drawing } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { percentLine } from "../../views/figures/percent-line.js";
import type { IntervalRow } from "../../views/figures/place-rows.js";
import { countText, fixedText } from "../../views/number-text.js";

export interface Effect {
  readonly band: string;
  readonly metric: string;
  readonly model: string;
  /** Triplets behind it. */
  readonly n: number;
  readonly effect: Estimate;
}

/**
 * Draws what a typical wrong image adds to the failure rate, in percentage points: the rate of the
 * triplets minus that of the controls. Right of the line the typical image misleads.
 */
export function prototypicalityEffectPlot(title: string, effects: readonly Effect[]): Drawing {
  const rows = effects.flatMap(({ band, metric, model, n, effect }): IntervalRow[] => {
    const line = percentLine(effect);
    if (line === undefined) return [];
    return [
      {
        band,
        name: metric,
        under: model,
        series: "effect",
        ...line,
        label: fixedText(line.value, 1),
        count: countText(n),
      },
    ];
  });
  // Symmetric, so that "no effect" is always the middle.
  const widest = Math.max(10, largestOf(rows.flatMap(({ low, high }) => [-low, high])));
  const edge = Math.ceil(widest / 10) * 10;
  return intervalPlot({
    title,
    axisTitle:
      "failure rate of triplets minus controls (percentage points), with its 95 % interval",
    axisFormat: "d",
    valueTitle: "difference",
    rows,
    series: [{ name: "effect", colour: palette.vermilion, shape: "circle", filled: true }],
    domain: [-edge, edge],
    reference: { at: 0, name: "no effect" },
  });
}
