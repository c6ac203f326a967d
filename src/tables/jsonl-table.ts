import { lostNumber } from "../core/read-json.js";
import { lostText, quoted, type TableItem } from "./format.js";
import { parsedJson } from "./python-json.js";
import { repeatedMember } from "./repeated-member.js";

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

/** A row of columns `key` and `value`, or `key` and those of its object. */
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The row that a line of JSON is. */
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
