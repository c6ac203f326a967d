import {
  type AttributeRow,
  attributedImages,
  questionKinds,
} from "../../analysis/confusion/attributed-images.js";
import {
  type AttributeConclusion,
  attributesOf,
  type ImageAttributes,
} from "../../analysis/confusion/attributes.js";
import type { Arguments } from "../../core/options.js";
import type { Estimate } from "../../stats/estimate.js";
import { localizedScoreNames } from "../../stats/localized-answers.js";
import { oneOf, optionalText, probability, text } from "../../tables/columns.js";
import { rowsOf, type Table } from "../../tables/shapes.js";
import {
  countText,
  estimateText,
  fixedText,
  pluralText,
  spokenShare,
} from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { conclusion, inColumns } from "../conclusion.js";
import { intervalArguments } from "../shared-options.js";

/** A sentence has one interval; the others stand in the table below it. */
const alone = ({ value }: Estimate): Estimate => ({ value, low: null, high: null });

const most = 10;

/** A row for each answer to a question about an attribute of an entity. */
const kinds = {
  image: text,
  entity: text,
  attribute: text,
  kind: oneOf(questionKinds),
  probability,
  prompt: optionalText,
  annotator: optionalText,
};

const readAnswers = inColumns(() => ({ kinds }));

/** Until `attributes` takes columns: the same, a row for each answer. */
const answerRows = (table: Table<typeof kinds>): AttributeRow[] => [...rowsOf(table, kinds)];

const options = {
  threshold: {
    kind: "number",
    minimum: 0,
    maximum: 1,
    default: 0.5,
    description: "probabilities at or above it count as yes",
  },
  ...intervalArguments,
} as const satisfies Arguments;

export default conclusion({
  title: "Attributes",
  description:
    "Measures whether attributes are on the right entities: precision, recall and F1 of " +
    "yes-or-no answers about an entity's own attributes (reflection) and about those of " +
    "other entities (leakage), over all questions and averaged over images. Reads JSONL, " +
    "JSON, CSV or Parquet with the columns image, entity, attribute, kind (reflection or " +
    "leakage), probability (of a yes; empty: no answer) and, optionally, prompt and annotator: " +
    "answers of several annotators count each. `touchstone example attributes` prints a sample.",
  examples: [
    "touchstone analyze attributes answers.csv",
    "touchstone analyze attributes answers.jsonl --threshold 0.6 --out attributes.html",
    "touchstone example attributes | touchstone analyze attributes - --json",
  ],
  example: {
    shows: "answers about the patterns of six outfits' garments, with one unscored",
  },
  page: "attributes.html",
  options,
  sums: () => import("./sums.js"),
  read: async (given, inputs) => attributedImages(answerRows(await readAnswers(given, inputs))),
  conclude: attributesOf,
  view: attributesView,
  async figure(found) {
    const { attributesFigure } = await import("./figure.js");
    return attributesFigure(found);
  },
});

function attributesView(found: AttributeConclusion): ViewWithData {
  const worst = lowest(found);
  return {
    verdict: verdict(found),
    tables: [
      scoreTable(found),
      answerTable(found),
      ...(worst.length === 0 ? [] : [imageTable(worst)]),
    ],
    data: data(found),
    caveats: found.warnings,
    method: `Brackets hold intervals: ${found.intervals.text}.`,
  };
}

function verdict({ images, pooled, intervalsOf }: AttributeConclusion): string {
  const scored = images.flatMap(({ image, unscored }) => (unscored === 0 ? [image] : []));
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
    `F1 ${estimateText(f1)} over ${pluralText(new Set(scored).size, "image")}: ` +
    `${found}, and ${leaks} to another.`
  );
}

