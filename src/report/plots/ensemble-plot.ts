import type { EnsembleConclusion, EnsembleResult } from "../../analysis/ensemble/ensemble.js";
import { ensembleMethods } from "../../analysis/ensemble/ensemble-methods.js";
import { methodNames } from "../text/ensemble-text.js";
import { countText, pluralText } from "../text/number-text.js";
import { reliabilityPanel } from "./ensemble-reliability.js";
import { weightMap } from "./ensemble-weights.js";
import type { Figure } from "./figure.js";
import { noteHeight, noteLines, titleLook, viewsFrame, words } from "./marks.js";
import { plotConfig } from "./palette.js";
import { textWidth } from "./text-width.js";

const title = "Methods to make one judge of several prompts";
const panel = { width: 250, height: 236 };
const perRow = 3;
const left = 20;
const heading = 62;

/** The reliability of each method, and below it the weights that the labels gave to prompts. */
export function ensembleFigure(conclusion: EnsembleConclusion): Figure {
  const { n, unscored, methods } = conclusion;
  const panels = ensembleMethods.map((method, at) =>
    reliabilityPanel(methods[method], {
      name: methodNames[method],
      x: (at % perRow) * panel.width,
      y: Math.floor(at / perRow) * panel.height,
      // One prompt at random holds the rows of all prompts.
      columns: columnsOf(methods[method]),
    }),
  );
  const below = Math.ceil(ensembleMethods.length / perRow) * panel.height + 30;
  const map = weightMap(conclusion, { top: below });
  const notes = [
    `n ${countText(n)} test rows${unscored === 0 ? "" : `; unscored and excluded: ${pluralText(unscored, "row")}`}. Across: confidence (%); up: answers that are right (%). Vertical lines: 95 % intervals.`,
    "Below the dashed line answers are overconfident. Larger dots: more answers in that bin of confidence.",
    ...map.notes,
  ];
  const width = Math.max(
    perRow * panel.width,
    map.width,
    ...notes.map((note) => Math.ceil(textWidth(note, 11))),
  );
  const height = below + map.height;
  return {
    title,
    caption:
      "Above: how often answers are right, by how sure they were, for each method on the test rows; on the dashed line they can be believed. Below: the weight that each prompt has, which of MMB depends on the group of images.",
    spec: {
      description: title,
      ...viewsFrame(
        { width, height },
        { left, right: 10, top: heading, bottom: notes.length * noteHeight + 20 },
      ),
      width,
      height,
      config: plotConfig,
      layer: [
        { data: { values: [{ y: -44, text: title }] }, ...words("text", 0, titleLook) },
        ...panels.flat(),
        ...map.layers,
        noteLines(notes, { x: 0, y: height + 20 }),
      ],
    },
  };
}

/** How many predictions of a row are in the bins, on average. */
function columnsOf({ bins, n }: EnsembleResult): number {
  return Math.max(1, bins.reduce((sum, bin) => sum + bin.n, 0) / Math.max(1, n));
}
