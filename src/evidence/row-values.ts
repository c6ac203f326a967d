import { smallestOf } from "../core/arrays.js";
import type { TextOf, ValueOf } from "./set-schema.js";

/** One row, and what its place says of it: parts of the file's path, keys above it. */
export interface PlacedRow {
  readonly row: unknown;
  readonly captured: Readonly<Record<string, string>>;
}

/**
 * Rows of a JSON document.
 *
 * @param pattern keys joined by dots; a star is every key, captured as "0", "1", … from the outside.
 */
export function* rowsAt(document: unknown, pattern: string): Generator<PlacedRow> {
  yield* below(document, pattern.split("."), []);
}

function* below(
  value: unknown,
  [part, ...parts]: readonly string[],
  keys: readonly string[],
): Generator<PlacedRow> {
  if (part === undefined) {
    yield { row: value, captured: Object.fromEntries(keys.map((key, at) => [String(at), key])) };
  } else if (part !== "*") {
    yield* below(memberOf(value, part), parts, keys);
  } else {
    for (const [key, inner] of Object.entries(Object(value))) {
      yield* below(inner, parts, [...keys, key]);
    }
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  Object.hasOwn(Object(value), name) ? Object(value)[name] : undefined;

/** What stands at a path of a row; a text that holds a list is opened on the way. */
function at({ row, captured }: PlacedRow, path: string): unknown {
  const filled = filledIn(path, captured);
  if (filled === "") return opened(row);
  const whole = memberOf(row, filled);
  if (whole !== undefined) return opened(whole);
  return filled.split(".").reduce<unknown>((value, part) => memberOf(opened(value), part), row);
}

function opened(value: unknown): unknown {
  if (typeof value !== "string" || !value.trim().startsWith("[")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const filledIn = (template: string, captured: Readonly<Record<string, string>>): string =>
  template.replace(/\{([^}]*)\}/g, (whole, name: string) => captured[name] ?? whole);

/** The text that a template makes of a row; undefined where a part is missing or nothing matches. */
export function textOf(placed: PlacedRow, spec: TextOf): string | undefined {
  const { text, match } = typeof spec === "string" ? { text: spec, match: undefined } : spec;
  let isWhole = true;
  const made = text.replace(/\{([^}]*)\}/g, (_, path: string) => {
    const found = placed.captured[path] ?? at(placed, path);
    if (typeof found !== "string" && typeof found !== "number") isWhole = false;
    return String(found);
  });
  if (!isWhole) return undefined;
  return match === undefined ? made : new RegExp(match).exec(made)?.slice(1).join("/");
}

/** The number that a row holds; null where it holds no answer. */
export function numberOf(placed: PlacedRow, spec: ValueOf): number | null {
  if (typeof spec === "string") return asNumber(at(placed, spec));
  const { of, words, match, minus, plus = 0, times = 1, take, unless = {} } = spec;
  const isNone = Object.entries(unless).some(([path, start]) =>
    String(at(placed, path)).startsWith(start),
  );
  if (isNone) return null;
  const number = (path: string): number | null => {
    const found = at(placed, path);
    const taken = take === undefined ? found : listed(found, take);
    if (words !== undefined) return wordNumber(taken, words);
    return asNumber(match === undefined ? taken : new RegExp(match).exec(String(taken))?.[1]);
  };
  const value = number(of);
  const less = minus === undefined ? 0 : number(minus);
  return value === null || less === null ? null : (value - less + plus) * times;
}

const wordNumber = (found: unknown, words: Readonly<Record<string, number>>): number | null => {
  const word = String(found).trim();
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
};

function asNumber(found: unknown): number | null {
  if (typeof found === "number") return Number.isFinite(found) ? found : null;
  if (typeof found !== "string" || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(found.trim())) {
    return null;
  }
  return Number(found);
}

/** One number of a list; of a bare number itself; undefined where something in it is none. */
function listed(found: unknown, take: "min" | "mean"): number | undefined {
  const numbers = [found].flat().map(asNumber);
  if (numbers.length === 0 || numbers.some((number) => number === null)) return undefined;
  const known = numbers.map((number) => number ?? 0);
  if (take === "min") return smallestOf(known);
  return known.reduce((sum, number) => sum + number, 0) / known.length;
}

/** The same with captured parts and other names for them, for the names of metrics. */
export const nameOf = (
  template: string,
  captured: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): string =>
  filledIn(
    template,
    Object.fromEntries(Object.entries(captured).map(([key, part]) => [key, names[part] ?? part])),
  );
