import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { EvidenceItem, EvidenceTable } from "../analysis/evidence/evidence-table.js";
import { type SetFigures, setFigures } from "../analysis/evidence/set-figures.js";
import { smallestOf } from "../core/arrays.js";
import { InputError } from "../core/errors.js";
import { tableOf } from "../tables/bytes.js";
import { optionalText } from "../tables/columns.js";
import { tableRows } from "../tables/table-rows.js";
import type { LocatedSet } from "./locate-files.js";
import type { EvidenceSet, Reading, TextOf, ValueOf } from "./set-schema.js";
import type { ShippedSet } from "./shipped-figures.js";

/** Computes the figures of a set whose files are all there. */
export async function collectSet({ set, paths }: LocatedSet): Promise<ShippedSet> {
  const table = await readSet(set, (path) => paths.get(path) ?? path);
  const figures = setFigures(table);
  const { name, asked, sameImagesAs, repository, year, licence, conventions, trainedOnIt } = set;
  return {
    name,
    asked: asked.for,
    ...(sameImagesAs !== undefined && { sameImagesAs }),
    repository,
    year,
    licence,
    data: dataHash(set),
    conventions,
    trainedOnIt,
    printed: set.printed.map((one) => ({
      what: one.what,
      printed: one.printed,
      right: rightFigure(figures, one),
      why: one.why,
    })),
    ...figures,
  };
}

/** SHA-256 over the hashes of a set's files. */
const dataHash = ({ files }: EvidenceSet): string =>
  createHash("sha256")
    .update(files.map(({ sha256 }) => sha256).join("\n"))
    .digest("hex");

function rightFigure(
  { metrics, judges }: SetFigures,
  { metric, figure }: EvidenceSet["printed"][number],
): number | null {
  const its = judges[metric];
  const [, found] =
    Object.entries({ ...metrics[metric], ...its, ...its?.check }).find(
      ([name]) => name === figure,
    ) ?? [];
  const value: unknown = Object(found).value;
  return typeof value === "number" ? value : null;
}

/** One of several answers to an item, before they become one. */
interface Answer {
  readonly value: number | null;
  readonly question?: string | undefined;
  readonly parents?: readonly string[];
}

interface Gathered {
  prompt?: string | undefined;
  generator?: string | undefined;
  /** By rater. */
  readonly people: Map<string, number | null>;
  readonly scores: Map<string, Answer[]>;
  readonly votes: Map<string, Answer[]>;
  readonly probabilities: Map<string, Answer[]>;
}

const kinds = [
  ["metrics", "scores"],
  ["votes", "votes"],
  ["probabilities", "probabilities"],
] as const;

/**
 * Reads the files of a set as its YAML says.
 *
 * @param pathOf where a file of the set lies on this machine.
 * @throws InputError where a file that is read is not among those listed, or holds no row of the set.
 */
export async function readSet(
  set: EvidenceSet,
  pathOf: (path: string) => string,
): Promise<EvidenceTable> {
  const items = new Map<string, Gathered>();
  const names = { scores: new Set<string>(), votes: new Set<string>(), probabilities: new Set() };
  for (const reading of set.reads) {
    const pattern = filePattern(reading.file);
    const matching = set.files.filter(({ path }) => pattern.test(path));
    if (matching.length === 0) {
      throw new InputError(`Expected a file ${reading.file} in data/evidence/${set.name}.yaml`);
    }
    for (const { path } of matching) {
      const ofFile = pattern.exec(path)?.groups ?? {};
      for await (const placed of placedRows(pathOf(path), path, reading)) {
        const row = { ...placed, captured: { ...ofFile, ...placed.captured } };
        gather(items, row, reading);
        for (const [from, to] of kinds) {
          for (const name of Object.keys(reading[from])) {
            names[to].add(nameOf(name, row.captured, reading.names));
          }
        }
      }
    }
  }
  if (items.size === 0) throw new InputError(`Expected rows in the files of ${set.name}`);
  const raters = ratersOf(items);
  const all = [...items].map(
    ([id, item]): EvidenceItem => ({
      id,
      prompt: item.prompt ?? id,
      generator: item.generator,
      people: (raters.get(item.prompt ?? id) ?? []).map((rater) => item.people.get(rater) ?? null),
      scores: joined(item.scores),
      votes: joined(item.votes),
      probabilities: joined(item.probabilities),
    }),
  );
  return {
    isPairs: set.isPairs,
    items: all,
    metrics: [...names.scores],
    judges: [...names.votes],
  };
}

