import { extname } from "node:path";
import { InputError } from "../../../core/errors.js";
import { checkOut } from "../../command-line/out-path.js";
import type { Environment } from "../../environment.js";
import { exampleChatModel } from "../../models/example-models.js";
import { ownChatModel } from "../../models/own-model.js";
import type { CalibrateGiven } from "./calibrate-arguments.js";

/**
 * @returns the name of the model that judges.
 * @throws InputError where none is named, or for a file that can't be read again or written.
 */
export async function checkedModel(given: CalibrateGiven, environment: Environment) {
  const { workingDirectory } = environment;
  if (given.model === undefined) {
    const own = (await ownChatModel(environment)) ?? exampleChatModel;
    throw new InputError("Expected --model, the model that judges, but received none", {
      hint: `Such as --model ${own}, or a name of touchstone.config.yaml`,
    });
  }
  if (extname(given.out).toLowerCase() !== ".json") {
    throw new InputError(`Expected a .json file for --out but received "${given.out}"`);
  }
  refuseStandardInput(given);
  await checkOut(given.out, { inputs: [given.labels, ...given.add], workingDirectory });
  return given.model;
}

/** @throws InputError where a table of answers would hold none, or has another ending. */
export function checkedAnswersOut(file: string | undefined, task: string): string | undefined {
  if (file === undefined) return undefined;
  if (task === "rating") {
    throw new InputError("Expected no --answers-out for the task rating: it is of two answers");
  }
  if (extname(file).toLowerCase() !== ".jsonl") {
    throw new InputError(`Expected a .jsonl file for --answers-out but received "${file}"`);
  }
  return file;
}

/** @throws InputError for standard input: the command is kept, to be given again with more answers. */
function refuseStandardInput({ labels, add }: Pick<CalibrateGiven, "labels" | "add">): void {
  const flag = labels === "-" ? "LABELS" : add.includes("-") ? "--add" : undefined;
  if (flag === undefined) return;
  throw new InputError(`Expected a file for ${flag} but received "-"`, {
    hint: "The same table is read again when answers from review are taken in (--add). Save it first.",
  });
}

/** @throws InputError for a flag that is of another task, or further than the scale reaches. */
export function checkTaskFlags(
  { within, ties }: Pick<CalibrateGiven, "within" | "ties">,
  task: string,
  ratings: number | undefined,
): void {
  if (within !== undefined && ratings === undefined) {
    throw new InputError(`Expected no --within for the task ${task}: it is of ratings alone`);
  }
  if (within !== undefined && ratings !== undefined && within >= Math.floor(ratings / 2)) {
    throw new InputError(
      `Expected at most ${Math.floor(ratings / 2) - 1} for --within, of ${ratings} ratings, but received ${within}`,
      { hint: "With more, whoever always says the middle rating would never be wrong" },
    );
  }
  if (ties && task !== "pair") {
    throw new InputError(`Expected no --ties for the task ${task}: it is of pairs alone`);
  }
}
