import type { ComparisonFound } from "../../analysis/comparison/comparison.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot, lineNotes, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText } from "../../views/number-text.js";
import { countedOf, sidedPairs, sidesOf } from "./pairs.js";

const byMetric = {
  name: "by the metric",
  colour: palette.blue,
  shape: "circle",
  filled: true,
} as const;
const byLabels = {
  name: "by people, counted where they labelled",
  colour: palette.green,
  shape: "square",
  filled: true,
} as const;
const byPeople = {
  name: "as people would see it, estimated for all prompts",
  colour: palette.vermilion,
  shape: "diamond",
  filled: false,
} as const;

/** On how many prompts one model beats another, by the metric and beside it by people, counted and estimated. */
export function comparisonFigure(conclusion: ComparisonFound): Figure {
  const { metric, pairs, humanCorrected } = conclusion;
  const title = `Win rates on ${metric}`;
  if (pairs.length === 0) return emptyFigure(title, "there are fewer than two models");
  const peoplesSide = sidesOf(humanCorrected?.pairs ?? []);
  // In the order of the tables, and from the same side.
  const rows = sidedPairs(conclusion, pairs).flatMap(({ model, other, winRate, pair: { n } }) => {
    const place = { band: "", name: model, under: `against ${other}` };
    const corrected = peoplesSide(model, other);
    return [
      percentRow({ ...place, series: byMetric.name, count: countText(n) }, winRate),
      ...(corrected === undefined
        ? []
        : [
            percentRow(
              { ...place, series: byLabels.name, count: countText(corrected.pair.n) },
              { value: countedOf(corrected).winRate, low: null, high: null, reason: "no labels" },
            ),
            percentRow(
              { ...place, series: byPeople.name, count: countText(corrected.pair.n) },
              corrected.winRate,
            ),
          ]),
    ];
  });
  const isLabelled = humanCorrected !== undefined;
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "prompts that the upper one wins (%), with 95 % interval",
      axisFormat: "d",
      valueTitle: "win rate",
      rows,
      series: isLabelled ? [byMetric, byLabels, byPeople] : [byMetric],
      domain: [0, 100],
      reference: { at: 50, name: "even" },
      notes: [
        `n: prompts that both have scores of${isLabelled ? ", and those of them that people labelled" : ""}. Ties count half.`,
        ...lineNotes(rows),
      ],
    }),
    caption: `The share of prompts on which the model above beats the one below it. Right of the dashed line it wins more often than it loses.${
      isLabelled
        ? " Few labels of people and many scores make the lowest estimate (prediction-powered inference); where the two differ, the metric is not people's judge."
        : ""
    }`,
  };
}
