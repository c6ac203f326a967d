import { InputError } from "../core/errors.js";
import { lostNumber } from "../core/lost-number.js";
import { lostText, quoted, type TableItem } from "./format.js";
import { memberOf } from "./nested-value.js";
import { parsedJson } from "./python-json.js";

/** A document is held whole, and as objects it takes several times its length. */
const mostCharacters = 50_000_000;

/**
 * Reads the rows of one JSON document, such as an array of objects, or an object of objects.
 *
 * @param rows where they stand: names with dots between, * for every member, such as `*.models.*`;
 *   default `*`. A row that is an array has the columns 0, 1, …. Each has the column `key`, unless
 *   it has its own: what the stars stood for, with dots between.
 * @throws InputError where the document is no JSON, too long, or has nothing at `rows`.
 */
export async function* readJsonTable(
  text: AsyncIterable<string>,
  { name, rows = "*" }: { readonly name: string; readonly rows?: string | undefined },
): AsyncGenerator<Iterable<TableItem>> {
  const root = parse(await whole(text, name), name);
  yield itemsAt(root, { name, rows });
}

function* itemsAt(
  root: unknown,
  { name, rows }: { readonly name: string; readonly rows: string },
): Generator<TableItem> {
  let line = 0;
  for (const { keys, value } of membersAt(root, rows.split("."))) {
    line += 1;
    if (typeof value !== "object" || value === null) {
      const problem = `Expected an object or array for a row but received ${quoted(value)}`;
      yield { kind: "bad", line, problem };
    } else {
      const values = Object.fromEntries(Object.entries(value));
      const key = keys.join(".");
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

async function whole(text: AsyncIterable<string>, name: string): Promise<string> {
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
    return parsedJson(content);
  } catch (error) {
    const [first = ""] = content.trimStart().split("\n", 1);
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(
      isObject(first)
        ? `Expected one JSON document but received several (in ${name}, line 2)`
        : `Expected a JSON document but received something else: ${quoted(reason)} (in ${name}, line ${lineOf(reason, content)})`,
      isObject(first) ? { hint: "One object on each line is JSONL: --format jsonl" } : {},
    );
  }
}

function isObject(line: string): boolean {
  try {
    return JSON.parse(line) instanceof Object;
  } catch {
    return false;
  }
}

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
