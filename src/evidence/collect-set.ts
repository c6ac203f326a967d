import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { EvidenceItem, EvidenceTable } from "../analysis/evidence/evidence-table.js";
import { type SetFigures, setFigures } from "../analysis/evidence/set-figures.js";
import { InputError } from "../core/errors.js";
import { tableOf } from "../tables/bytes.js";
import { optionalText } from "../tables/columns.js";
import { tableRows } from "../tables/table-rows.js";
import type { LocatedSet } from "./locate-files.js";
import { nameOf, numberOf, type PlacedRow, rowsAt, textOf } from "./row-values.js";
import type { EvidenceSet, Reading, ValueOf } from "./set-schema.js";
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
