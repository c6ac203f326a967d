// A table, concluded from as the verb does, with the flags of the verb.

import { conclude, guessTable } from "touchstone-t2i/analysis";
import {
  answer,
  csvLine,
  numeric,
  oneOf,
  optionalText,
  probability,
  scoreColumn,
  tableOf,
  tableRows,
  text,
} from "touchstone-t2i/tables";

const lines = [
  ["id", "metric", "domain", "correct", "adversarial"],
  ["1", "clip-score", "animals", 0.71, 0.64],
  ["2", "clip-score", "animals", 0.58, 0.66],
];
const table = tableOf("scores.csv", lines.map(csvLine).join(""));
const found = await conclude("contrastive", table, { resamples: "200" });
console.log(found.view.verdict);
console.log(found.table().columns, (await found.figure())?.title);

const columns = {
  id: text,
  metric: oneOf(["clip-score"]),
  domain: optionalText,
  correct: scoreColumn,
};
for await (const { row } of tableRows({ source: table, columns })) {
  console.log(row.id, row.metric, row.domain, row.correct); // 1 clip-score animals 0.71
}
const guesses = await guessTable(["item", "annotator", "value"], [{ item: "1", value: "yes" }]);
console.log(guesses[0]?.verb); // agreement
// Columns of labels (0 or 1), of probabilities and of any number:
console.log([answer, probability, numeric].length); // 3
