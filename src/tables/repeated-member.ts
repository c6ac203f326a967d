import { endOfString } from "../core/read-json.js";

/**
 * Names that stand twice in one of a document's objects, of which parsers keep only the last: of each member of the
 * whole the first such name in it, and all that the whole itself has twice.
 *
 * @param content the text of a document, known to be JSON.
 * @param root what it is parsed to.
 */
export function membersTwice(content: string, root: unknown): readonly RepeatedMember[] {
  if (!Array.isArray(root) && hasColons(content, Object.keys(Object(root)).length)) return [];
  let all = 0;
  walk(content, () => {
    all += 1;
  });
  if (all === memberCount(root)) return [];
  const open: Set<string>[] = [];
  const twice: RepeatedMember[] = [];
  let within: string | undefined;
  walk(
    content,
    (start, end, depth) => {
      while (open.length < depth) open.push(new Set());
      const name: string = JSON.parse(content.slice(start, end));
      const seen = open[depth - 1];
      if (depth === 1) within = name;
      if (seen?.has(name) === true) {
        const found = { name, within: depth === 1 ? undefined : within };
        if (found.within === undefined || twice.at(-1)?.within !== within) twice.push(found);
      }
      seen?.add(name);
    },
    (depth) => {
      open.length = Math.min(open.length, depth);
    },
  );
  return twice;
}

interface RepeatedMember {
  readonly name: string;
  /** Undefined where it is one of the whole. */
  readonly within: string | undefined;
}

/** How many members an object has with all in it. */
function memberCount(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const each of inner) open.push(each);
  }
  return count;
}

/** A quick look: with no more colons in all than members, each member stands there once. */
function hasColons(content: string, members: number): boolean {
  let count = 0;
  for (let at = content.indexOf(":"); at >= 0 && count <= members; count++) {
    at = content.indexOf(":", at + 1);
  }
  return count === members;
}

const [quote, colon, openBrace, closeBrace, openBracket, closeBracket] = [...'":{}[]'].map(
  (character) => character.charCodeAt(0),
);

/** Calls back with where the name of each member starts and ends, how deep it stands (from 1), and what closes. */
function walk(
  content: string,
  onName: (start: number, end: number, depth: number) => void,
  onClose?: (depth: number) => void,
): void {
  let depth = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < content.length; at++) {
    const unit = content.charCodeAt(at);
    if (unit === quote) {
      start = at;
      at = endOfString(content, at);
      end = at + 1;
    } else if (unit === openBrace || unit === openBracket) depth += 1;
    else if (unit === closeBrace || unit === closeBracket) {
      depth -= 1;
      onClose?.(depth);
    } else if (unit === colon) onName(start, end, depth);
  }
}
