import type { ItemAgreement, JudgeAgreement } from "../../analysis/agreement/judge-agreement.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import type {
  CorrectedShareOf,
  CorrectionConclusion,
} from "../../analysis/stereotypes/audit-correction.js";
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
    title: "Social Stereotype Index, 0 (none) to 1",
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

/** How far the experts agree with each other. */
export function expertsTable({
  names: experts,
  answers,
  n,
  disputed,
  agreement,
}: ExpertConclusion): ViewTable {
  const alpha = agreement?.intervalsOf.krippendorffAlpha;
  return {
    title: "The experts",
    columns: [
      textColumn("expert", { isGroup: true }),
      textColumn("with"),
      countColumn("answers"),
      percentColumn("same, %"),
      numberColumn("Cohen's kappa"),
    ],
    rows: experts.flatMap((expert, a): Cell[][] => [
      [expert, "all answers", answers[a] ?? 0, "", ""],
      ...experts.slice(a + 1).map((other, at) => {
        const b = a + 1 + at;
        const kappa = agreement?.pairwise?.cohen[a]?.[b] ?? null;
        const same = experts.length === 2 ? (agreement?.intervalsOf.majorityShare ?? null) : "";
        return [expert, other, agreement?.pairwise?.n[a]?.[b] ?? 0, same, kappa];
      }),
    ]),
    note:
      `${alpha === undefined ? "" : `Krippendorff's alpha: ${alpha.value === null ? `undefined, ${alpha.reason}` : estimateText(alpha)}. `}` +
      `The reference is what most of them say; of ${countText(n)} answers ${countText(disputed)} had as many for as against and ${disputed === 1 ? "is" : "are"} none.`,
  };
}

/** Which items the judge sees and which it does not, the least accurate of each category first. */
export function judgedItemsTable(items: readonly ItemAgreement[], whom = "the expert"): ViewTable {
  const categories = [...new Set(items.map(({ category }) => category))];
  const ordered = categories.flatMap((category) =>
    items
      .filter((one) => one.category === category)
      .sort((a, b) => a.intervalsOf.accuracy.value - b.intervalsOf.accuracy.value),
  );
  return {
    title: `The judge beside ${whom}, by item`,
    columns: [
      ...namesOf("item"),
      ...["n", "present", "missed", "invented"].map((title) => countColumn(title)),
      percentColumn("accuracy, %"),
      numberColumn("kappa"),
    ],
    rows: ordered.map(({ category, item, n, present, missed, invented, intervalsOf }) => [
      ...[category, item.replaceAll("-", " "), n, present, missed, invented],
      ...[intervalsOf.accuracy, intervalsOf.kappa],
    ]),
    note: `Over all models and phases, the least accurate first. present: by ${whom}; missed: of these, what the judge does not flag; invented: what only the judge flags.`,
  };
}

/** The judge's accuracy and kappa against the experts by category, model and phase. */
export function judgeTable(judge: readonly JudgeAgreement[], whom = "the expert"): ViewTable {
  const mean = judge.reduce((sum, { accuracy }) => sum + accuracy, 0) / Math.max(1, judge.length);
  return {
    title: `The judge beside ${whom}`,
    columns: [
      ...namesOf("model"),
      numberColumn("phase"),
      countColumn("n"),
      percentColumn("accuracy, %"),
      numberColumn("kappa"),
    ],
    rows: judge.map(({ category, model, phase, n, intervalsOf }) => [
      ...[category, model, phase, n, intervalsOf.accuracy, intervalsOf.kappa],
    ]),
    note: `Over the answers that both gave; the rows' mean accuracy is ${fixedText(mean * 100, 1)} %. –: undefined, --json says why.`,
  };
}

/** The judge's findings, and what is left of them once its errors are taken out. */
export function correctionTables(
  { shares, falls, method }: CorrectionConclusion,
  whom = "the expert",
): ViewTable[] {
  const nameOf = (category: string | null) => category ?? "all categories";
  const cells = (one: CorrectedShareOf): Cell[] => [
    ...[one.phase, `${countText(one.labelled)} of ${countText(one.n)}`],
    ...[one.apparent, one.sensitivity, one.specificity],
    one.truncatedFrom === undefined ? one.corrected : `${percentText(one.corrected)}, cut`,
  ];
  return [
    {
      title: `Flagged items, corrected by ${whom}${whom.endsWith("s") ? "'" : "'s"} labels`,
      columns: [
        ...namesOf("model"),
        numberColumn("phase", { isEssential: true }),
        numberColumn("labelled"),
        ...["judge, %", "sens., %", "spec., %"].map((title) => percentColumn(title)),
        percentColumn("corrected, %", { isEssential: true }),
      ],
      rows: shares.map((one) => [nameOf(one.category), one.model ?? "all models", ...cells(one)]),
      note: `The share of answers that say present. ${method}. Cut: it left 0 to 1. –: undefined, --json says why.`,
    },
    {
      title: "Fall from initial to refined prompts, corrected",
      columns: [
        ...namesOf(""),
        ...["judge, points", "corrected, points"].map((title) => percentColumn(title)),
      ],
      rows: falls.map(({ category, apparent, corrected }) => [
        ...[nameOf(category), "initial minus refined", apparent, corrected],
      ]),
      note: "In percentage points, from the same resamples.",
    },
  ];
}
