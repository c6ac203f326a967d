import { append } from "../core/append.js";
import { lostNumber } from "../core/lost-number.js";
import { lostText, mostCharacters, quoted, type TableItem, tooLong } from "./format.js";
import { parsedJson } from "./python-json.js";
import { repeatedMember } from "./repeated-member.js";

/**
 * Reads JSONL, a piece of text at a time: one object on each line; empty lines are passed over. Where the first
 * two rows have one member each and these differ, rows are `{id: value}` or `{id: {…}}`: they have the columns
 * `key` and `value`, or `key` and those of the object, as in a JSON document.
 */
export async function* readJsonlTable(
  text: AsyncIterable<string>,
): AsyncGenerator<Iterable<TableItem>> {
  yield* withKeys(linesOf(text));
}

async function* withKeys(
  found: AsyncGenerator<Iterable<TableItem>>,
): AsyncGenerator<Iterable<TableItem>> {
  const first: TableItem[] = [];
  let isKeyed: boolean | undefined;
  for await (const items of found) {
    if (isKeyed === false) {
      yield items;
      continue;
    }
    const here = [...first.splice(0), ...items];
    isKeyed ??= areKeyed(here);
    if (isKeyed === undefined) append(first, here);
    else yield isKeyed ? here.map(keyed) : here;
  }
  yield first;
}

/** The name of the only member of a row; undefined where it has none or several. */
function onlyName(item: TableItem): string | undefined {
  if (item.kind !== "row") return undefined;
  const [name, ...others] = Object.keys(item.values);
  return others.length === 0 ? name : undefined;
}

/** Whether rows are named by their only member; undefined where one row alone can't tell. */
export function areKeyed([one, other]: readonly TableItem[]): boolean | undefined {
  if (one === undefined) return undefined;
  const name = onlyName(one);
  if (name === undefined) return false;
  if (other === undefined) return undefined;
  const next = onlyName(other);
  return next !== undefined && next !== name;
}

export function keyed(item: TableItem): TableItem {
  const key = onlyName(item);
  if (item.kind !== "row") return item;
  if (key === undefined) {
    return {
      kind: "bad",
      line: item.line,
      problem: "Expected one member, as in the first two rows",
    };
  }
  const value = item.values[key];
  return { ...item, key, values: isObject(value) ? { key, ...value } : { key, value } };
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<Iterable<TableItem>> {
  let line = 0;
  function* itemsOf(contents: readonly string[]): Generator<TableItem> {
    for (const content of contents) {
      line += 1;
      if (content.trim() !== "") yield lineItem(content, line);
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

export function lineItem(content: string, line: number): TableItem {
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
