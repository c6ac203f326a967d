import {
  countText,
  estimateText,
  fixedText,
  pluralText,
} from "touchstone-t2i/internal/views/number-text.js";
import {
  numberColumn,
  textColumn,
  type View,
  type ViewTable,
} from "touchstone-t2i/internal/views/view.js";
import { publishedName } from "../ensemble/grid-text.js";
import { methodName } from "../ensemble/names.js";
import type { PublishedEnsembles } from "../ensemble/published.js";
import type { NoPreferenceCell } from "./cells.js";
import type { NoPreferenceConclusion } from "./no-preference.js";

/** How sure methods are of equal pairs, as people read it; the paper's table 4 beside it. */
export function readableNoPreference(
  conclusion: NoPreferenceConclusion,
  published: PublishedEnsembles,
): View {
  const { n, degraded, captions, folds, unscored, design, permutations } = conclusion;
  return {
    verdict: verdictOf(conclusion),
    tables: [
      confidenceTable(conclusion, published),
      accuracyTable(conclusion, published),
      ...copyTables(conclusion),
    ],
    caveats: conclusion.warnings,
    method:
      `n ${pluralText(n, "pair")} of which neither is better and ${countText(degraded)} of an image and its degraded copy, of ${pluralText(captions, "caption")} in ${folds} folds; unscored: ${countText(unscored)}. ` +
      `Each pair is judged by weights that saw nothing of its caption, ${countText(design.seeds.training * design.seeds.labels)} times. ` +
      `Brackets: 95 % intervals that draw captions. * the lowest of its setting, or not significantly different from it at 5 % (${countText(permutations)} turns of captions' signs, Benjamini-Yekutieli over all tests).`,
  };
}

/** Whether a cell is of the setting that is told of in full: 10 prompts and 20 labels, where there are. */
function isShown({ prompts, labels }: NoPreferenceConclusion["design"]) {
  const shown = {
    prompts: prompts.includes(10) ? 10 : prompts[0],
    labels: labels.includes(20) ? 20 : labels[0],
  };
  return (cell: NoPreferenceCell) => cell.prompts === shown.prompts && cell.labels === shown.labels;
}

const settingText = ({ prompts, labels }: NoPreferenceCell) =>
  `${prompts} prompts, ${labels} labels`;

function verdictOf({ cells, design }: NoPreferenceConclusion): string {
  const here = cells.filter(isShown(design));
  const best = here.find(({ isBest }) => isBest);
  if (best === undefined) return "There is nothing to compare.";
  const alike = here.filter(({ pAdjusted }) => (pAdjusted ?? 0) >= level);
  const others = alike.map(({ method }) => methodName(method)).join("; ");
  return (
    `Where neither image is better, ${methodName(best.method)} is the least sure, with ${best.prompts} prompts and ${best.labels} labels: ` +
    `mean confidence ${estimateText(best.confidence)}, 0.5 would be right; of degraded copies it is right on a share of ${estimateText(best.accuracy)}.` +
    (others === "" ? "" : ` These pairs can't tell it from: ${others}.`)
  );
}

/** A method is told apart from the least sure below it. */
const level = 0.05;

function confidenceTable(
  { cells, design, methods }: NoPreferenceConclusion,
  published: PublishedEnsembles,
): ViewTable {
  return {
    title: "Table 4: mean confidence where neither image is better",
    columns: [
      ...[textColumn("prompts"), textColumn("method")],
      ...design.labels.map((labels) => numberColumn(String(labels))),
      ...design.labels.map((labels) => numberColumn(`paper ${labels}`)),
    ],
    rows: design.prompts.flatMap((prompts) =>
      methods.map((method, at) => {
        return [
          ...[at === 0 ? `${prompts} prompts` : "", methodName(method)],
          ...design.labels.map((labels) => {
            const cell = cells.find(
              (one) => one.method === method && one.prompts === prompts && one.labels === labels,
            );
            if (cell === undefined || cell.confidence.value === null) return "–";
            const isLow = cell.isBest || (cell.pAdjusted ?? 0) >= level;
            return `${fixedText(cell.confidence.value, 3)}${isLow ? "*" : ""}`;
          }),
          ...design.labels.map((labels) => {
            const value = publishedConfidence(published, { method, prompts, labels });
            return value === undefined ? "–" : fixedText(value, 3);
          }),
        ];
      }),
    ),
    note: `By number of labels; 0.5 is right, lower is better. Columns "paper": what the paper prints (${published.table4.source}) for another judge on other data, GPT-4o on MJBench-Bias; to look at, never an expectation.`,
  };
}

function accuracyTable(
  { cells, design }: NoPreferenceConclusion,
  published: PublishedEnsembles,
): ViewTable {
  return {
    title: "Beside it: degraded copies",
    columns: [
      ...[textColumn("setting"), textColumn("method")],
      ...["neither is better", "paper", "right on copies"].map((title) => numberColumn(title)),
    ],
    rows: cells.filter(isShown(design)).map((cell, at) => {
      const paper = publishedConfidence(published, cell);
      return [
        at === 0 ? settingText(cell) : "",
        methodName(cell.method),
        estimateText(cell.confidence),
        paper === undefined ? "–" : fixedText(paper, 3),
        estimateText(cell.accuracy),
      ];
    }),
    note: "Confidence where neither image is better, what the paper prints of its own judge, and right answers on degraded copies: a judge that never prefers anything is not sure of equal pairs either, and the last column tells the two apart.",
  };
}

/** Answers on degraded copies by kind; no table where no pair says how its copy was degraded. */
function copyTables({ cells, design }: NoPreferenceConclusion): ViewTable[] {
  const shown = cells.filter(isShown(design));
  const [first] = shown;
  const kinds = first?.copies ?? [];
  if (first === undefined || kinds.length === 0) return [];
  const table = (title: string, of: "accuracy" | "confidence", note: string): ViewTable => ({
    title,
    columns: [
      ...[textColumn("setting"), textColumn("method")],
      ...kinds.map(({ degradation }) => numberColumn(degradation)),
    ],
    rows: [
      [settingText(first), "n, pairs", ...kinds.map(({ n }) => countText(n))],
      ...shown.map(({ method, copies }) => [
        ...["", methodName(method)],
        ...copies.map((copy) => {
          const { value } = copy[of];
          return value === null ? "–" : fixedText(value, 3);
        }),
      ]),
    ],
    note,
  });
  return [
    table(
      "Right on degraded copies, by kind",
      "accuracy",
      "The share of pairs in which the judge prefers the image to its copy; 0.5 is a coin.",
    ),
    table(
      "Mean confidence on degraded copies, by kind",
      "confidence",
      "Over all answers, right or wrong. High confidence where few are right: the judge prefers these copies to the image. Intervals stand in JSON and CSV.",
    ),
  ];
}

/** The paper's figure for the same method and setting. */
function publishedConfidence(
  { methods, table4 }: PublishedEnsembles,
  { method, prompts, labels }: Pick<NoPreferenceCell, "method" | "prompts" | "labels">,
): number | undefined {
  const name = publishedName(method);
  const row = table4.rows.find((one) => one.prompts === prompts && one.labels === labels);
  return name === undefined ? undefined : row?.confidence[methods.indexOf(name)];
}
