import type { SwapSummary } from "../../analysis/pairs/swap.js";
import { countText } from "../number-text.js";
import type { Drawing } from "./figure.js";
import { intervalPlot, lineNotes, percentRow } from "./interval-plot.js";
import { palette } from "./palette.js";

const series = [
  {
    name: "the swapped one scores higher",
    colour: palette.vermilion,
    shape: "circle",
    filled: true,
  },
  { name: "both score the same", colour: palette.blue, shape: "diamond", filled: false },
] as const;

/** How often each metric prefers the swapped description, and how often it tells no difference. */
export function swapPlot(
  title: string,
  metrics: readonly (Pick<SwapSummary, "n" | "failureRate" | "tieRate"> & {
    readonly metric: string;
    readonly model?: string;
  })[],
): Drawing {
  const rows = metrics.flatMap(({ metric, model, n, failureRate, tieRate }) =>
    [failureRate, tieRate].map((estimate, at) =>
      percentRow(
        {
          band: "",
          name: metric,
          ...(model === undefined ? {} : { under: model }),
          series: series[at]?.name ?? "",
          count: countText(n),
        },
        estimate,
      ),
    ),
  );
  return intervalPlot({
    title,
    axisTitle: "share of images (%), with its 95 % interval",
    axisFormat: "d",
    valueTitle: "share",
    rows,
    series,
    domain: [0, 100],
    notes: lineNotes(rows),
  });
}
