import type { CST, Document } from "yaml";
import { InputError } from "../core/errors.js";
import { loadYaml } from "./packaged-yaml.js";

/** A YAML text that was read, and where its members stand. */
export interface YamlDocument {
  /** The parsed value; `undefined` or null of an empty one. */
  readonly value: unknown;
  /** The line, from 1, of a member; of one that is not there, that of what it would stand in. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Members within members; each takes some of the stack of whoever reads them. */
const mostLevels = 100;

/** Aliases that unfold to more than this many values are nobody's settings. */
const mostAliases = 100;

/**
 * Reads a YAML text that a user may have written.
 *
 * @param file what errors call it
 * @throws InputError that lists what is no YAML, by line; and where aliases name no anchor or unfold
 *   without end, or members stand within each other too deeply.
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
