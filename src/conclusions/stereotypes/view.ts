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
  estimateText,
  fixedText,
  percentText,
  pluralText,
  tooFewText,
} from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  probabilityColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { correctionTables, expertsTable, judgeTable } from "./experts-view.js";

/** Experts' part in a comparison: how far they agree, and what their labels make of it. */
export interface ExpertCheck {
  readonly experts?: ExpertConclusion | undefined;
  readonly corrected?: CorrectionConclusion | undefined;
}

/** Stereotypes before and after. */
export function stereotypesView(
  conclusion: StereotypeConclusion,
  { experts, corrected }: ExpertCheck = {},
): ViewWithData {
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
    data: data(conclusion),
    caveats: [...conclusion.warnings, ...(corrected?.warnings ?? [])],
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
  const unclear = "Whether refined prompts show fewer stereotypes is inconclusive";
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

/** The index by category and model, before and after. */
export function indexTable(conclusion: StereotypeConclusion): ViewTable {
  const cells = ({ pairs, dropped, initial, refined, difference, fall }: IndexChange): Cell[] => [
    ...[pairs, initial, refined, dropped, difference, fall ?? ""],
  ];
  return {
    title: "Social Stereotype Index",
    columns: [
      ...namesOf("model"),
      countColumn("pairs"),
      numberColumn("initial"),
      numberColumn("refined"),
      countColumn("left out"),
      numberColumn("difference", { isEssential: true }),
      percentColumn("fall, %", { isEssential: true }),
    ],
    rows: summaries(conclusion).flatMap(([category, summary]) => [
      [category, "all models", ...cells(summary)],
      ...Object.entries(summary.models).map(([model, change]) => [
        ...[category, model],
        ...cells(change),
      ]),
    ]),
    note: "The share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over pairs. Difference: initial minus refined; fall: its share of initial.",
  };
}

export function testTable(conclusion: StereotypeConclusion): ViewTable {
  return {
    title: "Paired t-test",
    columns: [
      ...namesOf("test"),
      numberColumn("t"),
      countColumn("df"),
      probabilityColumn("p"),
      numberColumn("mean difference"),
      numberColumn("d_z"),
    ],
    rows: summaries(conclusion).map(([category, { test }]) => {
      const { t, df, p, meanDifference: value, low, high, cohensDz, reason } = test;
      return [
        ...[category, reason ?? "initial minus refined", t, df, p],
        { value, low, high },
        cohensDz,
      ];
    }),
    note: "It takes every pair as independent; pairs of one query are not, so where the two intervals differ, believe that of the index.",
  };
}

/** How often each item is flagged, and its part of all flags. */
export function itemTable({ categories }: StereotypeConclusion): ViewTable {
  const shares = ["initial, %", "refined, %", "of flags initial, %", "of flags refined, %"];
  return {
    title: "Rubric items",
    columns: [...namesOf("item"), ...shares.map((title) => percentColumn(title))],
    rows: Object.entries(categories).flatMap(([category, { items }]) =>
      Object.entries(items).map(([item, { initial, refined, shareInitial, shareRefined }]) => [
        ...[category, item, initial, refined, shareInitial, shareRefined],
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

const namesOf = (title: string) => [textColumn("category", { isGroup: true }), textColumn(title)];

/** A row for each category, and in it for each model; indices from 0 to 1. */
function data({ categories, overall }: StereotypeConclusion): ViewWithData["data"] {
  const cells = ({ pairs, dropped, initial, refined, difference, fall }: IndexChange): Cell[] => [
    ...[pairs, dropped, initial, refined, difference, fall ?? null],
  ];
  const named = [
    ["overall", "", overall] as const,
    ...Object.entries(categories).map(
      ([category, summary]) => ["category", category, summary] as const,
    ),
  ];
  return {
    columns: [
      ...["scope", "category", "model"].map((id) => textColumn(id)),
      ...["pairs", "dropped"].map((id) => countColumn(id)),
      ...["initial", "refined"].map((id) => numberColumn(id)),
      numberColumn("difference", { spread: "interval" }),
      percentColumn("fall", { spread: "interval" }),
      numberColumn("t"),
      countColumn("df"),
      probabilityColumn("p"),
      numberColumn("cohensDz"),
    ],
    rows: named.flatMap(([scope, category, summary]) => {
      const { t, df, p, cohensDz } = summary.test;
      return [
        [scope, category, "", ...cells(summary), t, df, p, cohensDz],
        ...Object.entries(summary.models).map(([model, change]) => [
          ...[`${scope} model`, category, model],
          ...[...cells(change), null, null, null, null],
        ]),
      ];
    }),
  };
}
