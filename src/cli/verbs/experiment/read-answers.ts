import {
  type GivenTable,
  type Inputs,
  tableName,
  tableRequest,
} from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { type AnswerRow, answerSplits } from "../../../experiments/ensemble/answers.js";
import { optionalAnswer, optionalOneOf, optionalText, text } from "../../../tables/columns.js";
import { isAnswerItem, isNumberItem, listColumn } from "../../../tables/list-column.js";
import { tableRows } from "../../../tables/table-rows.js";

/** The columns of a table of answers. */
const answerColumns = {
  id: text,
  label: optionalAnswer,
  probabilities: listColumn({
    isRequired: true,
    mustBeFilled: true,
    isItem: isAnswerItem,
    expected: "a list of numbers from 0 to 1, null for no answer,",
  }),
  embedding: listColumn({ isItem: isNumberItem, expected: "a list of numbers or nothing" }),
  split: optionalOneOf(answerSplits),
  group: optionalText,
  prompt: optionalText,
  world: optionalText,
  degradation: optionalText,
  kind: optionalText,
};

/**
 * Reads a table of answers. All rows must have the same number of probabilities, and embeddings of the same
 * length. A pair's group is its column `group`, else `prompt`.
 *
 * @throws InputError as `tableRows` does, and naming all rows that differ from the first.
 */
export async function readAnswers(given: GivenTable, inputs: Inputs): Promise<AnswerRow[]> {
  const rows: AnswerRow[] = [];
  const problems: string[] = [];
  const name = tableName(given);
  let prompts: number | undefined;
  let dimensions: number | undefined;
  const request = await tableRequest(given, inputs);
  for await (const { row, line, name: file } of tableRows({
    ...request,
    columns: answerColumns,
    unique: ["id"],
  })) {
    const { id, label, split, embedding, world, degradation, kind } = row;
    const probabilities = row.probabilities ?? [];
    prompts ??= probabilities.length;
    if (embedding !== null) dimensions ??= embedding.length;
    const where = `(in ${file}, row of line ${line})`;
    if (probabilities.length !== prompts) {
      problems.push(
        `Expected ${prompts} probabilities but received ${probabilities.length} ${where}`,
      );
    }
    if (embedding !== null && embedding.length !== dimensions) {
      problems.push(
        `Expected ${dimensions} numbers for embedding but received ${embedding.length} ${where}`,
      );
    }
    rows.push({
      id,
      label,
      split,
      embedding,
      world,
      degradation,
      kind,
      probabilities,
      group: row.group ?? row.prompt,
    });
  }
  if (problems.length > 0) {
    throw new InputError(
      `Expected rows that are alike but found ${problems.length} others in ${name}`,
      {
        problems,
        hint: "Every row has one probability for each prompt, in the same order: null where one gave no answer.",
      },
    );
  }
  return rows;
}
