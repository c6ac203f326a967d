import {
  type GivenTable,
  type Inputs,
  optionalTable,
  tableArguments,
} from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import type { AnswerRow } from "../../../experiments/ensemble/answers.js";
import { openDocuments, runPlace } from "../../../files/open-store.js";
import { filesOf } from "../../conclusions/files-of.js";
import type { Environment } from "../../environment.js";
import { answersName } from "../calibrate/answers-table.js";
import { readAnswers } from "./read-answers.js";

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
      hint: `See: touchstone experiment ${verb} --help`,
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
    hint: `See: touchstone experiment ${verb} --help`,
  });
