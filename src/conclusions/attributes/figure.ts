import { type AttributeConclusion, scoredText } from "../../analysis/confusion/attributes.js";
import { localizedScoreNames } from "../../stats/localized-answers.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot, lineNotes, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText } from "../../views/number-text.js";

const title = "Whether attributes stand on their entities";
const series = [
  { name: "all questions", colour: palette.blue, shape: "circle", filled: true },
  { name: "mean of images", colour: palette.vermilion, shape: "diamond", filled: false },
] as const;

/** Precision, recall and F1 with intervals, over all questions and as the mean of images. */
export function attributesFigure(conclusion: AttributeConclusion): Figure {
  const { threshold, images, pooled, imageMean, intervalsOf, n } = conclusion;
  if (n === 0) return emptyFigure(title, "no image has an answer to every question");
  const { tp, fp, fn } = pooled;
  const questions = { precision: tp + fp, recall: tp + fn, f1: n };
  const rows = localizedScoreNames.flatMap((name) =>
    [intervalsOf.pooled[name], intervalsOf.imageMean[name]].map((estimate, at) =>
      percentRow(
        {
          band: "",
          name: name === "f1" ? "F1" : name,
          series: series[at]?.name ?? "",
          count: countText(at === 0 ? questions[name] : imageMean.n[name]),
        },
        estimate,
      ),
    ),
  );
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "share (%), with its 95 % interval",
      axisFormat: "d",
      valueTitle: "share",
      rows,
      series,
      domain: [0, 100],
      notes: [
        `n: questions, and images. An answer is yes from P(yes) = ${threshold} on.`,
        ...lineNotes(rows),
        ...(pooled.unscored === 0
          ? []
          : [`Left out for a question without an answer: ${scoredText(images, pooled.unscored)}.`]),
      ],
    }),
    caption:
      "Precision: of the attributes seen on an entity, how many were meant for it. Recall: of those meant for it, how many are seen on it.",
  };
}
