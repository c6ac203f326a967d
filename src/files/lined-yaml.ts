import type { z } from "zod";
import { InputError } from "../core/errors.js";
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
  throw new InputError(`Expected other members in ${file}`, {
    problems: checked.error.issues.map(
      ({ path, message }) =>
        `${lineOf(path)}: ${path.map(String).join(".") || "the whole file"}: ${message}`,
    ),
    hint,
  });
}
