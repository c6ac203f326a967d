import type {
  SignificanceConclusion,
  SignificanceTest,
} from "../../analysis/calibration/significance.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { decimalExponent } from "../../stats/elementary/powers.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { type IntervalPlot, intervalPlots } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { fitted } from "../../views/figures/text-width.js";
import { countText, fixedText, probabilityText } from "../../views/number-text.js";

const title = "Every method against the best";
const level = 0.05;
const series = [
  {
    name: `significantly worse (adjusted p at or below ${level})`,
    colour: palette.vermilion,
    shape: "circle",
    filled: true,
  },
  {
    name: "not significantly worse than the best",
    colour: palette.blue,
    shape: "diamond",
    filled: false,
  },
] as const;
const names = {
  ece: "expected calibration error (less is better)",
  nll: "negative log-likelihood (less is better)",
  brier: "Brier score (less is better)",
  accuracy: "accuracy (more is better)",
} as const;

/** How far every method is from the best, a panel for each metric: they have no scale in common. */
export function significanceFigure({ tests }: SignificanceConclusion): Figure {
  const metrics = [...new Set(tests.map(({ metric }) => metric))];
  if (metrics.length === 0) return emptyFigure(title, "no row is answered by every method");
  return {
    title,
    ...intervalPlots(
      title,
      metrics.map((metric) => panel(tests.filter((test) => test.metric === metric))),
    ),
    caption: `The value of each method minus that of the best, over the rows that both answered. Filled dots differ by more than chance: a paired permutation test, adjusted for the number of methods, has p at or below ${level}. The test gives no interval: a dotted line only leads from the best to the dot.`,
  };
}

function panel(tests: readonly SignificanceTest[]): IntervalPlot {
  const [{ metric, against } = { metric: "ece" as const, against: "" }] = tests;
  const differences = tests.map(({ difference }) => difference);
  const [least, most] = [Math.min(0, smallestOf(differences)), Math.max(0, largestOf(differences))];
  const air = (most - least || 1) * 0.12;
  const decimals = Math.max(1, 1 - decimalExponent(most - least || 1));
  return {
    title: `${names[metric]}; best: ${fitted(against, 280, 14)}`,
    axisTitle: "value minus that of the best",
    axisFormat: `.${decimals}f`,
    valueTitle: "difference, adjusted p",
    valueWidth: 140,
    rows: [...tests]
      .sort((a, b) => Math.abs(a.difference) - Math.abs(b.difference))
      .map(({ method, n, difference, pAdjusted }) => ({
        band: "",
        name: method,
        series: series[pAdjusted <= level ? 0 : 1].name,
        value: difference,
        low: Math.min(0, difference),
        high: Math.max(0, difference),
        // The test gives no interval: the line only leads from the best to the dot.
        isBound: true,
        label: `${fixedText(difference, decimals + 2)}, p ${probabilityText(pAdjusted)}`,
        count: countText(n),
      })),
    series,
    domain: [least - air, most + air],
    reference: { at: 0, name: "the best" },
  };
}
