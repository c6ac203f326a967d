import type { ThresholdCount } from "../../ensembles/selective-certificate.js";
import type { Estimate } from "../../stats/estimate.js";
import type { ReliabilityBin } from "../../stats/reliability-bins.js";
import {
  errorCoverageView,
  reliabilityView,
  viewHeight,
  viewMargin,
  viewSide,
} from "../../views/figures/calibration-views.js";
import type { Figure } from "../../views/figures/figure.js";
import { viewsFrame } from "../../views/figures/marks.js";

const frame = viewsFrame({ width: viewSide, height: viewHeight }, viewMargin);
const { width, height } = frame.usermeta;

/** Where the view of `judgeCoverage` stands in its picture, in shares of the picture's width and height. */
export const judgeCoverageArea = {
  left: viewMargin.left / width,
  width: viewSide / width,
  top: viewMargin.top / height,
  height: viewHeight / height,
} as const;

/** How often a judge was right on held-out labels, by how sure it was. */
export function judgeReliability(measured: {
  readonly bins: readonly ReliabilityBin[];
  readonly ece: Estimate;
}): Figure {
  return {
    title: "Reliability of the judge",
    caption:
      "On the dashed line the judge is as often right as it is sure; below it, it is overconfident. Lines: 95 % intervals. Numbers: labels in each bin.",
    spec: { description: "Reliability of the judge", ...frame, ...reliabilityView(measured) },
  };
}

/** The share of a judge's answers that are wrong, by how many it gives alone, at each threshold tried. */
export function judgeCoverage(counts: readonly ThresholdCount[], n: number): Figure {
  const coverage = counts
    .filter(({ accepted }) => accepted > 0)
    .map(({ accepted, wrong }) => ({ coverage: accepted / n, error: wrong / accepted }))
    .sort((a, b) => a.coverage - b.coverage);
  return {
    title: "Error over coverage of the judge",
    caption:
      "How many of the answers that it gives alone are wrong, from the surest few to all, at each threshold that was tried.",
    spec: {
      description: "Error over coverage of the judge",
      ...frame,
      ...errorCoverageView(coverage, "held-out labels"),
    },
  };
}
