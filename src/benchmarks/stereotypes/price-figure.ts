import type { IndexChange } from "../../analysis/stereotypes/index-change.js";
import type { StereotypeConclusion } from "../../analysis/stereotypes/stereotypes.js";
import { initialMark, promptsLegend, refinedMark } from "../../conclusions/stereotypes/figure.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import {
  type Layers,
  noteHeight,
  noteLines,
  placedWords,
  titleLook,
  viewsFrame,
  words,
} from "../../views/figures/marks.js";
import { palette } from "../../views/figures/palette.js";
import { placeBeside } from "../../views/figures/place-rows.js";
import { fitted } from "../../views/figures/text-width.js";
import type { AuditPrice } from "./conclusion.js";

/** Where a generator's images of a category stand before and after. */
export interface PricePlace {
  readonly category: string;
  readonly generator: string;
  readonly index: Pick<IndexChange, "initial" | "refined">;
  readonly alignment: Pick<IndexChange, "initial" | "refined">;
}

const width = 430;
const keyWidth = 250;
const keyLine = 18;
const left = 88;
const top = 70;
const bottom = 46;
const numberSize = 11;

/** Price of refining by one metric, against its gain; undefined where no set was scored twice. */
export const auditPriceOf = (
  { metric, direction, change }: AuditPrice,
  { categories }: Pick<StereotypeConclusion, "categories">,
): Figure | undefined =>
  change.overall.initial === null
    ? undefined
    : auditPriceFigure(
        Object.entries(change.categories).flatMap(([category, { models }]) =>
          Object.entries(models).flatMap(([generator, alignment]) => {
            const index = categories[category]?.models[generator];
            return index === undefined ? [] : [{ category, generator, index, alignment }];
          }),
        ),
        { metric, direction },
      );

/**
 * The index of stereotypes against how well images show the query, from initial to refined prompts: a
 * line for each category and generator, numbered, with their names at the right. Down is what
 * refining costs, left is what it brings.
 */
export function auditPriceFigure(
  places: readonly PricePlace[],
  { metric, direction }: { readonly metric: string; readonly direction: "higher" | "lower" },
): Figure {
  const title = `Stereotypes against alignment by ${fitted(metric, 200, 14)}`;
  const drawn = places.flatMap(({ category, generator, index, alignment }) => {
    const { initial: x, refined: x2 } = index;
    const { initial: y, refined: y2 } = alignment;
    return x === null || x2 === null || y === null || y2 === null
      ? []
      : [{ name: `${category}, ${generator}`, x, x2, y, y2 }];
  });
  if (drawn.length === 0)
    return emptyFigure(title, "no set was judged and scored before and after");
  const numbered = drawn.map((one, at) => ({ ...one, number: String(at + 1) }));
  const height = Math.max(260, numbered.length * keyLine + 40);
  const values = drawn.flatMap(({ y, y2 }) => [y, y2]);
  const [least, most] = [smallestOf(values), largestOf(values)];
  const air = Math.max(most - least, 0.01) * 0.12;
  const [floor, ceiling] = [least - air, most + air];
  const x = {
    type: "quantitative" as const,
    scale: { domain: [0, 1], nice: false },
    axis: { title: "Social Stereotype Index (0 to 1)", format: ".1f", tickCount: 5 },
  };
  const y = {
    type: "quantitative" as const,
    scale: { domain: [floor, ceiling], nice: false, zero: false },
    axis: {
      title: fitted(`alignment with the query: ${metric}`, height - 10, 12),
      tickCount: 5,
    },
  };
  const pixel = (index: number, score: number) => ({
    x: index * width,
    y: height * ((ceiling - score) / (ceiling - floor)),
  });
  const numbers = placeBeside(
    numbered.map((one) => ({ ...pixel(one.x, one.y), text: one.number })),
    numbered.flatMap((one) => [pixel(one.x, one.y), pixel(one.x2, one.y2)]),
    numberSize,
  );
  const layer: Layers = [
    { data: { values: [{ y: -50, text: title }] }, ...words("text", -left + 8, titleLook) },
    ...promptsLegend([6, 140], -18),
    {
      data: { values: numbered },
      mark: { type: "rule", color: palette.muted, strokeWidth: 1.4 },
      encoding: {
        x: { field: "x", ...x },
        x2: { field: "x2" },
        y: { field: "y", ...y },
        y2: { field: "y2" },
      },
    },
    {
      data: { values: numbered },
      mark: initialMark,
      encoding: { x: { field: "x", ...x }, y: { field: "y", ...y } },
    },
    {
      data: { values: numbered },
      mark: refinedMark,
      encoding: { x: { field: "x2", ...x }, y: { field: "y2", ...y } },
    },
    { data: { values: numbers }, ...placedWords({ align: "center", fontSize: numberSize }) },
    {
      data: {
        values: numbered.map(({ number: at, name }, row) => ({
          y: 10 + row * keyLine,
          text: fitted(`${at}  ${name}`, keyWidth - 12, 12),
        })),
      },
      ...words("text", width + 22, { align: "left", fontSize: 12 }),
    },
    noteLines(
      [
        `To the left: fewer stereotypes. ${direction === "higher" ? "Down" : "Up"}: the images show the query less. Numbers stand beside the initial prompts.`,
      ],
      { x: -left + 8, y: height + bottom + 8 },
    ),
  ];
  return {
    title,
    caption:
      "Each line goes from a generator's images of initial prompts to those of refined ones, in one category: the Social Stereotype Index, and how well the images show the original query.",
    spec: {
      description: title,
      ...viewsFrame(
        { width, height },
        { left, right: keyWidth + 22, top, bottom: bottom + noteHeight + 8 },
      ),
      width,
      height,
      layer,
    },
  };
}
