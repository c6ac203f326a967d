import { type AttributeRow, attributedImages } from "../../analysis/confusion/attributed-images.js";
import { attributesOf } from "../../analysis/confusion/attributes.js";
import { questionKinds } from "../../analysis/confusion/localized-questions.js";
import type { Arguments } from "../../core/options.js";
import { oneOf, optionalText, probability, text } from "../../tables/columns.js";
import { rowsOf } from "../../tables/rows-of.js";
import type { Table, Tells } from "../../tables/shapes.js";
import { conclusion, inColumns } from "../conclusion.js";
import { intervalArguments } from "../shared-options.js";
import { attributesView } from "./view.js";

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

const tells: Tells = {
  columns: { image: text, entity: text, attribute: text, kind: text, probability },
};

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
  tells,
  read: async (given, inputs) => attributedImages(answerRows(await readAnswers(given, inputs))),
  conclude: attributesOf,
  view: attributesView,
  async figure(found) {
    const { attributesFigure } = await import("./figure.js");
    return attributesFigure(found);
  },
});
