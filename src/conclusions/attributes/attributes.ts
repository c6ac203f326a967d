import { attributedImages } from "../../analysis/confusion/attributed-images.js";
import { attributesOf } from "../../analysis/confusion/attributes.js";
import { conclusion } from "../conclusion.js";
import { answerRows, readAnswers, tells } from "./columns.js";
import { options } from "./options.js";
import { attributesView } from "./view.js";

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
