import type { InitialIndex } from "../../analysis/stereotypes/audit-initial.js";
import type { Drawing } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText, estimateText } from "../../views/number-text.js";

/** The index of images that were audited once, by category and generator. */
export const initialIndexPlot = (initial: readonly InitialIndex[]): Drawing =>
  intervalPlot({
    title: "Social Stereotype Index",
    axisTitle: "index (0 to 1), with its 95 % interval",
    axisFormat: ".1f",
    valueTitle: "index",
    rows: initial.map(({ category, model, index: { n, mean } }) => {
      const { value, low, high, reason = "no answers" } = mean;
      const row = {
        band: category ?? "all categories",
        name: model ?? "all",
        series: "index",
        count: countText(n),
      };
      return value === null
        ? { ...row, label: "–", reason }
        : {
            ...row,
            value,
            low: low ?? value,
            high: high ?? value,
            label: estimateText({ value, low: null, high: null }),
          };
    }),
    series: [{ name: "index", colour: palette.vermilion, shape: "circle", filled: false }],
    domain: [0, 1],
    notes: ["n: image sets."],
  });
