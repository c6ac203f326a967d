import { targetErrorArgument } from "../../../conclusions/shared-options.js";
import { InputError } from "../../../core/errors.js";
import { judgingTasks } from "../../../core/judging-task.js";
import type { Arguments, Given } from "../../../core/options.js";
import { objectives } from "../../../ensembles/weight-problem.js";
import type { CalibratingOptions } from "../../../judges/calibrate-judge.js";
import { checkEnding, checkOut } from "../../command-line/out-path.js";
import { itemTableArguments, sanityArguments } from "../../command-line/shared-arguments.js";
import type { Environment } from "../../environment.js";
import { exampleChatModel, exampleEncoder } from "../../models/example-models.js";
import { ownChatModel } from "../../models/own-model.js";
import { limitArguments, withoutLimits } from "../run/limits.js";
import { askAgainArguments, withoutAskingAgain } from "../run/retry-unscored.js";
import { tasksByKind } from "./judge-asking.js";
import { otherModelArgument } from "./other-model.js";

export const calibrateArguments = {
  labels: {
    kind: "positional",
    description:
      "the table of labels (a file); also a folder of images whose metadata has them, WebDataset shards " +
      "(.tar) or Parquet with images",
  },
  model: { kind: "text", value: "PROVIDER:MODEL", description: "the model that judges" },
  out: {
    kind: "text",
    value: "FILE.json",
    default: "judge.json",
    description: "the file to save the judge to",
  },
  task: {
    kind: "choice",
    choices: judgingTasks,
    also: tasksByKind,
    description:
      "what the labels are about (default: by their columns). The names of pools work too: " +
      "pairwise, ordinal",
  },
  pool: {
    kind: "text",
    value: "NAME|FILE",
    description:
      "the pool of prompts: pairwise (which image fits the caption), pairwise-quality (which image is " +
      "better), pairwise-paper (the paper's one printed prompt), yes-no, ordinal (1 to 5), ordinal-4 (1 to 4), or a file of your own",
  },
  within: {
    kind: "number",
    integer: true,
    minimum: 0,
    maximum: 8,
    description: "for ratings: the error that still counts as right (default: 0)",
  },
  prompts: {
    kind: "number",
    integer: true,
    minimum: 1,
    description: "the number of prompts to ask (default: 20)",
  },
  embedder: {
    kind: "text",
    value: "PROVIDER:MODEL",
    description:
      "the model that embeds images to group them; column: the table's columns embedding, or " +
      "embedding_a and embedding_b; without it there is one group",
  },
  support: {
    kind: "text",
    value: "FILE|FOLDER",
    description:
      "with --embedder: further items without labels, or a folder of images, to find image groups in; none " +
      "that will be judged",
  },
  clusters: {
    kind: "text",
    value: "N|auto",
    default: "auto",
    description: "the number of image groups",
  },
  temperature: {
    kind: "number",
    description:
      "the temperature of group membership (default: chosen by leave-one-out likelihood)",
  },
  objective: {
    kind: "choice",
    choices: [...objectives, "auto"],
    default: "auto",
    description: "the objective that weights are fitted by",
  },
  lambda: {
    kind: "number",
    description: "the weight of the entropy (default: chosen by leave-one-out likelihood)",
  },
  "target-error": targetErrorArgument,
  confidence: { kind: "number", default: 0.95, description: "the confidence of that bound" },
  certify: {
    kind: "choice",
    choices: ["split", "cross-fitted"],
    default: "split",
    description:
      "split: some labels fit the weights, others set the threshold (exact); cross-fitted: all " +
      "do both (approximate)",
  },
  "fit-labels": {
    kind: "number",
    integer: true,
    minimum: 1,
    description: "the number of labels that fit weights (default: a quarter, at most 50)",
  },
  "every-label": {
    kind: "switch",
    description:
      "use every label of a caption or text (for questions: of an image) to set the threshold; " +
      "exact only if they are independent",
  },
  ties: { kind: "switch", description: "for pairs: let the model answer tie, which counts half" },
  samples: {
    kind: "number",
    integer: true,
    minimum: 2,
    description:
      "for a model without log-probabilities: ask each prompt N times (default of anthropic: 5)",
  },
  ...itemTableArguments,
  run: {
    kind: "text",
    value: "DIR",
    description: "the folder that stores answers (default: beside the judge)",
  },
  seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
  "answers-out": {
    kind: "text",
    value: "FILE.jsonl",
    description:
      "also write what each prompt answered, with embeddings, as experiment and analyze ensemble read " +
      "it; pairs labelled tie are then asked about as well",
  },
  add: {
    kind: "text",
    value: "FILE",
    repeated: true,
    description:
      "add answers from review: judge keeps to them. They change no judge, since review shows what is " +
      "hard, unless judge put all to people because nothing was certified: then they count as labels. A " +
      "review file from judge names its own images and columns",
  },
  "allow-other-model": otherModelArgument,
  ...askAgainArguments,
  ...sanityArguments,
  ...limitArguments,
} as const satisfies Arguments;

export type CalibrateGiven = Given<typeof calibrateArguments>;

/** Leaves out what does not change how a judge is fitted: its promise, where it is saved, limits. */
export const notFitting = {
  out: undefined,
  "target-error": undefined,
  confidence: undefined,
  "answers-out": undefined,
  run: undefined,
  ...withoutAskingAgain,
  ...withoutLimits,
};

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
  checkEnding(given.out, [".json"]);
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
  checkEnding(file, [".jsonl"], "answers-out");
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

/** @throws InputError for numbers that are out of range, and for groups without an embedder. */
export function optionsOf(given: CalibrateGiven): CalibratingOptions {
  checkShares(given);
  for (const name of ["temperature", "lambda"] as const) {
    if ((given[name] ?? 1) > 0) continue;
    throw new InputError(`Expected a positive number for --${name} but received ${given[name]}`);
  }
  const clusters = given.clusters === "auto" ? "auto" : Number(given.clusters);
  if (clusters !== "auto" && !(Number.isInteger(clusters) && clusters >= 1)) {
    throw new InputError(
      `Expected a whole number or auto for --clusters but received "${given.clusters}"`,
    );
  }
  const isGrouped = given.support !== undefined || (clusters !== "auto" && clusters > 1);
  if (isGrouped && given.embedder === undefined) {
    throw new InputError("Expected --embedder for groups of images but received none", {
      hint: `Such as --embedder ${exampleEncoder}`,
    });
  }
  return {
    clusters,
    objective: given.objective,
    seed: given.seed,
    temperature: given.temperature,
    lambda: given.lambda,
    target: given["target-error"],
    confidence: given.confidence,
    fitting: given["fit-labels"],
    everyLabel: given["every-label"],
    certification: given.certify,
  };
}

/** @throws InputError where one of them is not between 0 and 1. */
export function checkShares(given: Readonly<Record<"target-error" | "confidence", number>>): void {
  for (const name of ["target-error", "confidence"] as const) {
    if (given[name] > 0 && given[name] < 1) continue;
    throw new InputError(
      `Expected a number between 0 and 1 for --${name} but received ${given[name]}`,
    );
  }
}
