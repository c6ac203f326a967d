import { filesOf } from "touchstone-t2i/internal/cli/conclusions/conclusion-command.js";
import type { Environment } from "touchstone-t2i/internal/cli/environment.js";
import { answersName } from "touchstone-t2i/internal/cli/verbs/calibrate/answers-of-run.js";
import {
  type GivenTable,
  type Inputs,
  optionalTable,
  tableArguments,
  tableName,
  tableRequest,
} from "touchstone-t2i/internal/conclusions/table-options.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { openDocuments, runPlace } from "touchstone-t2i/internal/files/open-store.js";
import {
  optionalAnswer,
  optionalOneOf,
  optionalText,
  text,
} from "touchstone-t2i/internal/tables/columns.js";
import {
  isAnswerItem,
  isNumberItem,
  listColumn,
} from "touchstone-t2i/internal/tables/list-column.js";
import { tableRows } from "touchstone-t2i/internal/tables/table-rows.js";
import { type AnswerRow, answerSplits } from "../../experiments/ensemble/answers.js";

/** Source of the answers that an experiment is made of. */
export const fromArgument = {
  from: {
    kind: "text",
    value: "RUN",
    description: "in place of FILE: the answers that calibrate kept in RUN, such as judge-answers",
  },
} as const;

/** Sources of an experiment's answers where the lab may give them, too. */
export const answersOrLabArguments = {
  ...tableArguments,
  file: optionalTable,
  ...fromArgument,
  lab: { kind: "switch", description: "use the lab's pairs, judged by lab:judge" },
  run: {
    kind: "text",
    value: "DIR",
    description: "with --lab: the folder that stores its runs and answers",
  },
} as const;

/** A table of answers by its name, and what reads it. */
export interface AnswersTable {
  readonly file: string;
  readonly inputs: Inputs;
}

/**
 * The table of answers that was given, or that a judge's run holds.
 *
 * @returns undefined where neither was given
 * @throws InputError where both were, or the run holds none.
 */
export async function answersTable(
  { file, from }: { readonly file: string | undefined; readonly from: string | undefined },
  environment: Environment,
): Promise<AnswersTable | undefined> {
  const inputs = filesOf(environment);
  if (from === undefined) return file === undefined ? undefined : { file, inputs };
  if (file !== undefined) {
    throw new InputError(`Expected FILE or --from but received both, ${file} and ${from}`);
  }
  const documents = openDocuments(runPlace(from, environment));
  if (!(await documents.has(answersName))) {
    throw new InputError(`Expected the answers of a judge in ${from} but found no ${answersName}`, {
      hint: "touchstone calibrate LABELS --model MODEL --embedder MODEL keeps them in judge-answers",
    });
  }
  return { file: documents.addressOf(answersName), inputs };
}

type GivenAnswers = Omit<GivenTable, "file"> & {
  readonly file: string | undefined;
  readonly from: string | undefined;
  readonly lab: boolean;
  readonly run: string | undefined;
};

/**
 * The table of answers that was given; with `--lab` one by the name of what the lab's become, which is not read.
 *
 * @param verb the experiment's name, for messages
 * @throws InputError where there are not answers of exactly one source.
 */
export async function answersOrLab<Given extends GivenAnswers>(
  verb: string,
  given: Given,
  environment: Environment,
) {
  const answers = await answersTable(given, environment);
  if (given.lab === (answers !== undefined) || given.lab !== (given.run !== undefined)) {
    throw new InputError("Expected a table of answers, --from RUN, or --lab and --run DIR", {
      hint: `See: touchstone lab experiment ${verb} --help`,
    });
  }
  const table = { ...given, file: [answers?.file ?? "answers.jsonl"] };
  const read = (): Promise<AnswerRow[]> =>
    readAnswers(table, answers?.inputs ?? filesOf(environment));
  return { table, read };
}

/** Makes the error of an experiment that has nothing to read. */
export const noAnswers = (verb: string): InputError =>
  new InputError("Expected a table of answers, or --from RUN", {
    hint: `See: touchstone lab experiment ${verb} --help`,
  });

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
