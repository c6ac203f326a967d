import type { Key } from "../core/keys.js";
import { type UnscoredReason, unscoredReasons } from "../core/unscored.js";

type Check<Value> = (value: unknown) => value is Value;
type Shape = Readonly<Record<string, Check<unknown>>>;
type Shaped<Of extends Shape> = {
  readonly [Name in keyof Of]: Of[Name] extends Check<infer Value> ? Value : never;
};

const text: Check<string> = (value) => typeof value === "string";
const number: Check<number> = (value): value is number =>
  typeof value === "number" && Number.isFinite(value);
const flag: Check<boolean> = (value) => typeof value === "boolean";
const range: Check<readonly [low: number, high: number]> = (value): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(number);
const key: Check<Key> = (value): value is Key => text(value) && /^[0-9a-f]{32}$/.test(value);
const one = <const Value extends string>(...values: readonly Value[]): Check<Value> => {
  const known: ReadonlySet<unknown> = new Set(values);
  return (value): value is Value => known.has(value);
};
const optional =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || check(value);

/**
 * Indexed members of a record's line; all else is read from the line itself, when it is asked for.
 * Checked without copying it, as a schema would: a run has many lines.
 */
const named = {
  key,
  attempt: number,
  status: one("done", "unscored"),
  reason: optional(one<UnscoredReason>(...unscoredReasons)),
  retryable: optional(flag),
};
const model = { model: text, baseUrl: optional(text) };

const shapes = {
  image: {
    type: one("image"),
    ...named,
    ...model,
    prompt: text,
    role: text,
    sample: number,
    text,
    image: optional(text),
    width: optional(number),
    height: optional(number),
  },
  score: {
    type: one("score"),
    ...named,
    ...model,
    of: text,
    text,
    metric: text,
    convention: optional(text),
    template: optional(text),
    statistic: text,
    range,
    direction: one("higher", "lower"),
    trial: number,
    value: optional(number),
  },
  prompt: { type: one("prompt"), ...named, domain: text, text: optional(text) },
  description: {
    type: one("description"),
    ...named,
    set: text,
    text: optional(text),
    swapped: optional(text),
  },
  pair: { type: one("pair"), ...named, subject: optional(text) },
  query: { type: one("query"), ...named, category: text },
};

export type IndexedName = Shaped<typeof named>;
type Shapes = typeof shapes;
export type IndexedOf<Type extends keyof Shapes> = Shaped<Shapes[Type]>;
export type IndexedRecord = { [Type in keyof Shapes]: IndexedOf<Type> }[keyof Shapes];

/** The line of a record: how it stands and, of a type that has a place in the gallery, what it says. */
export interface IndexedLine {
  readonly standing: IndexedName;
  readonly record: IndexedRecord | undefined;
}

/** Undefined for what is no record. */
export function indexedLine(value: unknown): IndexedLine | undefined {
  if (!isObject(value)) return undefined;
  const check = checks.get(value.type);
  if (check !== undefined) return check(value) ? { standing: value, record: value } : undefined;
  return text(value.type) && isNamed(value) ? { standing: value, record: undefined } : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function checkOf<Of extends Shape>(shape: Of): Check<Shaped<Of>> {
  const members = Object.entries(shape);
  return (value): value is Shaped<Of> =>
    isObject(value) && members.every(([name, check]) => check(value[name]));
}

const isNamed = checkOf(named);
const checks: ReadonlyMap<unknown, Check<IndexedRecord>> = new Map<unknown, Check<IndexedRecord>>([
  ["image", checkOf(shapes.image)],
  ["score", checkOf(shapes.score)],
  ["prompt", checkOf(shapes.prompt)],
  ["description", checkOf(shapes.description)],
  ["pair", checkOf(shapes.pair)],
  ["query", checkOf(shapes.query)],
]);
