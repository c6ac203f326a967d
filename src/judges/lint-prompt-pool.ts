import { partProblems } from "./lint-pool-parts.js";
import { textProblems } from "./lint-pool-texts.js";
import type { PromptPoolFile } from "./read-prompt-pool.js";

/** Something that keeps a pool's prompts from asking for the same thing, or a reader from the answer. */
export interface PromptProblem {
  readonly line: number;
  /** The member, such as `templates.short.task`. */
  readonly member: string;
  readonly message: string;
}

/**
 * Whether all prompts of a pool ask for the same: what each is about stands in it once and quoted;
 * the answers are named, told apart and asked for once, by the glyphs alone; no words lean or turn
 * the question round; lengths are within bounds; no part stands there twice; and the flipped order
 * really is the other way round. Words that are quoted from elsewhere are left as they are.
 *
 * @returns in the order of lines
 */
export function lintPromptPool({ pool, lineOf }: PromptPoolFile): PromptProblem[] {
  if (pool.source !== undefined) return [];
  return [...textProblems(pool), ...partProblems(pool)]
    .map(({ path, message }) => ({
      line: lineOf(path),
      member: path.map(String).join("."),
      message,
    }))
    .sort((one, other) => one.line - other.line);
}
