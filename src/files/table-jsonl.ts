import { quoted, type TableItem } from "./table-format.js";

/** Reads JSONL: one object on each line; empty lines are passed over. */
export async function* readJsonlTable(text: AsyncIterable<string>): AsyncGenerator<TableItem> {
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content.trim() !== "") yield itemOf(content, line);
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const chunk of text) {
    const [first = "", ...rest] = chunk.split("\n");
    pieces.push(first);
    for (const next of rest) {
      yield pieces.join("");
      pieces = [next];
    }
  }
  yield pieces.join("");
}

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
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "bad", line, problem: `Expected a JSON object but received ${quoted(value)}` };
  }
  return { kind: "row", line, values: Object.fromEntries(Object.entries(value)) };
}
