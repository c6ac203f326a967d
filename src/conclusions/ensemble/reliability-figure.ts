import type { EnsembleResult } from "../../analysis/ensemble/ensemble.js";
import { wilsonInterval } from "../../stats/share-interval.js";
import { type Layers, placedWords, smallText, xPlace, yPlace } from "../../views/figures/marks.js";
import { palette } from "../../views/figures/palette.js";
import { estimateText } from "../../views/number-text.js";

const inset = { left: 34, top: 40 };
const lineHeight = 14;
/** Area of a dot that holds all answers, in square pixels. */
const largestDot = 260;
const smallestDot = 14;

/** How many lines its error and interval may need. */
const mostLines = (side: number) => (side < 150 ? 2 : 1);

/** How high a panel is with what stands above and below its square. */
export const panelHeight = (side: number): number =>
  side + inset.top + (mostLines(side) - 1) * lineHeight + 46;

/**
 * One method's reliability diagram as layers, all places in pixels.
 *
 * @param options.x of its left edge; `y` of its upper one.
 * @param options.side of the square that confidence and accuracy span.
 * @param options.columns how many predictions of a row are in the bins.
 */
export function reliabilityPanel(
  { bins, intervalsOf }: Pick<EnsembleResult, "bins" | "intervalsOf">,
  {
    name,
    x,
    y,
    side,
    columns,
  }: {
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly side: number;
    readonly columns: number;
  },
): Layers {
  const measured = `ECE ${estimateText(intervalsOf.ece)}`;
  // The interval stands below the value where it has no room beside it.
  const said = mostLines(side) === 1 ? [measured] : measured.split(/ (?=\[)/);
  const from = { x: x + inset.left, y: y + inset.top + (mostLines(side) - 1) * lineHeight };
  const across = (confidence: number) => from.x + ((confidence - 0.5) / 0.5) * side;
  const up = (accuracy: number) => from.y + (1 - accuracy) * side;
  const total = bins.reduce((sum, { n }) => sum + n, 0);
  const dots = bins.flatMap(({ n, accuracy, confidence }) => {
    if (accuracy === null || confidence === null) return [];
    const rows = n / columns;
    const { low, high } = wilsonInterval(accuracy * rows, rows);
    if (low === null || high === null) return [];
    return [
      {
        x: across(confidence),
        y: up(accuracy),
        low: up(low),
        high: up(high),
        size: Math.max(smallestDot, (largestDot * n) / total),
      },
    ];
  });
  const edges = [
    { x: from.x, y: up(0), x2: from.x + side, y2: up(0) },
    { x: from.x, y: up(0), x2: from.x, y2: up(1) },
  ];
  const line = (values: readonly object[], look: object) => ({
    data: { values: [...values] },
    mark: { type: "rule" as const, ...look },
    encoding: { x: xPlace, y: yPlace, x2: { field: "x2" }, y2: { field: "y2" } },
  });
  return [
    {
      data: { values: [{ x, y: y + 8, text: name }] },
      ...placedWords({ align: "left", fontSize: 12, fontWeight: 600 }),
    },
    {
      data: { values: said.map((text, at) => ({ x, y: y + 24 + at * lineHeight, text })) },
      ...placedWords({ align: "left", ...smallText }),
    },
    line(edges, { color: palette.grid }),
    line([{ x: across(0.5), y: up(0.5), x2: across(1), y2: up(1) }], {
      color: palette.muted,
      strokeDash: [4, 4],
    }),
    {
      data: { values: dots },
      mark: { type: "rule" as const, color: palette.blue, strokeWidth: 1.5 },
      encoding: {
        x: xPlace,
        y: { ...yPlace, field: "low" },
        y2: { field: "high" },
      },
    },
    {
      data: { values: dots },
      mark: { type: "point" as const, filled: true, opacity: 1, color: palette.blue },
      encoding: {
        x: xPlace,
        y: yPlace,
        size: { field: "size", type: "quantitative" as const, scale: null, legend: null },
      },
    },
    {
      data: {
        values: [0.5, 0.75, 1].map((at) => ({ x: across(at), y: up(0) + 12, text: `${at * 100}` })),
      },
      ...placedWords({ align: "center", ...smallText }),
    },
    {
      data: {
        values: [0, 0.5, 1].map((at) => ({ x: from.x - 6, y: up(at), text: `${at * 100}` })),
      },
      ...placedWords({ align: "right", ...smallText }),
    },
  ];
}
