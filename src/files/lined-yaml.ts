import { z } from "zod";
import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { readYaml } from "./yaml-document.js";

/** A YAML file that was read, and where its members stand. */
export interface LinedYaml<Output> {
  readonly file: string;
  readonly value: Output;
  /** Such as "line 7"; of the nearest member above where the path leads nowhere. */
  lineOf(path: readonly PropertyKey[]): string;
}

/**
 * A YAML text checked by a schema, every problem with its line.
 *
 * @param file what errors call it
 * @throws InputError that lists all problems.
 */
export function linedYaml<Output>(
  file: string,
  text: string,
  schema: z.ZodType<Output>,
  hint = "The form of each file is described at the top of those in data/stereotypes.",
): LinedYaml<Output> {
  const read = readYaml(file, text);
  const lineOf = (path: readonly PropertyKey[]) => `line ${read.lineOf(path)}`;
  const checked = schema.safeParse(read.value ?? {});
  if (checked.success) return { file, value: checked.data, lineOf };
  const members = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  throw new InputError(`Expected other members in ${file}`, {
    problems: memberProblems(checked.error.issues, {
      lineOf,
      membersAt: (path) => (path.length === 0 ? members : []),
    }),
    hint,
  });
}

/**
 * Says what is wrong with each member of a file, with its line and, of an unknown one, the nearest name
 * that exists there.
 */
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
      const said = isMissing ? "is missing" : issue.message;
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
