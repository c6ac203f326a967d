import type { PreferenceConclusion } from "../../analysis/preferences/preferences.js";
import { largestOf } from "../../core/arrays.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot, lineNotes } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText, fixedText } from "../../views/number-text.js";
import { rankedModels } from "./view.js";

const title = "Strength of models by people's preferences";
const mark = { name: "strength", colour: palette.blue, shape: "circle", filled: true } as const;

/** The strength of each model, the strongest first, beside their mean. */
export function preferencesFigure(conclusion: PreferenceConclusion): Figure {
  const ranked = rankedModels(conclusion);
  const rows = ranked.flatMap(({ name, n, strength: { value, low, high } }) =>
    value === null
      ? []
      : [
          {
            band: "",
            name,
            series: mark.name,
            value,
            low: low ?? value,
            high: high ?? value,
            label: fixedText(value, 2),
            count: countText(n),
          },
        ],
  );
  const [first] = ranked;
  if (rows.length === 0) {
    const [why] = first?.strength.reason?.split(": ") ?? [];
    return emptyFigure(title, why ?? "no row has a preference");
  }
  const widest = largestOf(rows.flatMap(({ low, high }) => [-low, high]));
  const end = Math.max(0.5, Math.ceil(widest * 2) / 2);
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "strength (log odds, mean of models 0), with 95 % interval",
      axisFormat: ".1f",
      valueTitle: "strength",
      rows,
      series: [mark],
      domain: [-end, end],
      reference: { at: 0, name: "mean" },
      notes: ["n: comparisons with an answer.", ...lineNotes(rows)],
    }),
    caption:
      "How strong each model is by people's preferences. Of two models that differ by 1, people prefer " +
      "the stronger 73 % of the time, ties apart.",
  };
}
