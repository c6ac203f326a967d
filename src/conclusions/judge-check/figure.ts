import type { JudgeCheck } from "../../analysis/judge-check/judge-conclusion.js";
import { answerName } from "../../analysis/judge-check/judge-findings.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot, lineNotes, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText, fixedText } from "../../views/number-text.js";
import { checksOf } from "./view.js";

const title = "A judge's answers, checked";
const mark = { name: "share", colour: palette.blue, shape: "circle", filled: true } as const;
const drawn = new Set(["firstShown", "consistency", "accuracy", "accuracyParsed", "cycles"]);

/** Shares with intervals, beside the accuracy of the best constant answer. */
export function judgeCheckFigure(found: JudgeCheck): Figure {
  const { baseline } = found;
  const rows = checksOf(found)
    .filter(({ id }) => drawn.has(id) || id.startsWith("seen:"))
    .map(({ title: name, n, value }) => {
      const count = n === undefined ? "–" : countText(n);
      return percentRow({ band: "", name, series: mark.name, count }, value);
    });
  if (rows.length === 0) return emptyFigure(title, "no answer can be read");
  const { answer, accuracy } = baseline;
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "share (%), with its 95 % interval",
      axisFormat: "d",
      valueTitle: "share",
      rows,
      series: [mark],
      domain: [0, 100],
      ...(accuracy === null
        ? {}
        : {
            reference: {
              at: accuracy * 100,
              name: `always ${answerName(answer)}: ${fixedText(accuracy * 100, 1)} %`,
            },
          }),
      notes: lineNotes(rows),
    }),
    caption:
      "How often the image shown first is preferred, the judge says the same again, and it agrees with " +
      "people. The dashed line is the accuracy of the best constant answer.",
  };
}