function scoreTable(found: AttributeConclusion): ViewTable {
  const { intervalsOf, n, pooled, imageMean, threshold, bounds } = found;
  const { tp, fp, fn } = pooled;
  const questions = {
    precision: pluralText(tp + fp, "attribute seen", "attributes seen"),
    recall: pluralText(tp + fn, "attribute asked for", "attributes asked for"),
    f1: pluralText(n, "question"),
  };
  const percent = (share: number | null) => (share === null ? "–" : fixedText(share * 100, 1));
  return {
    title: "Precision, recall and F1",
    columns: [
      textColumn("over", { isGroup: true }),
      textColumn("score"),
      textColumn("of"),
      percentColumn("%"),
    ],
    rows: (["pooled", "imageMean"] as const).flatMap((over) =>
      localizedScoreNames.map((name) => [
        over === "pooled" ? "all questions together" : "the mean of images",
        name === "f1" ? "F1" : name,
        over === "pooled" ? questions[name] : pluralText(imageMean.n[name], "image"),
        intervalsOf[over][name],
      ]),
    ),
    note:
      `An answer is yes from ${threshold} on. Means are of images whose score is defined, once for each annotator. F1 of ` +
      `all questions if every unscored answer were wrong, or right: ${percent(bounds.low)} to ` +
      `${percent(bounds.high)} %. A number in parentheses is a one-sided 95 % bound, 1 − 0.05^(1/n) ` +
      "from the end for n prompts, not questions (images, where no prompt is named).",
  };
}

function answerTable({ pooled: { tp, fp, tn, fn } }: AttributeConclusion): ViewTable {
  const row = (about: string, yes: number, no: number) => [
    ...["does the entity have", about, yes, no],
    yes + no === 0 ? null : yes / (yes + no),
  ];
  return {
    title: "Answers",
    columns: [
      textColumn("questions", { isGroup: true }),
      textColumn("about"),
      countColumn("yes"),
      countColumn("no"),
      percentColumn("yes, %"),
    ],
    rows: [row("reflection: its own attribute", tp, fn), row("leakage: another's", fp, tn)],
    note: "A yes to reflection is a true positive, a no a false negative; to leakage, a false positive and a true negative.",
  };
}

/** The images that something is wrong with, the lowest F1 first. */
function lowest({ images }: AttributeConclusion): ImageWithF1[] {
  return images
    .flatMap((image) => (image.f1 === null || image.f1 >= 1 ? [] : [{ ...image, f1: image.f1 }]))
    .sort((a, b) => a.f1 - b.f1)
    .slice(0, most);
}

type ImageWithF1 = ImageAttributes & { readonly f1: number };

function imageTable(worst: readonly ImageWithF1[]): ViewTable {
  return {
    title: "Where to look first",
    columns: [
      textColumn("images", { isGroup: true }),
      textColumn("image"),
      ...["missing", "of", "leaking", "of"].map((title) => countColumn(title)),
      percentColumn("F1, %"),
    ],
    rows: worst.map(({ image, tp, fp, tn, fn, f1 }) => [
      ...["the lowest F1", image, fn, tp + fn, fp, fp + tn, f1],
    ]),
    note: `At most ${most} images with something missing or leaking; all are in --json and --out FILE.csv.`,
  };
}

/** A row for all questions together, one for the mean of images, one for each image. */
function data({ pooled, intervalsOf, images }: AttributeConclusion): ViewWithData["data"] {
  // A table without annotators has no column of them.
  const named = images.some(({ annotator }) => annotator !== undefined);
  const by = (annotator?: string): Cell[] => (named ? [annotator ?? null] : []);
  const counts = ["tp", "fp", "tn", "fn", "unscored"] as const;
  return {
    columns: [
      ...["scope", "image", ...(named ? ["annotator"] : [])].map((id) => textColumn(id)),
      ...counts.map((id) => countColumn(id)),
      ...localizedScoreNames.map((id) => numberColumn(id, { spread: "interval" })),
    ],
    rows: [
      [
        ...["pooled", null, ...by(), ...counts.map((name) => pooled[name])],
        ...localizedScoreNames.map((name) => intervalsOf.pooled[name]),
      ],
      [
        ...["imageMean", null, ...by(), ...counts.map(() => null)],
        ...localizedScoreNames.map((name) => intervalsOf.imageMean[name]),
      ],
      ...images.map((image) => [
        ...["image", image.image, ...by(image.annotator), ...counts.map((name) => image[name])],
        ...localizedScoreNames.map((name) => image[name]),
      ]),
    ],
  };
}
