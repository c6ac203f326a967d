import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import type { CST, Document } from "yaml";
import { z } from "zod";
import { once } from "../core/cache.js";
import { InputError } from "../core/errors.js";
import { mostLevels } from "../core/json.js";
import { nearest } from "../core/nearest.js";
import { pluralText } from "../core/phrases.js";

/** A parsed YAML text with the lines of its members. */
export interface YamlDocument {
  /** The parsed value; `undefined` or null where it is empty. */
  readonly value: unknown;
  /** The line of a member, from 1; for a missing member the line of its parent. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Values that aliases may unfold to; settings never need more. */
const mostAliases = 100;

/**
 * Parses a YAML text from a user.
 * @param file name in errors
 * @throws InputError that lists syntax errors by line; also for aliases without an anchor or that unfold
 * too far, and for members nested too deeply.
 */
export function readYaml(file: string, text: string): YamlDocument {
  if (isTooDeep(text)) {
    throw new InputError(
      `Expected YAML of at most ${mostLevels} members within each other in ${file}`,
    );
  }
  const { isNode, LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new InputError(`Expected YAML in ${file}`, {
      problems: document.errors.map(
        ({ message, pos: [start] }) => `line ${lines.linePos(start).line}: ${message}`,
      ),
    });
  }
  const value = unfolded(document, file);
  const lineOf = (path: readonly PropertyKey[]): number => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return lines.linePos(start).line;
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  return { value, lineOf };
}

function unfolded(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (cause) {
    if (!(cause instanceof ReferenceError)) throw cause;
    const isBomb = /excessive alias/i.test(cause.message);
    throw new InputError(
      isBomb
        ? `Expected YAML with fewer aliases in ${file}: they expand to more than can be read`
        : `Expected YAML in ${file} but received: ${cause.message}`,
      { hint: "Replace each alias (*name) by its content.", cause },
    );
  }
}

/** Tells from the tokens, which are parsed without recursion, whether a text is nested too deeply. */
function isTooDeep(text: string): boolean {
  const { Parser } = loadYaml();
  const left: { readonly token: CST.Token | null | undefined; readonly level: number }[] = [];
  for (const token of new Parser().parse(text)) left.push({ token, level: 0 });
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { token, level } = next;
    if (level > mostLevels) return true;
    if (token?.type === "document") left.push({ token: token.value, level });
    if (token === undefined || token === null || !("items" in token)) continue;
    for (const item of token.items) {
      if ("key" in item) left.push({ token: item.key, level: level + 1 });
      left.push({ token: item.value, level: level + 1 });
    }
  }
  return false;
}

/** A checked YAML file with the lines of its members. */
export interface LinedYaml<Output> {
  readonly file: string;
  readonly value: Output;
  /** Such as "line 7"; for a missing member the line of its nearest parent. */
  lineOf(path: readonly PropertyKey[]): string;
}

/**
 * Parses a YAML text and checks it by a schema.
 * @param file name in errors
 * @throws InputError that lists every problem with its line.
 */
export function linedYaml<Output>(
  file: string,
  text: string,
  schema: z.ZodType<Output>,
  hint = "The form of each file is described at the top of those in data/stereotypes.",
): LinedYaml<Output> {
  const read = readYaml(file, text);
  const lineOf = (path: readonly PropertyKey[]) => `line ${read.lineOf(path)}`;
  const checked = schema.safeParse(read.value ?? {}, { reportInput: true });
  if (checked.success) return { file, value: checked.data, lineOf };
  const members = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const problems = memberProblems(checked.error.issues, {
    lineOf,
    membersAt: (path) => (path.length === 0 ? members : []),
  });
  throw new InputError(
    `Expected a valid ${file} but found ${pluralText(problems.length, "problem")}`,
    {
      problems,
      hint,
    },
  );
}

/** Describes each problem of a file with its line; for an unknown member also the nearest known name. */
export function memberProblems(
  issues: readonly z.core.$ZodIssue[],
  {
    lineOf,
    membersAt,
  }: {
    readonly lineOf: (path: readonly PropertyKey[]) => string;
    readonly membersAt: (path: readonly PropertyKey[]) => readonly string[];
  },
): string[] {
  return issues.flatMap((issue) => {
    const where = issue.path.map(String).join(".");
    if (issue.code !== "unrecognized_keys") {
      const isMissing =
        issue.code === "invalid_type" && issue.message.endsWith("received undefined");
      const said = isMissing
        ? "is missing"
        : (otherWord(issue) ?? otherKind(issue) ?? issue.message);
      return [`${lineOf(issue.path)}: ${where || "the whole file"}: ${said}`];
    }
    return issue.keys.map((key) => {
      const meant = nearest(key, membersAt(issue.path));
      const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
      const name = [where, key].filter(Boolean).join(".");
      return `${lineOf([...issue.path, key])}: unknown member ${name}${hint}`;
    });
  });
}

/** Says of a member of another kind which kind is wanted and what stands there. */
function otherKind(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  const came = JSON.stringify(issue.input);
  return `expected ${issue.expected} but received ${came.length > 60 ? issue.message.split(" ").pop() : came}`;
}

/** Says of a member that is none of the words it may be which they are, and which is nearest. */
function otherWord(issue: z.core.$ZodIssue): string | undefined {
  const union = issue.code === "invalid_union" && "options" in issue ? issue : undefined;
  const words = issue.code === "invalid_value" ? issue.values : union?.options;
  if (words === undefined) return undefined;
  const names = words.map(String);
  const came = union ? Object(union.input)[String(union.discriminator)] : issue.input;
  const meant = nearest(String(came), names);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return `expected one of ${names.join(", ")} but received ${JSON.stringify(came) ?? "nothing"}${hint}`;
}

/** The YAML parser, loaded at first use. */
export const loadYaml = once((): typeof Yaml => createRequire(import.meta.url)("yaml"));

/** Reads a YAML file of the package's `data/`, such as "prompts/lint.yaml". */
export const packagedYaml = (name: string): unknown =>
  loadYaml().parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), "utf8"));
