import { readFileSync } from "node:fs";
import { InputError } from "../core/errors.js";
import { readYaml } from "../files/yaml.js";
import { type PromptPool, promptPoolSchema } from "./prompt-pool-schema.js";

/** Where a member stands, such as ["templates", "short", "task"]. */
export type PoolPath = readonly PropertyKey[];

/** A pool, and the line of its file at which a member stands. */
export interface PromptPoolFile {
  readonly file: string;
  readonly pool: PromptPool;
  /** Line of a part; for one that is missing, the line of what it would stand in. */
  lineOf(path: PoolPath): number;
}

/**
 * The pool in a YAML text, checked by its schema; `file` is what errors call it. Whether its prompts
 * ask for the same is another question: `lintPromptPool`.
 *
 * @throws InputError with a line for each problem.
 */
export function readPromptPool(file: string, text: string): PromptPoolFile {
  const { value, lineOf } = readYaml(file, text);
  const checked = promptPoolSchema.safeParse(value);
  if (checked.success) return { file, pool: checked.data, lineOf };
  throw new InputError(`Expected a pool of prompts in ${file}`, {
    problems: checked.error.issues.map(
      ({ path, message }) =>
        `${file}, line ${lineOf(path)}: ${path.map(String).join(".") || "the file"}: ${message}`,
    ),
    hint: "data/prompts/pairwise.yaml of this package shows every member, with comments",
  });
}

/** The pools that come along: of pairs by their caption, by their quality and in the paper's words, of questions of yes or no, and of ratings from 1 to 5 or to 4. */
export const promptPoolNames = [
  "pairwise",
  "pairwise-quality",
  "pairwise-paper",
  "yes-no",
  "ordinal",
  "ordinal-4",
] as const;
export type PromptPoolName = (typeof promptPoolNames)[number];

const loaded = new Map<PromptPoolName, PromptPoolFile>();

/** A pool that comes along, data/prompts/NAME.yaml. */
export function loadPromptPool(name: PromptPoolName): PromptPoolFile {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = `data/prompts/${name}.yaml`;
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const pool = readPromptPool(file, text);
  loaded.set(name, pool);
  return pool;
}
