import { InputError } from "../core/errors.js";
import { isPlainObject } from "../core/json.js";
import { listText } from "../core/phrases.js";
import { jsonOrNone, lostNumber } from "../core/read-json.js";
import { shellWord } from "../core/shell-word.js";
import { lostText, quoted, type TableItem } from "./format.js";
import { memberOf } from "./nested-value.js";
import { parsedJson } from "./python-json.js";
import { membersTwice } from "./repeated-member.js";

/** A document is held whole, and as objects it takes several times its length. */
const mostCharacters = 50_000_000;

/**
 * Reads the rows of one JSON document, such as an array of objects, or an object of objects.
 *
 * @param content its text: see `wholeText`.
 * @param rows where they stand: names with dots between, * for every member, such as `*.models.*`;
 *   default `*`. A row that is an array has the columns 0, 1, …. Each has the column `key`, unless
 *   it has its own: what the stars stood for, with dots between. A single value for a row has the columns
 *   `key` and `value`, as of `{ "image-1": 0.5 }`.
 * @throws InputError where the document is no JSON, has a member twice, or nothing at `rows`.
 */
export function* readJsonTable(
  content: string,
  { name, rows }: { readonly name: string; readonly rows?: string | undefined },
): Generator<TableItem> {
  const parsed = parse(content, name);
  const root = (rows === undefined && rowsOfColumns(parsed)) || parsed;
  if (rows === undefined) checkIsRows(root, name);
  yield* itemsAt(root, { name, rows: rows ?? "*" });
}

/** Whether a text is an object on each line, and no document: `datasets` and Spark write so into a .json. */
export function isLines(content: string): boolean {
  const [first = "", second = ""] = content.trim().split("\n", 2);
  return second.trimStart().startsWith("{") && isObject(first);
}

/** Rows of a document with names of columns and lists of values apart, as wandb and pandas' orient="split" write. */
function rowsOfColumns(root: unknown): unknown {
  if (!isPlainObject(root)) return undefined;
  const { columns, data } = root;
  if (!Array.isArray(columns) || !Array.isArray(data)) return undefined;
  const isTable =
    columns.every((column) => typeof column === "string") &&
    new Set(columns).size === columns.length &&
    data.every((row) => Array.isArray(row) && row.length === columns.length);
  const rowOf = (row: readonly unknown[]) =>
    Object.fromEntries(columns.map((column, at) => [column, row[at]]));
  return isTable ? data.map(rowOf) : undefined;
}

/** @throws InputError where the rows stand in one member of an object, beside facts about them. */
function checkIsRows(root: unknown, name: string): void {
  if (!isPlainObject(root)) return;
  const members = Object.entries(root);
  if (Array.isArray(root.columns) && Array.isArray(root.data)) {
    throw new InputError(
      `Expected rows in ${name} but found their columns and values apart (pandas' orient="split")`,
      { hint: 'Write rows: df.to_json(FILE, orient="records")' },
    );
  }
  const own = members.filter(([, member]) => isRowList(member)).map(([key]) => key);
  // Objects alone are rows by their ids, whatever lists they hold.
  const below =
    own.length > 0 || members.every(([, member]) => isPlainObject(member))
      ? []
      : members.flatMap(([key, member]) =>
          Object.entries(isPlainObject(member) ? member : {})
            .filter(([, value]) => isRowList(value))
            .map(([inner]) => `${key}.${inner}`),
        );
  const rowsOf = (path: string) => [...membersAt(root, [...path.split("."), "*"])];
  const lists = [...own, ...below].sort((a, b) => rowsOf(b).length - rowsOf(a).length);
  const [list] = lists;
  const isCoco = own.includes("images") && own.includes("annotations");
  if (list === undefined || (own.length > 1 && own.length === members.length && !isCoco)) return;
  const row = rowsOf(list)[0]?.value;
  const inner = isPlainObject(row) && isPlainObject(row.row) ? ".row" : "";
  throw new InputError(
    `Expected rows in ${name} but found an object with rows in ${listText(lists)}`,
    {
      hint: isCoco
        ? 'COCO names images by number: join their files first (pandas: pd.DataFrame(d["annotations"]).merge(pd.DataFrame(d["images"]), left_on="image_id", right_on="id"))'
        : `Name the path to them: --rows ${shellWord(`${list}.*${inner}`)}; or write them alone: jq -c ${shellWord(`${jqPath(list)}[]${inner}`)} ${shellWord(name)}`,
    },
  );
}

