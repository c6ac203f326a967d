/**
 * Parses JSON as Python writes it: NaN is null, no number; whole numbers beyond 2^53 are texts. Costs nothing
 * where there is none.
 *
 * @throws SyntaxError for what is no JSON otherwise.
 */
export function parsedJson(json: string): unknown {
  const text = withLongNumbers(json);
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!/\bNaN\b/.test(text)) throw cause;
    return JSON.parse(withNull(text));
  }
}

/** The text with null for each NaN outside of strings. */
function withNull(text: string): string {
  const pieces: string[] = [];
  const next = /"|\bNaN\b/g;
  let from = 0;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    if (found[0] === "NaN") {
      pieces.push(text.slice(from, found.index), "null");
      from = next.lastIndex;
    } else next.lastIndex = endOfString(text, next.lastIndex);
  }
  return pieces.join("") + text.slice(from);
}

/** Where a string that begins at `start` has ended, its closing quotation mark included. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/**
 * The text of JSON with whole numbers beyond 2^53 as texts, as they stand: parsed, two ids of 64 bits would
 * become one. Costs nothing where no number is that long.
 *
 * @example withLongNumbers('{"id": 9007199254740993}') // '{"id": "9007199254740993"}'
 */
function withLongNumbers(json: string): string {
  if (!/(?<![.\d])\d{16}/.test(json)) return json;
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

/** Says why a line is not JSON, as an ending of a sentence; empty where the reason is not plain. */
export function whyNone(line: string): string {
  if (/^[[{]$/.test(line)) return "; one JSON document on many lines is read by --format json";
  if (/^\{.*\},$/.test(line)) return "; remove the comma behind it";
  if (/^\{\s*'/.test(line)) return "; it is as Python prints objects: write it by json.dumps";
  const outsideTexts = line.replaceAll(/"(?:[^"\\]|\\.)*"?/g, "");
  const count = (brackets: RegExp) => outsideTexts.match(brackets)?.length ?? 0;
  return line.startsWith("{") && count(/[[{]/g) > count(/[\]}]/g) ? "; it is cut short" : "";
}
