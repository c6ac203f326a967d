import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Arguments, Given } from "../../../core/options.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import { checkEnding, checkOut } from "../../command-line/out-path.js";
import { itemTableArguments, sanityArguments } from "../../command-line/shared-arguments.js";
import type { Environment } from "../../environment.js";
import { otherModelArgument } from "../calibrate/other-model.js";
import { limitArguments } from "../run/limits.js";
import { askAgainArguments } from "../run/retry-unscored.js";
import { filesOf, type OwnFiles, type ReviewPlace, reviewPlace } from "./review-place.js";

export const judgeArguments = {
  items: {
    kind: "positional",
    description:
      "a table with id, caption, image_a, image_b; or image, question; or image, text: as the judge was made for; " +
      "also a folder of images with them, WebDataset shards (.tar) or Parquet with images",
  },
  judge: {
    kind: "text",
    value: "FILE.json",
    default: "judge.json",
    description: "the saved judge: a file, or a name of touchstone.config.yaml",
  },
  "target-error": {
    kind: "number",
    description:
      "the highest acceptable share of wrong answers among accepted verdicts (default: as " +
      "calibrated)",
  },
  confidence: {
    kind: "number",
    description: "the confidence of that bound (default: as calibrated)",
  },
  threshold: {
    kind: "number",
    description: "accept at this confidence, whatever is certified; at least 0.5 for two answers",
  },
  approximate: {
    kind: "switch",
    description: "also stop when a different verdict is unlikely; certified separately",
  },
  verify: {
    kind: "switch",
    description: "ask the judge's anchors first, and judge nothing where it has drifted (exit 4)",
  },
  "every-prompt": { kind: "switch", description: "ask all prompts, for exact probabilities" },
  out: {
    kind: "text",
    value: "FILE.jsonl",
    default: "results.jsonl",
    description: "the judge's verdicts; image paths are relative to this file",
  },
  review: {
    kind: "text",
    value: "FILE.jsonl",
    description:
      "the items for people (default: review.jsonl, or review-2.jsonl and so on if that file has" +
      " answers)",
  },
  model: {
    kind: "text",
    value: "NAME",
    description: "another name for the same model, such as one in touchstone.config.yaml",
  },
  "allow-other-model": otherModelArgument,
  embedder: { kind: "text", value: "NAME", description: "another name for the same embedder" },
  ...itemTableArguments,
  run: {
    kind: "text",
    value: "DIR",
    description: "the folder that stores answers (default: beside the results)",
  },
  ...askAgainArguments,
  ...sanityArguments,
  ...limitArguments,
} as const satisfies Arguments;

export type JudgeGiven = Given<typeof judgeArguments>;

/** @throws InputError where --out or --review has another ending than .jsonl. */
export function checkEndings(given: JudgeGiven): void {
  for (const name of ["out", "review"] as const) {
    const file = given[name];
    if (file !== undefined) checkEnding(file, [".jsonl"], name);
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
