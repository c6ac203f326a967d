import { resolve } from "node:path";
import { type JudgingTask, judgingTasks } from "../../../core/judging-task.js";
import type { Given } from "../../../core/options.js";
import { failed } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import {
  loadPromptPool,
  type PromptKind,
  type PromptPoolFile,
  promptPoolNames,
  readPromptPool,
} from "../../../judges/read-prompt-pool.js";
import type { Environment } from "../../environment.js";

/** The prompts of a judge's tasks. A pool may also be called as the task is that it is for. */
export const kindsByTask: Readonly<Record<JudgingTask, PromptKind>> = {
  pair: "pairwise",
  "yes-no": "yes-no",
  rating: "ordinal",
};

/** A pool's own name, if it was called as its task is; else what was said. */
export const kindCalled = (said: string): string => {
  const task = judgingTasks.find((one) => one === said);
  return task === undefined ? said : kindsByTask[task];
};

/** Which pool a verb is about. */
export const poolArguments = {
  kind: {
    kind: "choice",
    choices: promptPoolNames,
    also: kindsByTask,
    default: "pairwise",
    description:
      "the built-in pool: pairs by their caption or by their quality, yes-or-no questions, ratings 1 to 5, or " +
      "ratings 1 to 4; pair and rating work too",
  },
  pool: {
    kind: "text",
    value: "FILE",
    description: "your own pool instead, in YAML like data/prompts/pairwise.yaml",
  },
} as const;

/** The pool that was asked for. @throws InputError where a file can't be read or is no pool. */
export async function givenPool(
  { kind, pool }: Given<typeof poolArguments>,
  environment: Environment,
): Promise<PromptPoolFile> {
  return pool === undefined ? loadPromptPool(kind) : readPoolFile(pool, environment);
}

/** A pool from a user's file. */
export async function readPoolFile(
  file: string,
  { workingDirectory }: Environment,
): Promise<PromptPoolFile> {
  const text = await readTextFile(resolve(workingDirectory, file)).catch(failed("read", file));
  return readPromptPool(file, text);
}

/** How a pool's prompts come about, in a line: "8 personas x 5 templates x …". */
export function poolSize({
  personas,
  templates,
  criteria,
  glyphs,
  orders,
}: PromptPoolFile["pool"]) {
  const count = (parts: object, one: string, several = `${one}s`) => {
    const size = Object.keys(parts).length;
    return `${size} ${size === 1 ? one : several}`;
  };
  return [
    count(personas, "persona"),
    count(templates, "template"),
    count(criteria, "criterion", "criteria"),
    count(glyphs, "set of glyphs", "sets of glyphs"),
    count(orders, "order"),
  ].join(" x ");
}
