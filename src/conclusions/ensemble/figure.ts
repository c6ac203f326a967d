import type { EnsembleConclusion, EnsembleResult } from "../../analysis/ensemble/ensemble.js";
import { ensembleMethods } from "../../analysis/ensemble/ensemble-methods.js";
import { largestOf } from "../../core/arrays.js";
import type { Figure } from "../../views/figures/figure.js";
import { noteHeight, noteLines, titleLook, viewsFrame, words } from "../../views/figures/marks.js";
import { plotConfig } from "../../views/figures/palette.js";
import { textWidth, wrapped } from "../../views/figures/text-width.js";
import { countText, pluralText } from "../../views/number-text.js";
import { panelHeight, reliabilityPanel } from "./reliability-figure.js";
import { methodNames } from "./view.js";
import { weightMap } from "./weights-figure.js";

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
