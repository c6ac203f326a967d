import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import type { Figure } from "touchstone-t2i/internal/views/figures/figure.js";
import {
  intervalPlot,
  type SeriesMark,
} from "touchstone-t2i/internal/views/figures/interval-plot.js";
import { palette } from "touchstone-t2i/internal/views/figures/palette.js";
import type { IntervalRow, MissingRow } from "touchstone-t2i/internal/views/figures/place-rows.js";
import { countText, fixedText } from "touchstone-t2i/internal/views/number-text.js";
import type { HeldOutConclusion } from "./held-out.js";
import { methodName } from "./names.js";

const alone = "one prompt, or all alike";
const series: readonly SeriesMark[] = [
  { name: alone, colour: palette.ink, shape: "square", filled: false },
  { name: "BPE", colour: palette.blue, shape: "diamond", filled: false },
  { name: "MMB", colour: palette.vermilion, shape: "circle", filled: true },
];

/**
 * The calibration error of every method on the held-out pairs of each world; those of one objective beside
 * each other.
 */
export function heldOutErrorsFigure(
  worlds: ReadonlyMap<string, Pick<HeldOutConclusion, "methods" | "n">>,
): Figure {
  const rows = [...worlds].flatMap(([world, { methods, n }]) =>
    methods.map(({ method, metrics: { ece } }): IntervalRow | MissingRow => {
      const [, objective] = method.split(" ");
      const family = methodName(method).split(" ")[0] ?? "";
      const place = {
        band: worlds.size === 1 ? "" : world,
        name: objective ?? methodName(method),
        series: series.some(({ name }) => name === family) ? family : alone,
        count: countText(n),
      };
      const { value, low, high, reason = "no answers" } = ece;
      if (value === null) return { ...place, label: "–", reason };
      return {
        ...place,
        value,
        low: low ?? value,
        high: high ?? value,
        label: fixedText(value, 3),
      };
    }),
  );
  const highest = Math.max(0.05, largestOf(rows.map((row) => ("high" in row ? row.high : 0))));
  const title = "Calibration error of each method on held-out pairs";
  return {
    title,
    caption:
      "Expected calibration error (ECE), the mean over draws of labels and groups, with its 95 % interval; by objective where a method has one. Lower is better; each claim with its test stands below.",
    ...intervalPlot({
      title,
      axisTitle: "expected calibration error, with its 95 % interval",
      axisFormat: ".2f",
      valueTitle: "ECE",
      rows,
      series,
      domain: [0, Math.ceil(highest * 20) / 20],
    }),
  };
}
