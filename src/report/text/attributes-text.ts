import type {
  AttributeConclusion,
  ImageAttributes,
} from "../../analysis/confusion/attribute-conclusion.js";
import type { Estimate } from "../../stats/estimate.js";
import { type LocalizedScore, localizedScoreNames } from "../../stats/localized-answers.js";
import { numberColumns } from "../../views/number-columns.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  spokenShare,
} from "../../views/number-text.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";

/** Whether attributes stand on their entities, as people read it. */
export function readableAttributes(conclusion: AttributeConclusion): ReadableConclusion {
  const worst = lowest(conclusion);
  return {
    verdict: attributesVerdict(conclusion),
    tables: [
      scoreTable(conclusion),
      answerTable(conclusion),
      ...(worst.length === 0 ? [] : [imageTable(worst)]),
    ],
    warnings: conclusion.warnings,
    method: `Brackets hold intervals: ${conclusion.intervals.text}.`,
  };
}

function attributesVerdict({ images, pooled, intervalsOf }: AttributeConclusion): string {
  const { recall, f1 } = intervalsOf.pooled;
  if (f1.value === null) return `Nothing can be concluded: ${f1.reason}.`;
  const { tp, fp, fn } = pooled;
  const found =
    recall.value === null
      ? "no attribute of an entity's own was asked about"
      : tp + fn === 1
        ? `the one attribute ${tp === 1 ? "shows" : "does not show"} on its own entity`
        : `${spokenShare(alone(recall), pluralText(tp + fn, "attribute"))} show on their own entity`;
  const leaks = fp === 0 ? "none leaks" : `${countText(fp)} ${fp === 1 ? "leaks" : "leak"}`;
  return (
    `F1 ${estimateText(f1)} over ${pluralText(images.length - pooled.unscored, "image")}: ` +
    `${found}, and ${leaks} to another.`
  );
}

/** A sentence has one interval; the others stand in the table below it. */
const alone = ({ value }: Estimate): Estimate => ({ value, low: null, high: null });

const titles: Readonly<Record<LocalizedScore, string>> = {
  precision: "precision",
  recall: "recall",
  f1: "F1",
};

function scoreTable(conclusion: AttributeConclusion): TextTable {
  const { intervalsOf, n, pooled, imageMean, threshold, bounds } = conclusion;
  const { tp, fp, fn } = pooled;
  const questions = { precision: tp + fp, recall: tp + fn, f1: n };
  const percent = (share: number | null) => (share === null ? "–" : fixedText(share * 100, 1));
  return {
    title: "Reflection and leakage",
    columns: [{ title: "over" }, { title: "score" }, ...numberColumns("n", "%")],
    rows: (["pooled", "imageMean"] as const).flatMap((over) =>
      localizedScoreNames.map((name, at) => [
        at > 0 ? "" : over === "pooled" ? "all questions together" : "the mean of images",
        titles[name],
        countText(over === "pooled" ? questions[name] : imageMean.n[name]),
        percentText(intervalsOf[over][name]),
      ]),
    ),
    note:
      `Yes is said from ${threshold} on. n: of precision the questions answered yes, of recall those of ` +
      "reflection, of F1 all; or the images whose score is defined. F1 of all " +
      `questions had every unscored one been answered wrongly, or rightly: ${percent(bounds.low)} to ` +
      `${percent(bounds.high)} %. A number in parentheses is a one-sided 95 % bound, 1 − 0.05^(1/n) ` +
      "from the end for n prompts, not questions (images, where no prompt is named).",
  };
}

function answerTable({ pooled: { tp, fp, tn, fn } }: AttributeConclusion): TextTable {
  const row = (title: string, yes: number, no: number) => [
    ...["", title, countText(yes), countText(no)],
    yes + no === 0 ? "–" : fixedText((yes / (yes + no)) * 100, 1),
  ];
  const [first = [], ...others] = [
    row("reflection: its own attribute", tp, fn),
    row("leakage: another's", fp, tn),
  ];
  return {
    title: "Answers",
    columns: [{ title: "questions" }, { title: "about" }, ...numberColumns("yes", "no", "yes, %")],
    rows: [["does the entity have", ...first.slice(1)], ...others],
    note: "A yes to reflection is a true positive, a no a false negative; to leakage, a false positive and a true negative.",
  };
}

const most = 10;

/** The images that something is wrong with, the lowest F1 first. */
function lowest({ images }: AttributeConclusion): ImageWithF1[] {
  return images
    .flatMap((image) => (image.f1 === null || image.f1 >= 1 ? [] : [{ ...image, f1: image.f1 }]))
    .sort((a, b) => a.f1 - b.f1)
    .slice(0, most);
}

type ImageWithF1 = ImageAttributes & { readonly f1: number };

function imageTable(worst: readonly ImageWithF1[]): TextTable {
  return {
    title: "Where to look first",
    columns: [
      { title: "images" },
      { title: "image" },
      ...numberColumns("missing", "of", "leaking", "of", "F1, %"),
    ],
    rows: worst.map(({ image, tp, fp, tn, fn, f1 }, at) => [
      at === 0 ? "the lowest F1" : "",
      image,
      ...[fn, tp + fn, fp, fp + tn].map(countText),
      fixedText(f1 * 100, 1),
    ]),
    note: `At most ${most} images with something missing or leaking; all are in --json and --out FILE.csv.`,
  };
}
