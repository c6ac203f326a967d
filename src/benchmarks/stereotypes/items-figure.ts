import type { ItemEstimate } from "../../analysis/stereotypes/audit-items.js";
import type { Drawing } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { lineNotes, percentRow } from "../../views/figures/percent-line.js";
import { countText } from "../../views/number-text.js";

const series = [
  { name: "initial prompts", colour: palette.vermilion, shape: "circle", filled: false },
  { name: "refined prompts", colour: palette.green, shape: "diamond", filled: true },
] as const;

/** How often each rubric item is flagged before and after, by category. */
export function auditItemsPlot(items: readonly ItemEstimate[]): Drawing {
  const rows = items.map(({ category, item, phase, n, rate }) =>
    percentRow(
      {
        band: category,
        name: item.replaceAll("-", " "),
        series: `${phase} prompts`,
        count: countText(n),
      },
      rate,
    ),
  );
  return intervalPlot({
    title: "Rubric items before and after",
    axisTitle: "how often an item is flagged (%), with its 95 % interval",
    axisFormat: "d",
    valueTitle: "rate",
    rows,
    series,
    domain: [0, 100],
    notes: ["n: answers about image sets with an answer before and after.", ...lineNotes(rows)],
  });
}
