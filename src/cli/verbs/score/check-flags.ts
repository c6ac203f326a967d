import { basename, join, relative } from "node:path";
import { InputError } from "../../../core/errors.js";
import { metadataNames } from "../../../files/image-folder.js";
import { matchingFiles } from "../../../files/matching-files.js";
import { checkOut } from "../../command-line/out-path.js";
import type { Environment } from "../../environment.js";
import { isPage, resultText } from "./result-file.js";
import type { ScoreGiven } from "./score-arguments.js";
import { isRun } from "./score-run.js";

/** @throws InputError where --out has an ending of no type, or is one of the files that are read. */
export async function checkResultFile(given: ScoreGiven, workingDirectory: string): Promise<void> {
  const { out } = given;
  if (out !== undefined && !isPage(out)) resultText(out, []);
  await checkOut(out, { inputs: await inputsOf(given, workingDirectory), workingDirectory });
}

/** Files that may be read: a folder's table is in it under one of a few names. */
async function inputsOf(
  { source, image, out = "" }: ScoreGiven,
  workingDirectory: string,
): Promise<(string | undefined)[]> {
  if (source === undefined) return [image];
  const files = await matchingFiles([source], workingDirectory).catch(() => [source]);
  const tables = metadataNames.map((name) => join(source, name));
  // A folder's splits have tables of their own.
  const isBelow = !relative(source, out).startsWith("..");
  const ofSplit = isBelow && metadataNames.some((name) => name === basename(out)) ? [out] : [];
  return [...files, image, ...tables, ...ofSplit];
}

/** A flag that would change nothing is an error, not a silence. */
export function refuseIdleFlags(given: ScoreGiven, intoRun: boolean): void {
  if (given["keep-from"] !== undefined && given["rate-with"] === undefined) {
    throw new InputError("Expected --rate-with for --keep-from but received none", {
      hint: "For a run that is rated already: touchstone report RUN --keep-from N",
    });
  }
  const idle = intoRun
    ? [
        ...(given.out === undefined ? [] : ["--out"]),
        ...(given.map.length === 0 ? [] : ["--map"]),
        ...(given.texts === undefined ? [] : ["--texts"]),
        ...(given["skip-bad"] ? ["--skip-bad"] : []),
      ]
    : given["rate-with"] === undefined
      ? []
      : ["--rate-with"];
  if (idle.length === 0) return;
  throw new InputError(
    intoRun
      ? `Expected no ${idle.join(", ")} for a run, whose scores go into the run, but received it`
      : "Expected a run for --rate-with but received other images",
    { hint: "See: touchstone score --help" },
  );
}

/** @throws InputError where --answers stands without a run, or beside what it has no use for. */
export async function runWithAnswers(
  given: ScoreGiven,
  environment: Environment,
): Promise<{ readonly run: string; readonly answers: string }> {
  const { source, answers, metric, model } = given;
  if (answers === undefined) throw new InputError("Expected --answers DIR with --block");
  if (source === undefined || !(await isRun(source, environment))) {
    throw new InputError("Expected a run for --answers, the one that the study's items came from");
  }
  if (metric.length > 0 || model.length > 0 || given["rate-with"] !== undefined) {
    throw new InputError("Expected --answers alone but received metrics or models, too", {
      hint: "Score by metrics in a command of its own; all of them stand side by side in the run.",
    });
  }
  return { run: source, answers };
}
