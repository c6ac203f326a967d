import type { IndexChange } from "../../analysis/stereotypes/index-change.js";
import type { StereotypeConclusion } from "../../analysis/stereotypes/stereotypes.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { emptyFigure, type Figure, type TopLevelSpec } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
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
import { palette } from "../../views/figures/palette.js";
import { placeRows } from "../../views/figures/place-rows.js";
import { countText, estimateText, fixedText } from "../../views/number-text.js";

const title = "Social Stereotype Index before and after";
const names = 206;
const indexWidth = 186;
const differenceWidth = 124;
const gap = 26;
const labels = 164;
const width = indexWidth + gap + differenceWidth;
const valueEdge = differenceWidth + labels - 34;
const countEdge = differenceWidth + labels;
const top = 82;
const bottom = 46;

const point = { type: "point", size: 62, opacity: 1, strokeWidth: 1.8 } as const;

/** The mark of images of initial prompts. */
export const initialMark = {
  ...point,
  shape: "circle",
  stroke: palette.vermilion,
  fill: palette.paper,
} as const;

/** The mark of images of refined prompts. */
export const refinedMark = {
  ...point,
  shape: "diamond",
  stroke: palette.green,
  fill: palette.green,
} as const;

/** The legend of both marks: where each stands, in pixels, and the line they stand on. */
export const promptsLegend = ([initial, refined]: readonly [number, number], y: number): Layers => [
  {
    data: { values: [{ x: initial, y }] },
    mark: initialMark,
    encoding: { x: xPlace, y: yPlace },
  },
  {
    data: { values: [{ x: refined, y }] },
    mark: refinedMark,
    encoding: { x: xPlace, y: yPlace },
  },
  {
    data: {
      values: [
        { x: initial + 10, y, text: "initial prompts" },
        { x: refined + 10, y, text: "refined prompts" },
      ],
    },
    ...placedWords({ align: "left", fontSize: 12 }),
  },
];

/** The same as one row a generator, without the categories. */
export const stereotypesOverall = (conclusion: StereotypeConclusion): Figure =>
  stereotypesFigure({ ...conclusion, categories: { "all categories": conclusion.overall } });

/**
 * By category and model the index with initial and with refined prompts, joined by a line, and
 * beside it their difference with its interval.
 */
