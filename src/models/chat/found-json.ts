/**
 * Every JSON object or array in a text, in its order: the whole text, what stands in code fences, or
 * what stands in prose. What a model thought aloud before its answer (`<think>…</think>`) is not
 * looked at.
 *
 * @example foundJson('Sure! {"a": 1}') // [{ a: 1 }]
 */
export function foundJson(text: string): unknown[] {
  const said = text.replace(/^[\s\S]*<\/think>/, "").trim();
  const whole = parsed(said);
  if (whole !== undefined) return [whole.value];
  const fenced = [...said.matchAll(/```[a-z]*\s*\n?([\s\S]*?)```/gi)].flatMap(([, inner = ""]) => {
    const found = parsed(inner.trim());
    return found === undefined ? [] : [found.value];
  });
  return fenced.length > 0 ? fenced : inProse(said);
}

/** Objects and arrays that begin somewhere in a text; those inside others are not listed. */
function inProse(text: string): unknown[] {
  const found: unknown[] = [];
  for (let start = nextOpening(text, 0); start >= 0; ) {
    const end = closingOf(text, start);
    const value = end < 0 ? undefined : parsed(text.slice(start, end));
    if (value !== undefined) found.push(value.value);
    start = nextOpening(text, value === undefined ? start + 1 : end);
  }
  return found;
}

const nextOpening = (text: string, from: number): number => {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
};

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

/** A box around the value, since `undefined` must mean that there is none. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { value } : undefined;
  } catch {
    return undefined;
  }
}
