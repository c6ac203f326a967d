import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { InputError } from "../../core/errors.js";

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
): LinedYaml<Output> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new InputError(`Expected YAML in ${file}`, {
      problems: document.errors.map(
        ({ pos: [start], message }) => `line ${lines.linePos(start).line}: ${message}`,
      ),
    });
  }
  const lineOf = (path: readonly PropertyKey[]): string => {
    const node = document.getIn(path, true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return `line ${lines.linePos(start).line}`;
    return path.length === 0 ? "line 1" : lineOf(path.slice(0, -1));
  };
  const checked = schema.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (checked.success) return { file, value: checked.data, lineOf };
  throw new InputError(`Expected other members in ${file}`, {
    problems: checked.error.issues.map(
      ({ path, message }) =>
        `${lineOf(path)}: ${path.map(String).join(".") || "the whole file"}: ${message}`,
    ),
    hint: "The form of each file is described at the top of those in data/stereotypes.",
  });
}
