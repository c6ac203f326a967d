import { basename, join, relative } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Arguments, Given } from "../../../core/options.js";
import { metadataNames } from "../../../files/image-folder.js";
import { matchingFiles } from "../../../files/matching-files.js";
import { checkOut } from "../../command-line/out-path.js";
import {
  failOnArguments,
  openArgument,
  outsideArguments,
  sanityArguments,
  textsArgument,
} from "../../command-line/shared-arguments.js";
import type { Environment } from "../../environment.js";
import { exampleChatModel, exampleEncoder } from "../../models/example-models.js";
import { runtimeArgument } from "../../models/runtime-argument.js";
import { limitArguments, withoutLimits } from "../run/limits.js";
import { askAgainArguments, withoutAskingAgain } from "../run/retry-unscored.js";
import { isPage, resultText } from "./result-row.js";
import { isRun } from "./score-run.js";

export const scoreArguments = {
  source: {
    kind: "positional",
    optional: true,
    description:
      "a folder of images, a table, WebDataset shards (.tar) or Parquet with images, by a path or a " +
      "pattern; - for a table on standard input; or a run",
  },
  image: { kind: "text", value: "FILE", description: "one image, with --text" },
  text: { kind: "text", description: "the text that the image should show" },
  metric: {
    kind: "text",
    repeated: true,
    value: "NAME[=MODEL]",
    description:
      "clip-score, clip-score:cosine, localized-vqa-score, … or ./mine.mjs, or python:mine:score for a function score(image, text) of mine.py. It asks each --model that " +
      "can carry it, or the models after = alone: vqa-score=lab:vqa. Default: each model is asked by " +
      "the first it can carry of clip-score, image-reward, vqa-score, mllm-rating and proto-score. " +
      "localized-vqa-score needs two models, one that answers questions and one that finds entities " +
      "(=lab:vqa,lab:localizer), and takes conventions: :recall, :precision, :masking, :none, …",
  },
  model: {
    kind: "text",
    repeated: true,
    value: "PROVIDER:MODEL",
    description: `such as ${exampleChatModel}, ${exampleEncoder} or lab:vqa`,
  },
  wording: {
    kind: "text",
    repeated: true,
    value: "NAME=FILE.yaml",
    description:
      "your own instructions to a chat model, for mllm-rating or prompt-rating, with the members of " +
      "data/metrics/mllm-rating.yaml; mllm-rating=paper asks by ProtoBias' Table 6, word for word",
  },
  entities: {
    kind: "text",
    value: "JSON",
    description:
      "with --text: its entities, [{entity, attributes: []}]; a table has a column entities",
  },
  "decompose-with": {
    kind: "text",
    value: "PROVIDER:MODEL",
    description:
      "the chat model that splits texts without entities into entities; rules (the default of " +
      "localized-vqa-score) needs no model",
  },
  map: {
    kind: "text",
    repeated: true,
    value: "NAME=COLUMN",
    description: "read NAME from another column: image=path",
  },
  ...textsArgument,
  out: {
    kind: "text",
    value: "FILE",
    description:
      "write one row for each result: .jsonl, .csv, .parquet or .json; or a page that shows the worst images " +
      "first: .html",
  },
  ...openArgument,
  run: {
    kind: "text",
    value: "DIR",
    description:
      "keep what is scored in this run; without it in one below .touchstone, which the same command goes on " +
      "with where it was stopped, and run clean --yes removes",
  },
  answers: {
    kind: "text",
    value: "DIR",
    description: "for a run: the study whose answers about its images become scores by people",
  },
  block: {
    kind: "text",
    value: "NAME",
    description: "with --answers: the block of the study, where several score images",
  },
  "rate-with": {
    kind: "text",
    value: "PROVIDER:MODEL",
    description:
      "for a run: the model that rates each image against its own sentence from 1 to 10, to filter: a " +
      "chat model in words (prompt-rating, prompt-rating:expected=MODEL), another by P(yes) (vqa-rating=MODEL)",
  },
  "keep-from": {
    kind: "number",
    minimum: 1,
    maximum: 10,
    value: "N",
    description:
      "with --rate-with: the lowest rating that both images of a pair need to be kept (default: 8)",
  },
  "skip-bad": {
    kind: "switch",
    description: "mark missing or broken images and texts unscored, and score the rest",
  },
  "scores-only": {
    kind: "switch",
    description: "print the scores alone, in order of the rows: for one batch of many",
  },
  ...outsideArguments,
  ...askAgainArguments,
  runtime: runtimeArgument,
  ...sanityArguments,
  ...failOnArguments,
  ...limitArguments,
} as const satisfies Arguments;

export type ScoreGiven = Given<typeof scoreArguments>;

/** For a command line that is given again: it may spend anew, and keeps what was answered. */
export const askedAnew = { ...withoutAskingAgain, ...withoutLimits };

/** @throws InputError where --out has an ending of no type, or is one of the files that are read. */
export async function checkResultFile(given: ScoreGiven, workingDirectory: string): Promise<void> {
  const { out } = given;
  if (out !== undefined && given["scores-only"]) {
    throw new InputError("Expected --out or --scores-only but received both");
  }
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
        ...(given.run === undefined ? [] : ["--run"]),
        ...(given.map.length === 0 ? [] : ["--map"]),
        ...(given.texts === undefined ? [] : ["--texts"]),
        ...(given["skip-bad"] ? ["--skip-bad"] : []),
        ...(given["scores-only"] ? ["--scores-only"] : []),
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