export function stereotypesFigure(conclusion: StereotypeConclusion): Figure {
  const { categories, overall } = conclusion;
  if (overall.pairs === 0) {
    return emptyFigure(title, "no set of images was answered both before and after");
  }
  const each = Object.entries(categories);
  const summaries = each.length === 1 ? each : [["all categories", overall] as const, ...each];
  const placed = placeRows(
    summaries.flatMap(([band, summary]) => {
      const models = Object.entries(summary.models);
      return [
        ...(models.length === 1 ? [] : [rowOf(band, "all models", summary)]),
        ...models.map(([model, change]) => rowOf(band, model, change)),
      ];
    }),
    ["change"],
  );
  const { bands, blocks, rules, height, rows } = placed;
  const changes = rows.flatMap(({ initial, refined, ...row }) =>
    initial === null || refined === null ? [] : [{ ...row, initial, refined }],
  );
  const differences = rows.flatMap(({ value, low, high, ...row }) =>
    value === null ? [] : [{ ...row, value, low: low ?? value, high: high ?? value }],
  );
  const ends = differences.flatMap(({ low, high }) => [low, high]);
  const [least, most] = [Math.min(0, smallestOf(ends)), Math.max(0, largestOf(ends))];
  const air = Math.max(most - least, 0.05) * 0.08;
  const notes = [
    "n: pairs of image sets. Right of 0 refined prompts show fewer stereotypes; intervals (95 %) resample whole queries.",
    ...(differences.some(({ low, high }) => low === high)
      ? ["A dot without a line: the data give no interval."]
      : []),
  ];
  const index = {
    type: "quantitative" as const,
    scale: { domain: [0, 1], nice: false },
    axis: { title: "index (0 to 1)", format: ".1f", tickCount: 5, labelOverlap: false },
  };
  const change = {
    type: "quantitative" as const,
    scale: { domain: [least - air, most + air], nice: false },
    axis: { title: "initial minus refined", tickCount: 3, format: "~g", labelOverlap: false },
  };
  const before: Layers = [
    { data: { values: [{ y: -64, text: title }] }, ...words("text", -names + 4, titleLook) },
    ...promptsLegend([-names + 10, -names + 140], -34),
    {
      data: { values: rules },
      mark: { type: "rule", color: palette.grid },
      encoding: {
        x: { value: -names + 4 },
        x2: { value: indexWidth + gap + countEdge },
        y: yPlace,
      },
    },
    { data: { values: bands }, ...words("band", -names + 4, { align: "left", fontWeight: 600 }) },
    { data: { values: blocks }, ...words("name", -names + 4, { align: "left", fontSize: 12 }) },
    {
      data: { values: changes },
      mark: { type: "rule", color: palette.muted, strokeWidth: 1.5 },
      encoding: { y: yPlace, x: { field: "initial", ...index }, x2: { field: "refined" } },
    },
    {
      data: { values: changes },
      mark: initialMark,
      encoding: { y: yPlace, x: { field: "initial", ...index } },
    },
    {
      data: { values: changes },
      mark: refinedMark,
      encoding: { y: yPlace, x: { field: "refined", ...index } },
    },
    {
      data: {
        values: rows
          .filter(({ pairs }) => pairs === 0)
          .map((row) => ({ ...row, text: "no complete pair" })),
      },
      ...words("text", 6, { align: "left", ...smallText }),
    },
    noteLines(notes, { x: -names + 4, y: height + bottom + 8 }),
  ];
  const after: Layers = [
    {
      data: {
        values: [
          { x: valueEdge, y: -12, text: "difference" },
          { x: countEdge, y: -12, text: "n" },
        ],
      },
      ...placedWords({ align: "right", ...smallText }),
    },
    {
      data: { values: [{ at: 0 }] },
      mark: { type: "rule", color: palette.muted, strokeDash: [3, 3] },
      encoding: { x: { field: "at", ...change } },
    },
    {
      data: { values: [{ at: 0, y: -12, text: "no change" }] },
      mark: { type: "text", baseline: "middle", ...smallText },
      encoding: { x: { field: "at", ...change }, y: yPlace, text: { field: "text" } },
    },
    {
      data: { values: differences },
      mark: { type: "rule", color: palette.blue, strokeWidth: 2 },
      encoding: { y: yPlace, x: { field: "low", ...change }, x2: { field: "high" } },
    },
    {
      data: { values: differences },
      mark: { ...point, shape: "square", stroke: palette.blue, fill: palette.blue },
      encoding: { y: yPlace, x: { field: "value", ...change } },
    },
    { data: { values: rows }, ...words("label", valueEdge, { align: "right", fontSize: 11 }) },
    { data: { values: rows }, ...words("count", countEdge, { align: "right", ...smallText }) },
  ];
  return {
    title,
    caption:
      "The share of a set's rubric items that say a negative stereotype is there, as the mean over pairs of image sets, from initial to refined prompts; at the right by how much it falls, with its interval.",
    narrow: narrowPlot(rows, [least - air, most + air]),
    spec: {
      description: title,
      ...viewsFrame(
        { width, height },
        { left: names, right: labels + 6, top, bottom: bottom + notes.length * noteHeight + 6 },
      ),
      spacing: gap,
      hconcat: [
        { width: indexWidth, height, layer: before },
        { width: differenceWidth, height, layer: after },
      ],
    },
  };
}

/** On a narrow page the index stands in words beside its change. */
function narrowPlot(
  rows: readonly ReturnType<typeof rowOf>[],
  domain: readonly [number, number],
): TopLevelSpec | undefined {
  return intervalPlot({
    title,
    axisTitle: "initial minus refined, with its 95 % interval",
    axisFormat: "~g",
    valueTitle: "initial → refined",
    valueWidth: 106,
    rows: rows.map(({ value, low, high, initial, refined, ...row }) =>
      value === null || initial === null || refined === null
        ? { ...row, label: "–", reason: "no complete pair" }
        : {
            ...row,
            value,
            low: low ?? value,
            high: high ?? value,
            label: `${fixedText(initial, 3)} → ${fixedText(refined, 3)}`,
          },
    ),
    series: [{ name: "change", colour: palette.blue, shape: "square", filled: true }],
    domain,
    reference: { at: 0, name: "no change" },
    notes: ["n: pairs of image sets. Right of 0 refined prompts show fewer stereotypes."],
  }).narrow;
}

function rowOf(band: string, name: string, { initial, refined, difference, pairs }: IndexChange) {
  const { value, low, high } = difference;
  return {
    band,
    name,
    series: "change",
    initial,
    refined,
    value,
    low,
    high,
    pairs,
    label: value === null ? "–" : estimateText({ value, low, high }),
    count: countText(pairs),
  };
}
