import type { ItemAgreement, JudgeAgreement } from "../../analysis/agreement/judge-agreement.js";
import type {
  CorrectedShareOf,
  CorrectionConclusion,
} from "../../analysis/stereotypes/audit-correction.js";
import type { ExpertConclusion } from "../../analysis/stereotypes/audit-experts.js";
import { countText, estimateText, fixedText, percentText } from "../../views/number-text.js";
import { essentialNumber, numberColumns, type TextTable } from "../../views/text-table.js";

const names = (titles: readonly string[]) => titles.map((title) => ({ title }));
const percent = (share: number | null) => (share === null ? "–" : fixedText(share * 100, 1));

/** How far the experts agree with each other. */
export function expertsTable({
  names: experts,
  answers,
  n,
  disputed,
  agreement,
}: ExpertConclusion): TextTable {
  const alpha = agreement?.intervalsOf.krippendorffAlpha;
  return {
    title: "The experts",
    columns: [
      ...names(["expert", "with"]),
      ...numberColumns("answers", "same, %", "Cohen's kappa"),
    ],
    rows: experts.flatMap((expert, a) => [
      [expert, "all answers", countText(answers[a] ?? 0), "", ""],
      ...experts.slice(a + 1).map((other, at) => {
        const b = a + 1 + at;
        const kappa = agreement?.pairwise?.cohen[a]?.[b] ?? null;
        return [
          "",
          other,
          countText(agreement?.pairwise?.n[a]?.[b] ?? 0),
          experts.length === 2 ? percentText(agreement?.intervalsOf.majorityShare ?? none) : "",
          estimateText({ value: kappa, low: null, high: null }),
        ];
      }),
    ]),
    note:
      `${alpha === undefined ? "" : `Krippendorff's alpha: ${alpha.value === null ? `undefined, ${alpha.reason}` : estimateText(alpha)}. `}` +
      `The reference is what most of them say; of ${countText(n)} answers ${countText(disputed)} had as many for as against and ${disputed === 1 ? "is" : "are"} none.`,
  };
}

const none = { value: null, low: null, high: null };

/** Which items the judge sees and which it does not, the least accurate of each category first. */
export function judgedItemsTable(items: readonly ItemAgreement[], whom = "the expert"): TextTable {
  const categories = [...new Set(items.map(({ category }) => category))];
  const ordered = categories.flatMap((category) =>
    items
      .filter((one) => one.category === category)
      .sort((a, b) => a.intervalsOf.accuracy.value - b.intervalsOf.accuracy.value),
  );
  return {
    title: `The judge beside ${whom}, by item`,
    columns: [
      ...names(["category", "item"]),
      ...numberColumns("n", "present", "missed", "invented", "accuracy, %", "kappa"),
    ],
    rows: ordered.map(({ category, item, n, present, missed, invented, intervalsOf }, at) => [
      ordered[at - 1]?.category === category ? "" : category,
      item.replaceAll("-", " "),
      ...[n, present, missed, invented].map(countText),
      percentText(intervalsOf.accuracy),
      estimateText(intervalsOf.kappa),
    ]),
    note: `Over all models and phases, the least accurate first. present: by ${whom}; missed: of these, what the judge does not flag; invented: what only the judge flags.`,
  };
}

/** The judge's accuracy and kappa against the experts by category, model and phase. */
export function judgeTable(judge: readonly JudgeAgreement[], whom = "the expert"): TextTable {
  const mean = judge.reduce((sum, { accuracy }) => sum + accuracy, 0) / Math.max(1, judge.length);
  return {
    title: `The judge beside ${whom}`,
    columns: [
      ...names(["category", "model"]),
      ...numberColumns("phase", "n", "accuracy, %", "kappa"),
    ],
    rows: judge.map(({ category, model, phase, n, intervalsOf }, at) => [
      judge[at - 1]?.category === category ? "" : category,
      model,
      phase,
      countText(n),
      percentText(intervalsOf.accuracy),
      estimateText(intervalsOf.kappa),
    ]),
    note: `Over the answers that both gave; the rows' mean accuracy is ${percent(mean)} %. –: undefined, --json says why.`,
  };
}

/** The judge's findings, and what is left of them once its errors are taken out. */
export function correctionTables(
  { shares, falls, method }: CorrectionConclusion,
  whom = "the expert",
): TextTable[] {
  const nameOf = (category: string | null) => category ?? "all categories";
  const cells = (one: CorrectedShareOf) => [
    one.phase,
    `${countText(one.labelled)} of ${countText(one.n)}`,
    percent(one.apparent),
    percent(one.sensitivity),
    percent(one.specificity),
    `${percentText(one.corrected)}${one.truncatedFrom === undefined ? "" : ", cut"}`,
  ];
  return [
    {
      title: `Flagged items, corrected by ${whom}${whom.endsWith("s") ? "'" : "'s"} labels`,
      columns: [
        ...names(["category", "model"]),
        essentialNumber("phase"),
        ...numberColumns("labelled", "judge, %", "sens., %", "spec., %"),
        essentialNumber("corrected, %"),
      ],
      rows: shares.map((one, at) => [
        shares[at - 1]?.category === one.category && at > 0 ? "" : nameOf(one.category),
        one.model ?? "all models",
        ...cells(one),
      ]),
      note: `The share of answers that say present. ${method}. Cut: it left 0 to 1. –: undefined, --json says why.`,
    },
    {
      title: "Fall from initial to refined prompts, corrected",
      columns: [...names(["category", ""]), ...numberColumns("judge, points", "corrected, points")],
      rows: falls.map(({ category, apparent, corrected }) => [
        nameOf(category),
        "initial minus refined",
        percent(apparent),
        percentText(corrected),
      ]),
      note: "In percentage points, from the same resamples.",
    },
  ];
}
