import {
  type GivenTable,
  type Inputs,
  tableName,
  tableRequest,
} from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import type { AnswerRow } from "../../../experiments/ensemble/answers.js";
import { tableRows } from "../../../tables/table-rows.js";
import { answerColumns } from "./answer-columns.js";

/**
 * The rows of a table of answers. All rows must have answers of as many prompts, and embeddings of as
 * many numbers; a pair's group is its column `group`, else `prompt`.
 *
 * @throws InputError as `tableRows` does, and with all rows that do not fit the first.
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
