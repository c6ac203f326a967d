import type { ItemAgreement, JudgeAgreement } from "../../analysis/agreement/judge-agreement.js";
import type {
  CorrectedShareOf,
  CorrectionConclusion,
} from "../../analysis/stereotypes/audit-correction.js";
import type { ExpertConclusion } from "../../analysis/stereotypes/audit-experts.js";
import { countText, estimateText, fixedText, percentText } from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
} from "../../views/view.js";

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

const namesOf = (title: string) => [textColumn("category", { isGroup: true }), textColumn(title)];
