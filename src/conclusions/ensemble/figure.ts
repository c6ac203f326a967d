import type { EnsembleConclusion, EnsembleResult } from "../../analysis/ensemble/ensemble.js";
import { ensembleMethods } from "../../analysis/ensemble/ensemble-methods.js";
import { largestOf } from "../../core/arrays.js";
import { wilsonInterval } from "../../stats/share-interval.js";
import type { Figure } from "../../views/figures/figure.js";
import {
  type Layers,
  noteHeight,
  noteLines,
  placedWords,
  smallText,
  titleLook,
  viewsFrame,
  words,
  xPlace,
  yPlace,
} from "../../views/figures/marks.js";
import { palette, plotConfig } from "../../views/figures/palette.js";
import { textWidth, wrapped } from "../../views/figures/text-width.js";
import { countText, estimateText, fixedText, pluralText } from "../../views/number-text.js";
import { methodNames } from "./view.js";

const title = "Methods to make one judge of several prompts";
const left = 20;
const heading = 62;

/** How the room is shared out, in pixels. */
interface Layout {
  readonly perRow: number;
  readonly panelWidth: number;
  readonly side: number;
  readonly nameWidth: number;
  readonly mapWidth: number;
  /** Where texts are broken; none where the picture is as wide as they are. */
  readonly textWidth?: number;
}

const wide: Layout = { perRow: 3, panelWidth: 250, side: 150, nameWidth: 200, mapWidth: 540 };
const narrow: Layout = {
  perRow: 2,
  panelWidth: 172,
  side: 116,
  nameWidth: 0,
  mapWidth: 330,
  textWidth: 330,
};

/** The reliability of each method, and below it the weights that the labels gave to prompts. */
export function ensembleFigure(conclusion: EnsembleConclusion): Figure {
  return {
    title,
    caption:
      "Above: how often answers are right, by how sure they were, for each method on the test rows; on the dashed line they can be believed. Below: the weight that each prompt has, which of MMB depends on the group of images.",
    spec: drawn(conclusion, wide),
    narrow: drawn(conclusion, narrow),
  };
}

function drawn(conclusion: EnsembleConclusion, layout: Layout): Figure["spec"] {
  const { n, unscored, methods } = conclusion;
  const { perRow, panelWidth, side } = layout;
  const high = panelHeight(side);
  const panels = ensembleMethods.map((method, at) =>
    reliabilityPanel(methods[method], {
      name: methodNames[method],
      x: (at % perRow) * panelWidth,
      y: Math.floor(at / perRow) * high,
      side,
      // One prompt at random holds the rows of all prompts.
      columns: columnsOf(methods[method]),
    }),
  );
  const below = Math.ceil(ensembleMethods.length / perRow) * high + 30;
  const map = weightMap(conclusion, { top: below, ...layout });
  const lines = (text: string, fontSize: number) =>
    layout.textWidth === undefined ? [text] : wrapped(text, layout.textWidth, fontSize, mostLines);
  const titles = lines(title, titleLook.fontSize);
  const notes = [
    `n ${countText(n)} test rows${unscored === 0 ? "" : `; unscored and excluded: ${pluralText(unscored, "row")}`}. Across: confidence (%); up: answers that are right (%). Vertical lines: 95 % intervals.`,
    "Below the dashed line answers are overconfident. Larger dots: more answers in that bin of confidence.",
    ...map.notes,
  ].flatMap((note) => lines(note, 11));
  const width = Math.max(
    perRow * panelWidth,
    map.width,
    largestOf(notes.map((note) => Math.ceil(textWidth(note, 11)))),
  );
  const height = below + map.height;
  const top = heading + (titles.length - 1) * titleLine;
  return {
    description: title,
    ...viewsFrame(
      { width, height },
      {
        left: layout === narrow ? 4 : left,
        right: 10,
        top,
        bottom: notes.length * noteHeight + 20,
      },
    ),
    width,
    height,
    config: plotConfig,
    layer: [
      {
        data: {
          values: titles.map((text, at) => ({ y: 18 - top + at * titleLine, text })),
        },
        ...words("text", 0, titleLook),
      },
      ...panels.flat(),
      ...map.layers,
      noteLines(notes, { x: 0, y: height + 20 }),
    ],
  };
}

const titleLine = 18;
const mostLines = 6;

/** How many predictions of a row are in the bins, on average. */
function columnsOf({ bins, n }: EnsembleResult): number {
  return Math.max(1, bins.reduce((sum, bin) => sum + bin.n, 0) / Math.max(1, n));
}

const rowHeight = 22;

const nameHeight = 16;

/** More are not read. */
const mostPrompts = 36;

const mostGroups = 24;

/**
 * Prompts' weights as a heat map: a row for each method that weighs, and for each group of images.
 *
 * @param options.nameWidth of names left of their rows; 0 sets each above its row
 */
