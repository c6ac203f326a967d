import { lostNumber } from "../core/lost-number.js";
import { lostText, mostCharacters, quoted, type TableItem, tooLong } from "./format.js";
import { repeatedMember } from "./repeated-member.js";

/** Reads JSONL: one object on each line; empty lines are passed over. */
export async function* readJsonlTable(text: AsyncIterable<string>): AsyncGenerator<TableItem> {
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content === undefined) yield { kind: "bad", line, problem: tooLong };
    else if (content.trim() !== "") yield itemOf(content, line);
  }
}

/** Ends with undefined at a line that is too long to be held. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of text) {
    const [first = "", ...rest] = chunk.split("\n");
    pieces.push(first);
    length += first.length;
    if (length > mostCharacters) return yield undefined;
    for (const next of rest) {
      yield pieces.join("");
      pieces = [next];
      length = next.length;
    }
  }
  yield pieces.join("");
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function itemOf(content: string, line: number): TableItem {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    const problem = /(?<!["\w])-?(NaN|Infinity)(?!["\w])/.test(content)
      ? "NaN and Infinity are not JSON; write null where there is no number"
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
