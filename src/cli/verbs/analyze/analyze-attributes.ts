import { attributes } from "../../../analysis/confusion/attributes.js";
import { questionKinds } from "../../../analysis/confusion/localized-questions.js";
import { intervalArguments } from "../../../conclusions/shared-options.js";
import { tableReader } from "../../../conclusions/table-options.js";
import { readableAttributes } from "../../../report/text/attributes-text.js";
import { oneOf, optionalText, probability, text } from "../../../tables/columns.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { attributeRows } from "./attribute-rows.js";

const read = tableReader({
  columns: {
    image: text,
    entity: text,
    attribute: text,
    kind: oneOf(questionKinds),
    probability,
    prompt: optionalText,
    annotator: optionalText,
  },
});

export default conclusion({
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
  title: "Attributes",
  example: "attributes.html",
  arguments: {
    threshold: {
      kind: "number",
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: "probabilities at or above it count as yes",
    },
    ...intervalArguments,
  },
  read,
  conclude: attributes,
  readable: readableAttributes,
  csv: attributeRows,
  async figure(conclusion) {
    const { attributesFigure } = await import("../../../report/plots/attributes-plot.js");
    return attributesFigure(conclusion);
  },
});
