import { readJson } from "../../core/read-json.js";
import { withoutThought } from "./said-text.js";

/** Brackets that are never closed make every search go to the end: no more than this is searched. */
const mostSearched = 10_000_000;

/**
 * Every JSON object or array in a text, in its order: the whole text, or what stands in it, in prose
 * as in code fences, since either may hold the answer and the other an example. What a model thought
 * aloud before its answer (`<think>…</think>`) is not looked at, and nothing is where the thought has
 * no end. A comma after the last member is passed over. Values are those of `readJson`.
 *
 * @example foundJson('Sure! {"a": 1}') // [{ a: 1 }]
 */
export function foundJson(text: string): unknown[] {
  const said = withoutThought(text);
  const whole = parsed(said);
  return whole === undefined ? inProse(said) : [whole.value];
}

/** Objects and arrays that begin somewhere in a text; those inside others are not listed. */
function inProse(text: string): unknown[] {
  const found: unknown[] = [];
  let searched = 0;
  for (let start = nextOpening(text, 0); start >= 0 && searched < mostSearched; ) {
    const end = closingOf(text, start);
    searched += (end < 0 ? text.length : end) - start;
    const value = end < 0 ? undefined : parsed(text.slice(start, end));
    if (value !== undefined) found.push(value.value);
    start = nextOpening(text, value === undefined ? start + 1 : end);
  }
  return found;
}

function nextOpening(text: string, from: number): number {
  const opening = /[{[]/g;
  opening.lastIndex = from;
  return opening.exec(text)?.index ?? -1;
}

/** Just behind the bracket that closes the one at `start`; -1 where none does. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * A comma after the last member or item, as Python and JavaScript allow it; or a string, which may hold one, up to the
 * end of the text where it is not closed, since each quote within would be looked at from anew.
 */
const trailingComma = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)|,(?=\s*[}\]])/gs;

/** A box around the value, since `undefined` must mean that there is none. */
function parsed(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const mended = () => text.replaceAll(trailingComma, (found) => (found === "," ? "" : found));
  return read(text) ?? read(mended());
}

function read(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: readJson(text) };
  } catch {
    return undefined;
  }
}
