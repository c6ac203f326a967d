import { InputError } from "../../../core/errors.js";
import { openDocuments, storePlace } from "../../../files/open-store.js";
import type { Environment } from "../../environment.js";
import { answersName } from "../calibrate/answers-table.js";

/** Whose answers an experiment is made of. */
export const fromArgument = {
  from: {
    kind: "text",
    value: "RUN",
    description: "in place of FILE: the answers that calibrate kept in RUN, such as judge-answers",
  },
} as const;

/**
 * The table of answers that was given, or that a judge's run holds.
 *
 * @returns undefined where neither was given
 * @throws InputError where both were, or the run holds none.
 */
export async function answersFile(
  { file, from }: { readonly file: string | undefined; readonly from: string | undefined },
  environment: Environment,
): Promise<string | undefined> {
  if (from === undefined) return file;
  if (file !== undefined) {
    throw new InputError(`Expected FILE or --from but received both, ${file} and ${from}`);
  }
  const documents = openDocuments(storePlace(from, environment));
  if (await documents.has(answersName)) return documents.addressOf(answersName);
  throw new InputError(`Expected the answers of a judge in ${from} but found no ${answersName}`, {
    hint: "touchstone calibrate LABELS --model MODEL --embedder MODEL keeps them in judge-answers",
  });
}

/** What is said where an experiment was given nothing to read. */
export const noAnswers = (verb: string): InputError =>
  new InputError("Expected a table of answers, or --from RUN", {
    hint: `See: touchstone experiment ${verb} --help`,
  });
