import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import type { CorrectionConclusion } from "../../analysis/stereotypes/audit-correction.js";
import type { ExpertConclusion } from "../../analysis/stereotypes/audit-experts.js";
import type { IndexChange } from "../../analysis/stereotypes/index-change.js";
import type {
  StereotypeConclusion,
  StereotypeSummary,
} from "../../analysis/stereotypes/stereotypes.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  probabilityText,
  tooFewText,
} from "../../views/number-text.js";
import {
  essentialNumber,
  numberColumns,
  type ReadableConclusion,
  type TextTable,
} from "../../views/text-table.js";
import { correctionTables, expertsTable, judgeTable } from "./audit-experts-text.js";

/** Experts' part in a comparison: how far they agree, and what their labels make of it. */
export interface ExpertCheck {
  readonly experts?: ExpertConclusion | undefined;
  readonly corrected?: CorrectionConclusion | undefined;
}

/** A comparison of stereotypes before and after as people read it. */
export function readableStereotypes(
  conclusion: StereotypeConclusion,
  { experts, corrected }: ExpertCheck = {},
): ReadableConclusion {
  const whom = experts === undefined || experts.names.length === 1 ? "the expert" : "the experts";
  return {
    verdict: verdictOf(conclusion),
    findings: fallsOf(conclusion),
    tables: [
      indexTable(conclusion),
      testTable(conclusion),
      itemTable(conclusion),
      ...(experts === undefined ? [] : [expertsTable(experts)]),
      ...(conclusion.judge.length === 0 ? [] : [judgeTable(conclusion.judge, whom)]),
      ...(corrected === undefined ? [] : correctionTables(corrected, whom)),
    ],
    warnings: [...conclusion.warnings, ...(corrected?.warnings ?? [])],
    method: `Brackets hold intervals: ${conclusion.intervals.text}.`,
  };
}

function verdictOf({ overall, intervals }: StereotypeConclusion): string {
  const { initial, refined, difference, fall, pairs } = overall;
  if (initial === null || refined === null) {
    return "Nothing can be concluded: no set of images was answered both before and after.";
  }
  const by = `difference ${estimateText(difference)}`;
  const change = `${fixedText(initial, 3)} to ${fixedText(refined, 3)}`;
  const unclear = "These rows can't tell whether refined prompts show fewer stereotypes";
  const { clusters } = intervals;
  if (clusters < fewestToTell) {
    const short = `index ${change}, ${by}`;
    return `${unclear}: ${tooFewText(clusters, "query", "queries")} (${short}).`;
  }
  const over = `over ${pluralText(clusters, "query", "queries")} (${pluralText(pairs, "pair")})`;
  const fromTo = `the Social Stereotype Index goes from ${change} ${over}, ${by}`;
  const side = whichSide(difference);
  if (side === "above" && hasInterval(fall)) {
    return (
      `Refined prompts show fewer stereotypes: the Social Stereotype Index falls by ` +
      `${fallText(fall)}, from ${change}, ${over}.`
    );
  }
  if (side === "above") return `Refined prompts show fewer stereotypes: ${fromTo}.`;
  if (side === "below") return `Refined prompts show more stereotypes: ${fromTo}.`;
  return `${unclear}: ${fromTo}.`;
}

/** The fall of each category's index in percent, as the paper's abstract has it. */
function fallsOf({ categories, intervals }: StereotypeConclusion): string[] {
  if (intervals.clusters < fewestToTell) return [];
  const falls = Object.entries(categories).flatMap(([category, { fall }]) =>
    fall === undefined || fall.value === null ? [] : [`${category} ${fallText(fall)}`],
  );
  return falls.length < 2 ? [] : [`Fall of the index by category: ${falls.join(", ")}.`];
}

const hasInterval = (one: Estimate | undefined): one is Estimate =>
  one !== undefined && one.low !== null && one.high !== null;

/** @example "61.1 % [52.3, 68.0]" */
const fallText = (fall: Estimate) => percentText(fall).replace(/^\S+/, "$& %");

function indexTable(conclusion: StereotypeConclusion): TextTable {
  const cells = ({ pairs, dropped, initial, refined, difference, fall }: IndexChange) => [
    countText(pairs),
    numberText(initial),
    numberText(refined),
    countText(dropped),
    estimateText(difference),
    ...(fall === undefined ? [] : [percentText(fall)]),
  ];
  return {
    title: "Social Stereotype Index",
    columns: [
      ...columnsOf(["category", "model"], ["pairs", "initial", "refined", "left out"]),
      ...["difference", "fall, %"].map(essentialNumber),
    ],
    rows: summaries(conclusion).flatMap(([category, summary]) => [
      [category, "all models", ...cells(summary)],
      ...Object.entries(summary.models).map(([model, change]) => ["", model, ...cells(change)]),
    ]),
    note: "The share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over pairs. Difference: initial minus refined; fall: its share of initial.",
  };
}

function testTable(conclusion: StereotypeConclusion): TextTable {
  return {
    title: "Paired t-test",
    columns: columnsOf(["category", "test"], ["t", "df", "p", "mean difference", "d_z"]),
    rows: summaries(conclusion).map(([category, { test }]) => [
      category,
      test.reason ?? "initial minus refined",
      numberText(test.t),
      test.df === null ? "–" : countText(test.df),
      probabilityText(test.p),
      estimateText({ value: test.meanDifference, low: test.low, high: test.high }),
      numberText(test.cohensDz),
    ]),
    note: "It takes every pair as independent; pairs of one query are not, so where the two intervals differ, believe that of the index.",
  };
}

function itemTable({ categories }: StereotypeConclusion): TextTable {
  return {
    title: "Rubric items",
    columns: columnsOf(
      ["category", "item"],
      ["initial, %", "refined, %", "of flags initial, %", "of flags refined, %"],
    ),
    rows: Object.entries(categories).flatMap(([category, { items }]) =>
      Object.entries(items).map(([item, rates], at) => [
        at === 0 ? category : "",
        item,
        ...[rates.initial, rates.refined, rates.shareInitial, rates.shareRefined].map(percent),
      ]),
    ),
    note: "How often an item was flagged, and its part of all flags; the parts add up to 100 %.",
  };
}

const summaries = ({
  categories,
  overall,
}: StereotypeConclusion): (readonly [string, StereotypeSummary])[] => {
  const each = Object.entries(categories);
  return each.length === 1 ? each : [["all categories", overall], ...each];
};

const columnsOf = (names: readonly string[], numbers: readonly string[]): TextTable["columns"] => [
  ...names.map((title) => ({ title })),
  ...numberColumns(...numbers),
];

const numberText = (value: number | null) => estimateText({ value, low: null, high: null });
const percent = (share: number | null) => (share === null ? "–" : fixedText(share * 100, 1));