/** The raters of each prompt: one place is one person for all its images. */
function ratersOf(items: ReadonlyMap<string, Gathered>): Map<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const [id, { prompt = id, people }] of items) {
    const names = found.get(prompt) ?? new Set();
    for (const name of people.keys()) names.add(name);
    found.set(prompt, names);
  }
  return new Map([...found].map(([prompt, names]) => [prompt, [...names]]));
}

/** A path's pattern with a group for each part in braces. */
const filePattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/(\{\w+\})/)
      .map((part) =>
        /^\{\w+\}$/.test(part)
          ? `(?<${part.slice(1, -1)}>[^/]+?)`
          : part.replace(/[.*+?^$()|[\]\\]/g, "\\$&"),
      )
      .join("")}$`,
  );

async function* placedRows(
  file: string,
  name: string,
  { rows, each }: Reading,
): AsyncGenerator<PlacedRow> {
  const text = await readFile(file, "utf8");
  const found = /\.json$/i.test(name) ? rowsAt(JSON.parse(text), rows) : tableRowsOf(text, name);
  for await (const placed of found) {
    if (each === undefined) yield placed;
    else {
      for (const [column, generator] of Object.entries(each)) {
        yield { ...placed, captured: { ...placed.captured, column, generator } };
      }
    }
  }
}

async function* tableRowsOf(text: string, name: string): AsyncGenerator<PlacedRow> {
  const [header = ""] = text.split("\n", 1);
  const [first = ""] = header.split(/[,\t]/);
  const columns = { [first.trim().replace(/^"|"$/g, "")]: optionalText };
  let at = 0;
  for await (const { all } of tableRows({ source: tableOf(name, text), columns })) {
    yield { row: all, captured: { 0: String(at++) } };
  }
}

function gather(items: Map<string, Gathered>, row: PlacedRow, reading: Reading): void {
  const id = textOf(row, reading.item);
  if (id === undefined) return;
  let item = items.get(id);
  if (item === undefined) {
    item = { people: new Map(), scores: new Map(), votes: new Map(), probabilities: new Map() };
    items.set(id, item);
  }
  if (reading.prompt !== undefined) item.prompt ??= textOf(row, reading.prompt);
  if (reading.generator !== undefined) item.generator ??= textOf(row, reading.generator);
  for (const [at, spec] of reading.people.entries()) {
    const rater = reading.rater === undefined ? undefined : textOf(row, reading.rater);
    const name = rater === undefined ? String(item.people.size) : `${rater} ${at}`;
    item.people.set(name, numberOf(row, spec));
  }
  for (const [from, to] of kinds) {
    for (const [template, spec] of Object.entries(reading[from])) {
      const name = nameOf(template, row.captured, reading.names);
      const answers = item[to].get(name) ?? [];
      answers.push(answerOf(row, spec));
      item[to].set(name, answers);
    }
  }
}

function answerOf(row: PlacedRow, spec: ValueOf): Answer {
  const value = numberOf(row, spec);
  if (typeof spec === "string" || spec.question === undefined) return { value };
  const question = textOf(row, `{${spec.question}}`);
  const parents = spec.parents === undefined ? "" : textOf(row, `{${spec.parents}}`);
  return { value, question, parents: (parents ?? "").split(",").map((one) => one.trim()) };
}

/** Answers to several questions of an item as their mean; one is 0 where one that it depends on is. */
const joined = (all: ReadonlyMap<string, readonly Answer[]>): Record<string, number | null> =>
  Object.fromEntries(
    [...all].map(([name, answers]) => {
      const isNo = new Set(
        answers.flatMap(({ value, question }) => (value === 0 ? [question] : [])),
      );
      const values = answers.flatMap(({ value, parents = [] }) =>
        value === null ? [] : [parents.some((parent) => isNo.has(parent)) ? 0 : value],
      );
      const sum = values.reduce((total, value) => total + value, 0);
      return [name, values.length === 0 ? null : sum / values.length];
    }),
  );

/** One row, and what its place says of it: parts of the file's path, keys above it. */
interface PlacedRow {
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
const nameOf = (
  template: string,
  captured: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): string =>
  filledIn(
    template,
    Object.fromEntries(Object.entries(captured).map(([key, part]) => [key, names[part] ?? part])),
  );
