import { lostNumber } from "../core/lost-number.js";
import { lostText, mostCharacters, quoted, type TableItem, tooLong } from "./format.js";
import { parsedJson } from "./python-json.js";
import { repeatedMember } from "./repeated-member.js";

/** Reads JSONL, a piece of text at a time: one object on each line; empty lines are passed over. */
export async function* readJsonlTable(
  text: AsyncIterable<string>,
): AsyncGenerator<Iterable<TableItem>> {
  let line = 0;
  function* itemsOf(contents: readonly string[]): Generator<TableItem> {
    for (const content of contents) {
      line += 1;
      if (content.trim() !== "") yield itemOf(content, line);
    }
  }
  // The beginning of a line that has not come whole.
  let pieces: string[] = [];
  let length = 0;
  for await (const piece of text) {
    const [first = "", ...rest] = piece.split("\n");
    pieces.push(first);
    length += first.length;
    if (length > mostCharacters) {
      yield [{ kind: "bad", line: line + 1, problem: tooLong }];
      return;
    }
    const last = rest.pop();
    if (last === undefined) continue;
    yield itemsOf([pieces.join(""), ...rest]);
    pieces = [last];
    length = last.length;
  }
  yield itemsOf([pieces.join("")]);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function itemOf(content: string, line: number): TableItem {
  let value: unknown;
  try {
    value = parsedJson(content);
  } catch {
    const problem = /(?<!["\w])-?Infinity(?!["\w])/.test(content)
      ? "Infinity is not JSON; write null where there is no number"
      : `Expected a JSON object but received ${quoted(content.trim())}`;
    return { kind: "bad", line, problem };
  }
  const lost = lostNumber(content);
  if (lost !== undefined) return { kind: "bad", line, problem: lostText(lost) };
  if (!isObject(value)) {
    return { kind: "bad", line, problem: `Expected a JSON object but received ${quoted(value)}` };
  }
  const twice = repeatedMember(content, Object.keys(value).length);
  return twice === undefined
    ? { kind: "row", line, values: value }
    : {
        kind: "bad",
        line,
        problem: `Expected each member once but ${quoted(twice)} is there twice`,
      };
}