/** A path as jq writes it, which takes `.a-b` for a difference. */
const jqPath = (path: string): string =>
  path
    .split(".")
    .map((name) => `.${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}`)
    .join("");

const isRowList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((row) => row instanceof Object);

function* itemsAt(
  root: unknown,
  { name, rows }: { readonly name: string; readonly rows: string },
): Generator<TableItem> {
  let line = 0;
  let areSingle: boolean | undefined;
  for (const { keys, value } of membersAt(root, rows.split("."))) {
    line += 1;
    const key = keys.join(".");
    const isSingle = typeof value !== "object" || value === null;
    areSingle ??= isSingle;
    if (isSingle !== areSingle) {
      const expected = areSingle ? "a single value" : "an object or array";
      const problem = `Expected ${expected} for a row but received ${quoted(value)}`;
      yield { kind: "bad", line, problem };
    } else if (isSingle) {
      yield { kind: "row", line, key, values: { key, value } };
    } else {
      const values = Object.fromEntries(Object.entries(value));
      if (!Object.hasOwn(values, "key")) values.key = key;
      yield { kind: "row", line, key, values };
    }
  }
  if (line === 0 && !isEmpty(root)) {
    throw new InputError(`Expected rows at ${rows} in ${name} but there are none`, {
      hint: "Give the path to the rows, with * for every member: --rows data.*",
    });
  }
}

/** A document's whole text. @throws InputError where it is too long to be held. */
export async function wholeText(text: AsyncIterable<string>, name: string): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of text) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostCharacters) {
      throw new InputError(
        `Expected a JSON document of at most ${mostCharacters / 1e6} million characters ` +
          `but received more (in ${name})`,
        { hint: "JSONL may have any length: jq -c '.[]' document.json > rows.jsonl" },
      );
    }
  }
  return pieces.join("");
}

function parse(content: string, name: string): unknown {
  if (content.trim() === "") return [];
  const lost = lostNumber(content);
  if (lost !== undefined) {
    const line = content.slice(0, content.indexOf(lost)).split("\n").length;
    throw new InputError(`${lostText(lost)} (in ${name}, line ${line})`);
  }
  try {
    const root = parsedJson(content);
    const [twice] = membersTwice(content, root);
    if (twice === undefined) return root;
    throw new InputError(
      `Expected each member of an object once but ${quoted(twice.name)} is there twice (in ${name})`,
      { hint: "Readers keep only the last: write one object for each row, each member once" },
    );
  } catch (error) {
    if (error instanceof InputError) throw error;
    const [first = ""] = content.trimStart().split("\n", 1);
    const reason = error instanceof Error ? error.message : String(error);
    const isPython = /^[[{]\s*\{?\s*'/.test(content.trimStart());
    throw new InputError(
      isObject(first)
        ? `Expected one JSON document but received several (in ${name}, line 2)`
        : `Expected a JSON document but it breaks off or is malformed: ${quoted(reason)} (in ${name}, line ${lineOf(reason, content)})`,
      isObject(first)
        ? { hint: "One object on each line is JSONL: --format jsonl" }
        : isPython
          ? { hint: "It is as Python prints objects: write it by json.dump" }
          : { hint: "Write the file again: its end may be missing" },
    );
  }
}

const isObject = (line: string): boolean => jsonOrNone(line) instanceof Object;

/** The engine says at which character it gave up. */
function lineOf(reason: string, content: string): number {
  const at = Number(/position (\d+)/.exec(reason)?.[1] ?? content.length);
  return content.slice(0, at).split("\n").length;
}

const isEmpty = (root: unknown) => root instanceof Object && Object.keys(root).length === 0;

/** Values at a path, in order; `keys` are the names that its stars stood for. */
function* membersAt(
  value: unknown,
  [first, ...rest]: readonly string[],
): Generator<{ keys: string[]; value: unknown }> {
  if (first === undefined) yield { keys: [], value };
  else if (first !== "*") {
    const member = memberOf(value, first);
    if (member !== undefined) yield* membersAt(member.value, rest);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      for (const found of membersAt(member, rest)) {
        yield { keys: [key, ...found.keys], value: found.value };
      }
    }
  }
}
