import { InputError } from "../../../core/errors.js";
import { type JudgingTask, judgingTasks } from "../../../core/judging-task.js";
import { type Model, modelName } from "../../../core/models.js";
import { type AnswerKind, ratingAnswers, twoAnswers } from "../../../judges/answer-kind.js";
import { type Asking, askingOfImages, askingOfPairs } from "../../../judges/asking.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import { questionItself } from "../../../judges/judge-images-step.js";
import type { Prompt } from "../../../judges/prompt.js";
import {
  loadPromptPool,
  type PromptPoolFile,
  promptPoolNames,
} from "../../../judges/read-prompt-pool.js";
import { samplePrompts } from "../../../judges/sample-prompts.js";
import { contractWords, keeps } from "../../../models/contracts.js";
import type { Environment } from "../../environment.js";
import { checkMadeFor, whoDoes } from "../../models/made-for.js";
import { kindCalled, kindsByTask, readPoolFile } from "../judge/pool-arguments.js";

/** A task may also be called as its pool of prompts is. */
export const tasksByKind: Readonly<Record<string, JudgingTask>> = Object.fromEntries(
  judgingTasks.map((task) => [kindsByTask[task], task]),
);

/**
 * The pool of prompts that a task is asked by.
 *
 * @param given the name of one that comes along, or a file; default: the task's own.
 * @throws InputError where it is of another task.
 */
export async function poolFor(
  task: JudgingTask,
  given: string | undefined,
  environment: Environment,
): Promise<PromptPoolFile> {
  const kind = kindsByTask[task];
  const name = given ?? kind;
  const known = promptPoolNames.find((one) => one === kindCalled(name));
  const pool = known === undefined ? await readPoolFile(name, environment) : loadPromptPool(known);
  if (pool.pool.kind === kind) return pool;
  throw new InputError(
    `Expected a pool of ${kind} prompts for the task ${task} but ${name} is ${pool.pool.kind}`,
    { hint: "touchstone judge prompts list --pool FILE shows a pool" },
  );
}

/** How many ratings a pool's prompts have; undefined of other pools. */
export const ratingsOf = ({ pool }: PromptPoolFile): number | undefined =>
  pool.kind === "ordinal" ? Object.values(pool.glyphs)[0]?.answers.length : undefined;

/** The prompts to ask: some of the pool, or of a model that answers questions alone, the question itself. */
export const promptsFor = (
  model: Model,
  { pool }: PromptPoolFile,
  { count, seed }: { readonly count: number; readonly seed: number },
): Prompt[] =>
  answersAlone(model)
    ? [questionItself]
    : samplePrompts({ prompts: composePrompts(pool), count, seed });

/** Whether it answers questions and takes no instructions beside them. */
const answersAlone = (model: Model): boolean =>
  !keeps(model, "ChatModel") && keeps(model, "VisualQuestionAnswering");

/**
 * Checks flags of prompts, which a model that answers questions alone has no use for.
 *
 * @throws InputError where one is given for such a model.
 */
export function checkPromptFlags(
  model: Model,
  given: Readonly<Record<"pool" | "prompts" | "samples", string | number | undefined>>,
): void {
  const unused = (["pool", "prompts", "samples"] as const).find(
    (name) => given[name] !== undefined,
  );
  if (unused === undefined || !answersAlone(model)) return;
  throw new InputError(
    `Expected no --${unused} for ${modelName(model.identity)}: it ${contractWords.VisualQuestionAnswering} and is asked the question as it stands, once`,
  );
}

/** How often a model that never gives log-probabilities is asked each prompt where it is not told. */
export const usualSamples = 5;

/** How often each prompt is asked, where answers are sampled. */
export const samplesOf = (model: Model, given: number | undefined): number | undefined =>
  given ??
  (keeps(model, "ChatModel") && model.givesLogProbabilities === false ? usualSamples : undefined);

/** How answers are got: from log-probabilities, by samples, or as P(yes) from a question answerer. */
export const wayOf = (model: Model, samples: number | undefined): JudgeArtefact["way"] =>
  answersAlone(model) ? "probability" : samples === undefined ? "tokens" : "samples";

/**
 * How a model is asked about the items of a task.
 *
 * @throws InputError where it can't be.
 */
export function askingOf(
  model: Model,
  { task, way, trials, ties }: Pick<JudgeArtefact, "task" | "way" | "trials" | "ties">,
): Asking {
  if (task === "yes-no" && way === "probability" && keeps(model, "VisualQuestionAnswering")) {
    return askingOfImages({ judge: { model, way }, trials });
  }
  if (way === "probability" || !keeps(model, "ChatModel")) {
    throw new InputError(
      `Expected a model that ${contractWords.ChatModel}${task === "yes-no" ? `, or ${contractWords.VisualQuestionAnswering},` : ""} for --model but received ${modelName(model.identity)}`,
      { hint: whoDoes(task) },
    );
  }
  checkMadeFor(model, task, "--model");
  return task === "pair"
    ? askingOfPairs({ model, way, trials, ties })
    : askingOfImages({ judge: { model, way }, trials });
}

/** Kind of a judge's answers. */
export const kindOf = ({ scale }: Pick<JudgeArtefact, "scale">): AnswerKind =>
  scale === null ? twoAnswers : ratingAnswers(scale);
