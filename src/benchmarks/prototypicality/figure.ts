import { largestOf } from "../../core/arrays.js";
import type { Estimate } from "../../stats/estimate.js";
import type { Drawing } from "../../views/figures/figure.js";
import { intervalPlot, percentLine, type SeriesMark } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import type { IntervalRow } from "../../views/figures/place-rows.js";
import { countText, fixedText } from "../../views/number-text.js";

/** A failure rate to draw: `series` is one of `pairKinds`. */
export interface FailureRate {
  readonly band: string;
  readonly metric: string;
  readonly model: string;
  readonly series: (typeof pairKinds)[number]["name"];
  readonly n: number;
  readonly failureRate: Estimate;
}

/** The kinds of pair: the one of interest, its controls, and the conflict the other way round. */
export const pairKinds = [
  { name: "triplet", colour: palette.vermilion, shape: "circle", filled: true },
  { name: "control: both atypical", colour: palette.blue, shape: "diamond", filled: false },
  { name: "control: both typical", colour: palette.green, shape: "square", filled: false },
  { name: "reversed conflict", colour: palette.ink, shape: "triangle-up", filled: true },
] as const satisfies readonly SeriesMark[];

/**
 * Where a plot's axis ends, in percent: at 100 where a rate comes near chance, else at the ten above
 * the highest interval, so that small rates can be told apart.
 */
export function failureAxisEnd(rates: readonly Pick<FailureRate, "failureRate">[]): number {
  const highest = Math.max(
    0,
    largestOf(rates.map(({ failureRate }) => percentLine(failureRate)?.high ?? 0)),
  );
  const end = Math.max(20, Math.ceil(highest / 10) * 10);
  return end < 50 ? end : 100;
}

/**
 * Failure rates in percent, of triplets, both controls and reversed conflicts, by metric within bands (domains,
 * knobs, filters): figure 2 of ProtoBias with intervals and controls. A dashed line, where the
 * axis comes that far, is what tossing a coin would give. Undefined rates are left out.
 */
export function failureRatesPlot(
  title: string,
  rates: readonly FailureRate[],
  axisEnd = failureAxisEnd(rates),
): Drawing {
  const rows = rates.flatMap(({ band, metric, model, series, n, failureRate }): IntervalRow[] => {
    const line = percentLine(failureRate);
    if (line === undefined) return [];
    return [
      {
        band,
        name: metric,
        under: model,
        series,
        ...line,
        label: `${line.value.toFixed(1)} %`,
        count: countText(n),
      },
    ];
  });
  return intervalPlot({
    title,
    axisTitle: "failure rate (% of pairs), with its 95 % interval",
    axisFormat: "d",
    valueTitle: "failure rate",
    rows,
    series: pairKinds,
    domain: [0, axisEnd],
    ...(axisEnd > 50 ? { reference: { at: 50, name: "chance" } } : {}),
  });
}

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
