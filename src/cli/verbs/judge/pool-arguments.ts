import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { type JudgingTask, judgingTasks } from "../../../core/judging-task.js";
import { nearest } from "../../../core/nearest.js";
import { listText } from "../../../core/phrases.js";
import { fileError } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import type { Prompt } from "../../../judges/prompt.js";
import type { PromptKind } from "../../../judges/prompt-pool-schema.js";
import {
  loadPromptPool,
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

/** Which of its prompts. */
export const partArguments = {
  persona: part("persona"),
  template: part("template"),
  criterion: part("criterion"),
  glyphs: part("glyphs"),
  order: part("order"),
} as const;

function part(name: string) {
  return {
    kind: "text",
    value: "NAME",
    repeated: true,
    description: `only prompts with this ${name}`,
  } as const;
}

const groups = ["persona", "template", "criterion", "glyphs", "order"] as const;

interface GivenPool {
  readonly kind: string;
  readonly pool: string | undefined;
}

type GivenParts = Readonly<Record<keyof typeof partArguments, readonly string[]>>;

/** The pool that was asked for. @throws InputError where a file can't be read or is no pool. */
export async function givenPool(
  { kind, pool }: GivenPool,
  environment: Environment,
): Promise<PromptPoolFile> {
  return pool === undefined
    ? loadPromptPool(promptPoolNames.find((one) => one === kind) ?? "pairwise")
    : readPoolFile(pool, environment);
}

/** A pool from a user's file. */
export async function readPoolFile(
  file: string,
  { workingDirectory }: Environment,
): Promise<PromptPoolFile> {
  const text = await readTextFile(resolve(workingDirectory, file)).catch((error: unknown) => {
    throw fileError(error, "read", file);
  });
  return readPromptPool(file, text);
}

/**
 * The pool's prompts that have one of the given names in each group of parts.
 *
 * @throws InputError for a name that the pool does not have.
 */
export function promptsWith({ file, pool }: PromptPoolFile, given: GivenParts): Prompt[] {
  const all = composePrompts(pool);
  const problems = groups.flatMap((group) => {
    const names = [...new Set(all.map(({ parts }): string => parts[group]))];
    return given[group]
      .filter((name) => !names.includes(name))
      .map((name) => {
        const meant = nearest(name, names);
        const hint =
          meant === undefined ? `there are ${listText(names)}` : `did you mean ${meant}?`;
        return `--${group} ${name}: ${hint}`;
      });
  });
  if (problems.length > 0) {
    throw new InputError(`Expected names of parts of ${file}`, { problems });
  }
  return all.filter(({ parts }) =>
    groups.every((group) => given[group].length === 0 || given[group].includes(parts[group])),
  );
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
