import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { InputError } from "../../../core/errors.js";
import { nearest } from "../../../core/nearest.js";
import { readTable } from "../../../files/table.js";
import {
  answer,
  type ColumnKind,
  optionalText,
  probability,
  score,
  text,
} from "../../../files/table-columns.js";
import { command } from "../../command-line/command.js";
import { table } from "../../terminal/table.js";
import { ensembleColumns } from "../analyze/ensemble-columns.js";

const textOrNothing: ColumnKind<string | null> = {
  isRequired: true,
  read(cell, about) {
    const read = optionalText.read(cell, about);
    return "value" in read ? { value: read.value ?? null } : read;
  },
};

/** What stands in a sample. */
type Cell = string | number | null | readonly (number | null)[];

/** The verbs that read a table, each with a small one that they take as it is. */
const examples = {
  contrastive: {
    shows: "two metrics' scores of eight triplets, with a tie and an unscored one",
    next: ["analyze", "contrastive", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/contrastive.csv", import.meta.url)),
    columns: {
      id: text,
      metric: text,
      domain: text,
      prompt: text,
      correct: score,
      adversarial: score,
    },
  },
  swap: {
    shows: "two metrics' scores of twelve images for their descriptions and the swapped ones",
    next: ["analyze", "swap", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/swap.csv", import.meta.url)),
    columns: { id: text, metric: text, prompt: text, original: score, swapped: score },
  },
  attributes: {
    shows: "answers about the patterns of six outfits' garments, with one unscored",
    next: ["analyze", "attributes", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/attributes.csv", import.meta.url)),
    columns: {
      image: text,
      entity: text,
      attribute: text,
      kind: text,
      probability,
      prompt: text,
    },
  },
  agreement: {
    shows: "three annotators' ratings of twelve images from 1 to 5, with one missing",
    next: ["analyze", "agreement", "-", "--scale", "ordinal"],
    path: fileURLToPath(new URL("../../../../data/examples/agreement.csv", import.meta.url)),
    columns: { item: text, annotator: text, value: score },
  },
  calibration: {
    shows: "a judge's probabilities on forty pairs, with a tie and one unscored",
    next: ["analyze", "calibration", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/calibration.csv", import.meta.url)),
    columns: { id: text, label: score, probability: score },
  },
  correlation: {
    shows: "people's mean rating and two metrics' scores of twelve images, one of them unscored",
    next: ["analyze", "correlation", "-", "--human", "rating"],
    path: fileURLToPath(new URL("../../../../data/examples/correlation.csv", import.meta.url)),
    columns: { id: text, prompt: text, rating: score, "clip-score": score, "vqa-score": score },
  },
  compare: {
    shows:
      "three image models' scores on thirty prompts, twelve of them rated by people, one unscored",
    next: ["compare", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/compare.csv", import.meta.url)),
    columns: { model: text, prompt: text, score, human: score },
  },
  card: {
    shows: "a metric's scores of eight prompts' images, from which most of a trust card comes",
    next: ["card", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/card.csv", import.meta.url)),
    columns: {
      metric: text,
      id: text,
      prompt: text,
      image: textOrNothing,
      comparison: textOrNothing,
      correct: score,
      adversarial: score,
      score,
      label: answer,
      probability,
      human: score,
      trial: textOrNothing,
      paraphrase: textOrNothing,
      degradation: textOrNothing,
      level: score,
      seconds: score,
    },
  },
  stereotypes: {
    shows: "a rubric's answers on images of three queries, before and after refining the prompts",
    next: ["analyze", "stereotypes", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/stereotypes.csv", import.meta.url)),
    columns: {
      query: text,
      category: text,
      model: text,
      phase: text,
      imageSet: text,
      item: text,
      present: answer,
      expert: answer,
    },
  },
  ensemble: {
    shows: "five prompts' answers on 24 labels to fit on and 80 to judge by, with one unanswered",
    next: ["analyze", "ensemble", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/ensemble.csv", import.meta.url)),
    columns: {
      id: text,
      split: text,
      prompt: textOrNothing,
      label: answer,
      probabilities: ensembleColumns.probabilities,
      embedding: ensembleColumns.embedding,
    },
  },
  significance: {
    shows: "three judges' probabilities for 24 labels, one of them unscored",
    next: ["analyze", "significance", "-"],
    path: fileURLToPath(new URL("../../../../data/examples/significance.csv", import.meta.url)),
    columns: { id: text, method: text, label: answer, probability },
  },
};

export default command({
  description:
    "Prints a small sample of the table that a verb reads. Without VERB it lists the verbs " +
    "that have one.",
  examples: [
    "touchstone example contrastive > scores.csv",
    "touchstone example contrastive --format jsonl",
  ],
  arguments: {
    verb: { kind: "positional", optional: true, description: "such as contrastive" },
    format: {
      kind: "choice",
      choices: ["csv", "jsonl"],
      default: "csv",
      description: "the format of the sample",
    },
  },
  async run({ given: { verb, format, json }, output }) {
    if (verb === undefined) {
      const listed = Object.entries(examples);
      output.resultJson({ examples: listed.map(([name, { shows }]) => ({ verb: name, shows })) });
      output.result(
        table(
          [{ title: "verb" }, { title: "sample" }],
          listed.map(([name, { shows }]) => [name, shows]),
        ),
      );
      output.nextCommand(["example", "contrastive"]);
      return;
    }
    const { path, columns, next } = exampleOf(verb);
    const rows: Record<string, Cell>[] = [];
    for await (const { row } of readTable({ source: { name: verb, path }, columns }))
      rows.push(row);
    output.resultJson({ verb, rows });
    if (!json && format === "csv") output.data(await readFile(path, "utf8"));
    if (!json && format === "jsonl") {
      output.data(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    }
    output.nextCommand(next, { reading: ["example", verb] });
  },
});

function exampleOf(verb: string) {
  const found = Object.entries(examples).find(([name]) => name === verb)?.[1];
  if (found !== undefined) return found;
  const names = Object.keys(examples);
  const meant = nearest(verb, names);
  throw new InputError(`Expected one of ${names.join(", ")} for VERB but received "${verb}"`, {
    hint: meant === undefined ? "See: touchstone example" : `Did you mean ${meant}?`,
  });
}