function weightMap(
  { methods, groups, prompts }: EnsembleConclusion,
  {
    top,
    nameWidth,
    mapWidth,
  }: { readonly top: number; readonly nameWidth: number; readonly mapWidth: number },
): {
  readonly layers: Layers;
  readonly width: number;
  readonly height: number;
  readonly notes: readonly string[];
} {
  const shownGroups = [...groups.keys()]
    .sort((a, b) => (groups[b]?.support ?? 0) - (groups[a]?.support ?? 0))
    .slice(0, mostGroups)
    .sort((a, b) => a - b);
  const rows = [
    { name: methodNames.best, weights: methods.best.weights?.[0] ?? [] },
    { name: methodNames.bpe, weights: methods.bpe.weights?.[0] ?? [] },
    { name: methodNames.bpeEquation5, weights: methods.bpeEquation5.weights?.[0] ?? [] },
    ...shownGroups.map((group) => ({
      name: `MMB, group ${group + 1} (labels ${fixedText(groups[group]?.support ?? 0, 1)})`,
      weights: methods.mmb.weights?.[group] ?? [],
    })),
  ];
  const heaviest = (prompt: number) => largestOf(rows.map(({ weights }) => weights[prompt] ?? 0));
  const shown = Array.from({ length: prompts }, (_, prompt) => prompt)
    .sort((a, b) => heaviest(b) - heaviest(a) || a - b)
    .slice(0, mostPrompts)
    .sort((a, b) => a - b);
  const cell = Math.min(48, Math.floor(mapWidth / shown.length));
  const above = nameWidth === 0 ? nameHeight : 0;
  const first = top + 48 + above;
  const yOf = (row: number) => first + row * (rowHeight + above) + rowHeight / 2;
  const cells = rows.flatMap(({ weights }, row) =>
    shown.map((prompt, column) => {
      const weight = weights[prompt] ?? 0;
      return {
        x: nameWidth + (column + 0.5) * cell,
        y: yOf(row),
        // Faint enough that the number is read on it, in light and dark.
        strength: weight * 0.6,
        text: cell >= 32 ? fixedText(weight, 2) : "",
      };
    }),
  );
  // Every number has its room.
  const every = Math.ceil(24 / cell);
  const layers: Layers = [
    {
      data: { values: [{ x: 0, y: top, text: "Weights of the prompts" }] },
      ...placedWords({ align: "left", fontSize: 12, fontWeight: 600 }),
    },
    {
      data: { values: [{ x: nameWidth, y: top + 20, text: "prompt" }] },
      ...placedWords({ align: "left", ...smallText }),
    },
    {
      data: {
        values: shown
          .map((prompt, column) => ({
            x: nameWidth + (column + 0.5) * cell,
            y: top + 37,
            text: String(prompt + 1),
          }))
          .filter((_, column) => column % every === 0),
      },
      ...placedWords({ align: "center", ...smallText }),
    },
    {
      data: {
        values: rows.map(({ name }, row) => ({
          x: 0,
          y: above === 0 ? yOf(row) : yOf(row) - rowHeight / 2 - above / 2,
          text: name,
        })),
      },
      ...placedWords({ align: "left", fontSize: 11 }),
    },
    {
      data: { values: cells },
      mark: {
        type: "rect" as const,
        fill: palette.blue,
        stroke: palette.grid,
        width: cell - 2,
        height: rowHeight - 2,
      },
      encoding: {
        x: xPlace,
        y: yPlace,
        fillOpacity: { field: "strength", type: "quantitative" as const, scale: null },
      },
    },
    { data: { values: cells }, ...placedWords({ align: "center", fontSize: 10 }) },
  ];
  return {
    layers,
    width: nameWidth + cell * shown.length,
    height: 48 + rows.length * (rowHeight + above),
    notes: [
      "Weights of a row add up to 1, the darker the more. Labels: how many of them speak for a group.",
      ...(shown.length < prompts
        ? [`Shown: the ${shown.length} of ${countText(prompts)} prompts with the largest weights.`]
        : []),
      ...(shownGroups.length < groups.length
        ? [
            `Shown: the ${shownGroups.length} of ${pluralText(groups.length, "group")} with the most labels.`,
          ]
        : []),
    ],
  };
}

const inset = { left: 34, top: 40 };

const lineHeight = 14;

/** Area of a dot that holds all answers, in square pixels. */
const largestDot = 260;

const smallestDot = 14;

/** How many lines its error and interval may need. */
const linesOf = (side: number) => (side < 150 ? 2 : 1);

/** How high a panel is with what stands above and below its square. */
const panelHeight = (side: number): number =>
  side + inset.top + (linesOf(side) - 1) * lineHeight + 46;

/**
 * One method's reliability diagram as layers, all places in pixels.
 *
 * @param options.x of its left edge; `y` of its upper one.
 * @param options.side of the square that confidence and accuracy span.
 * @param options.columns how many predictions of a row are in the bins.
 */
function reliabilityPanel(
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
  const said = linesOf(side) === 1 ? [measured] : measured.split(/ (?=\[)/);
  const from = { x: x + inset.left, y: y + inset.top + (linesOf(side) - 1) * lineHeight };
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
