import { attributes } from "../../../analysis/confusion/attributes.js";
import { questionKinds } from "../../../analysis/confusion/localized-questions.js";
import { oneOf, optionalText, probability, text } from "../../../files/table-columns.js";
import { readableAttributes } from "../../../report/text/attributes-text.js";
import { command } from "../../command-line/command.js";
import { asJson, fileWriter } from "../../conclusions/conclusion-file.js";
import { intervalArguments } from "../../conclusions/interval-arguments.js";
import { plotArgument, plotWriter } from "../../conclusions/plot-file.js";
import { showConclusion } from "../../conclusions/show-conclusion.js";
import { outArgument, readGivenTable, tableArguments } from "../../conclusions/table-arguments.js";
import { attributesCsv } from "./attributes-csv.js";

export default command({
  description:
    "Measures whether attributes are on the right entities: precision, recall and F1 of " +
    "yes-or-no answers about an entity's own attributes (reflection) and about those of " +
    "other entities (leakage), over all questions and averaged over images. Reads JSONL, " +
    "JSON, CSV or Parquet with the columns image, entity, attribute, kind (reflection or " +
    "leakage), probability (of a yes; empty: no answer) and, optionally, prompt. `touchstone " +
    "example attributes` prints a sample.",
  examples: [
    "touchstone analyze attributes answers.csv",
    "touchstone analyze attributes answers.jsonl --threshold 0.6 --out attributes.html",
    "touchstone example attributes | touchstone analyze attributes - --json",
  ],
  arguments: {
    ...tableArguments,
    threshold: {
      kind: "number",
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: "probabilities at or above it count as yes",
    },
    ...intervalArguments,
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const rows = await readGivenTable(given, { columns, unique: [], environment });
    const conclusion = attributes(rows, given);
    const readable = readableAttributes(conclusion);
    const json = asJson({ ...conclusion, verdict: readable.verdict });

    await showConclusion({
      given,
      write,
      output,
      json,
      readable,
      words,
      csv: () => attributesCsv(conclusion),
      async figure() {
        const { attributesFigure } = await import("../../../report/plots/attributes.js");
        return attributesFigure(conclusion);
      },
      draw,
      title: "Attributes",
      example: "attributes.html",
    });
  },
});

const columns = {
  image: text,
  entity: text,
  attribute: text,
  kind: oneOf(questionKinds),
  probability,
  prompt: optionalText,
};
