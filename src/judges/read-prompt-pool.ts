import { readFileSync } from "node:fs";
import { type Document, LineCounter, parseDocument } from "yaml";
import { InputError } from "../core/errors.js";
import { type PromptPool, promptPoolSchema } from "./prompt-pool-schema.js";

/** Where a member stands, such as ["templates", "short", "task"]. */
export type PoolPath = readonly PropertyKey[];

/** A pool, and the line of its file at which a member stands. */
export interface PromptPoolFile {
  readonly file: string;
  readonly pool: PromptPool;
  /** Of what is not there, the line of what it would stand in. */
  lineOf(path: PoolPath): number;
}

/**
 * The pool in a YAML text, checked by its schema; `file` is what errors call it. Whether its prompts
 * ask for the same is another question: `lintPromptPool`.
 *
 * @throws InputError with a line for each problem.
 */
export function readPromptPool(file: string, text: string): PromptPoolFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new InputError(`Expected YAML in ${file}`, {
      problems: document.errors.map(
        ({ message, pos }) => `${file}, line ${lines.linePos(pos[0]).line}: ${message}`,
      ),
    });
  }
  const lineOf = (path: PoolPath): number => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    const start = isRanged(node) ? node.range[0] : undefined;
    if (start !== undefined) return lines.linePos(start).line;
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  const checked = promptPoolSchema.safeParse(valueIn(document, file));
  if (checked.success) return { file, pool: checked.data, lineOf };
  throw new InputError(`Expected a pool of prompts in ${file}`, {
    problems: checked.error.issues.map(
      ({ path, message }) =>
        `${file}, line ${lineOf(path)}: ${path.map(String).join(".") || "the file"}: ${message}`,
    ),
    hint: "data/prompts/pairwise.yaml of this package shows every member, with comments",
  });
}

/** What a document says. @throws InputError where its aliases unfold to more than any pool needs. */
function valueIn(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new InputError(`Expected YAML without so many aliases in ${file}`, { cause });
  }
}

const isRanged = (node: unknown): node is { readonly range: readonly [number, ...number[]] } =>
  typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);

/** The pools that come along: of pairs, of questions of yes or no, and of ratings from 1 to 5 or to 4. */
export const promptPoolNames = ["pairwise", "yes-no", "ordinal", "ordinal-4"] as const;
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
