import { extname, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import { checkOut } from "../../command-line/out-path.js";
import type { Environment } from "../../environment.js";
import type { JudgeGiven } from "./judge-arguments.js";
import { filesOf, type OwnFiles, type ReviewPlace, reviewPlace } from "./review-place.js";

/** @throws InputError where --out or --review has another ending than .jsonl. */
export function checkEndings(given: JudgeGiven): void {
  for (const name of ["out", "review"] as const) {
    const file = given[name];
    if (file !== undefined && extname(file).toLowerCase() !== ".jsonl") {
      throw new InputError(`Expected a .jsonl file for --${name} but received "${file}"`);
    }
  }
}

/**
 * Finds a place for the review queue.
 *
 * @throws InputError where results or review would overwrite what is read, or each other.
 */
export async function checkedFiles(
  given: JudgeGiven,
  { command, task }: JudgeArtefact,
  environment: Environment,
): Promise<{ readonly own: OwnFiles; readonly review: ReviewPlace }> {
  const { workingDirectory } = environment;
  const { out } = given;
  const own = filesOf(command);
  const inputs = [given.items, given.judge, own.labels, ...own.added];
  await checkOut(out, { inputs, workingDirectory });
  const review = await reviewPlace(given.review, { own, task, environment });
  await checkOut(review.file, { inputs: [...inputs, out], workingDirectory, flag: "review" });
  if (resolve(workingDirectory, out) === resolve(workingDirectory, review.file)) {
    throw new InputError(`Expected two files for --out and --review but received "${out}" twice`);
  }
  return { own, review };
}
