import type { CalibrationConclusion } from "../../analysis/calibration/calibration.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import {
  errorCoverageView,
  reliabilityView,
  viewHeight,
  viewMargin,
  viewSide,
} from "../../views/figures/calibration-views.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { noteHeight, viewsFrame } from "../../views/figures/marks.js";
import { countText, estimateText, pluralText } from "../../views/number-text.js";

const title = "Whether the probabilities can be believed";
const gap = 70;
/** Between the two where they stand below one another: an axis, and the next one's title. */
const below = 110;

/** The reliability diagram with its counts, and beside it error over coverage. */
export function calibrationFigure(conclusion: CalibrationConclusion): Figure {
  const { n, unscored } = conclusion;
  if (n === 0) return emptyFigure(title, "no row has a label and a probability");
  const sizes = conclusion.bins.flatMap((bin) => (bin.n === 0 ? [] : [bin.n]));
  const [fewest, most] = [smallestOf(sizes), largestOf(sizes)].map(countText);
  const inBins = fewest === most ? `${most} in each bin` : `${fewest} to ${most} in a bin`;
  const reliable = { bins: conclusion.bins, ece: conclusion.intervalsOf.ece };
  const { coverage } = conclusion;
  const area = `area under it ${estimateText(conclusion.intervalsOf.errorCoverageArea)}`;
  const missing = unscored === 0 ? "" : ` Unscored and in neither: ${pluralText(unscored, "row")}.`;
  const notes = [
    `n ${countText(n)}, ${inBins} (grey bars).${missing}`,
    "Left: below the dashed line answers are overconfident, less often right than sure. Lines: 95 % intervals.",
    "Right: how many are wrong of the answers that are left when the least sure are withheld.",
  ];
  return {
    title,
    caption:
      "Reliability: how often answers are right, by how sure they were, in bins of confidence with the number of answers below. On the dashed line they can be believed; below it they are overconfident. Error over coverage: the share of wrong answers when only the surest are given, from few of them to all.",
    narrow: {
      description: title,
      ...viewsFrame(
        { width: viewSide, height: 2 * viewHeight + below },
        { ...viewMargin, left: 48 },
      ),
      spacing: below,
      vconcat: [reliabilityView(reliable), errorCoverageView(coverage, area)],
    },
    spec: {
      description: title,
      ...viewsFrame(
        { width: 2 * viewSide + gap, height: viewHeight },
        { ...viewMargin, bottom: viewMargin.bottom + notes.length * noteHeight + 6 },
      ),
      spacing: gap,
      hconcat: [reliabilityView(reliable, notes), errorCoverageView(coverage, area)],
    },
  };
}
