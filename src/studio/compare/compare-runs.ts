import { comparison } from "../../analysis/comparison/comparison.js";
import type { ComparisonRow } from "../../analysis/comparison/comparison-samples.js";
import { correlation } from "../../analysis/correlation/correlation.js";
import {
  type ExcludedTriplets,
  excludedWarnings,
  tripletOf,
} from "../../analysis/pairs/image-pairs.js";
import { comparisonView } from "../../conclusions/compare/view.js";
import type { Estimate } from "../../stats/estimate.js";
import type { ViewTable } from "../../views/view.js";
import type { ScoreColumn } from "../api.js";
import { columnName, nameApart } from "../column-name.js";
import type { RunView } from "../run-view.js";
import type { ScoreTable } from "../score-table.js";

export interface NamedRun {
  readonly id: string;
  readonly name: string;
  readonly view: RunView;
  /** Triplets that no figure counts. */
  readonly excluded: ExcludedTriplets;
}

/** Whether an image counts: its triplet was not excluded by hand. */
export const isCounted = ({ view, excluded }: Pick<NamedRun, "view" | "excluded">, at: number) => {
  const row = view.index.rows[at];
  return excluded.size === 0 || row === undefined || !excluded.has(tripletOf(row));
};

const mostFlips = 100;

/**
 * Compares the generators of runs by each metric, as the verb `compare` does: a row is an image, a prompt
 * the text it was scored against and its role.
 */
export function compareRuns(runs: readonly NamedRun[]): RunComparison {
  const models = new Set<string>();
  const shared = sharedMetrics(runs);
  const agreement = peopleAgreement(shared, promptOf);
  const generators = new Map(runs.map((run) => [run, generatorsOf(run)]));
  const metrics = shared.map(([name, tables]) => {
    const images: Record<string, ComparedImages> = {};
    const rows = runs.flatMap((run) => {
      const table = tables.get(run);
      if (table === undefined) return [];
      const found = generators.get(run) ?? [];
      const modelOf = (generator: string) => modelName(run, generator, { runs, found });
      for (const generator of found) {
        images[modelOf(generator)] = { run: run.id, generator, column: table.id };
      }
      return rowsOf(run, table, modelOf);
    });
    for (const { model } of rows) models.add(model);
    return {
      ...comparedMetric(name, rows, { runs, tables }),
      images,
      people: agreement.get(name) ?? null,
    };
  });
  const inOrder = runs.flatMap((run) => {
    const found = generators.get(run) ?? [];
    return found.map((generator) => modelName(run, generator, { runs, found })).sort();
  });
  const excluded = runs.flatMap(({ name, excluded }) => {
    const [warning] = excludedWarnings(excluded);
    return warning === undefined ? [] : [runs.length === 1 ? warning : `${name}: ${warning}`];
  });
  return { models: inOrder.filter((model) => models.has(model)), metrics, excluded };
}

type TablesByRun = ReadonlyMap<NamedRun, ScoreTable>;

/** The metrics of images against their own text, each with its scores in every run that has it. */
export function sharedMetrics(runs: readonly NamedRun[]): [name: string, tables: TablesByRun][] {
  const found = new Map<
    string,
    { column: Omit<ScoreColumn, "hasMargin">; tables: Map<NamedRun, ScoreTable> }
  >();
  for (const run of runs) {
    const { rows, tables } = run.view.index;
    for (const table of tables) {
      if (table.against !== "own" && table.against !== "prompt") continue;
      const key = `${table.identity} ${table.against}`;
      const known = found.get(key) ?? { column: table.describe(rows.length), tables: new Map() };
      known.tables.set(run, table);
      found.set(key, known);
    }
  }
  const all = [...found.values()].map(({ column }) => column);
  return [...found.values()].map(({ column, tables }) => [columnName(column, all), tables]);
}

const generatorsOf = ({ view }: NamedRun): readonly string[] => [
  ...new Set(view.index.rows.map(({ generator }) => generator)),
];

/** Names a run's generator: by its run, and by both where a run has several. */
function modelName(
  { name }: NamedRun,
  generator: string,
  { runs, found }: { readonly runs: readonly NamedRun[]; readonly found: readonly string[] },
): string {
  if (runs.length === 1) return nameApart(generator, found);
  return found.length === 1 ? name : `${name}: ${nameApart(generator, found)}`;
}

function rowsOf(
  run: NamedRun,
  table: ScoreTable,
  modelOf: (generator: string) => string,
): ComparisonRow[] {
  const { view } = run;
  return view.index.rows.flatMap((row, at) => {
    const score = table.get(at);
    if (score === undefined || !isCounted(run, at)) return [];
    return [{ model: modelOf(row.generator), prompt: promptOf(view, at), score: score.value }];
  });
}

function promptOf({ index }: RunView, at: number): string {
  const row = index.rows[at];
  if (row === undefined) return "";
  return JSON.stringify([index.originOf(row)?.text ?? row.text, row.role]);
}

function comparedMetric(
  name: string,
  rows: readonly ComparisonRow[],
  { runs, tables }: { readonly runs: readonly NamedRun[]; readonly tables: TablesByRun },
): Omit<ComparedMetric, "people" | "images"> {
  const direction = [...tables.values()][0]?.direction ?? "higher";
  const conclusion = comparison(rows, { metric: name, direction });
  const { verdict, tables: shown, caveats } = comparisonView(conclusion);
  return {
    name,
    verdict,
    means: Object.fromEntries(
      Object.entries(conclusion.models).map(([model, { n, mean }]) => [model, { ...mean, n }]),
    ),
    wins: conclusion.pairs.map(({ a, b, winRate }) => ({ a, b, winRate })),
    tables: shown,
    warnings: caveats,
    flips: flipsOf(runs, tables),
  };
}

/**
 * Counts the images on which two runs differ in whether a metric prefers the right one; null unless two
 * runs can be compared.
 */
function flipsOf(runs: readonly NamedRun[], tables: TablesByRun): Flips | null {
  const [before, after] = runs;
  if (before === undefined || after === undefined || runs.length !== 2) return null;
  const [first, second] = [verdictsOf(before, tables), verdictsOf(after, tables)];
  const shared = [...second].filter(([name]) => first.has(name));
  const flipped = shared.flatMap(([name, now]) => {
    const old = first.get(name);
    if (old === undefined || old.failed === now.failed) return [];
    const { text, role, failed, key } = now;
    return [{ text, role, isNowRight: !failed, before: old.key, after: key }];
  });
  const nowRight = flipped.filter(({ isNowRight }) => isNowRight).length;
  return {
    shared: shared.length,
    nowRight,
    nowWrong: flipped.length - nowRight,
    items: flipped.slice(0, mostFlips),
  };
}

function verdictsOf(run: NamedRun, tables: TablesByRun) {
  const { view } = run;
  const table = [...tables].find(([one]) => one.view === view && one.name === run.name)?.[1];
  const { rows } = view.index;
  const margins = table === undefined ? undefined : view.marginsOf(table);
  return new Map(
    rows.flatMap(({ text, role, sample, key }, at) => {
      const failed = isCounted(run, at) ? margins?.failed(at) : undefined;
      const name = JSON.stringify([promptOf(view, at), text, sample]);
      return failed === undefined ? [] : [[name, { text, role, failed, key }] as const];
    }),
  );
}

/** A metric by its name, with its scores in each run that has it. */
type Compared = readonly [
  name: string,
  tables: ReadonlyMap<Pick<NamedRun, "view" | "excluded">, ScoreTable>,
];

/**
 * Correlates each metric with people's ratings, as `analyze correlation` does, over the images that people
 * rated. Metrics where lower is better are negated. Empty where nobody rated.
 *
 * @param promptOf the cluster of an image
 */
function peopleAgreement(
  compared: readonly Compared[],
  promptOf: (view: RunView, at: number) => string,
): ReadonlyMap<string, PeopleAgreement> {
  const isPeople = ([, tables]: Compared) => [...tables.values()].some((one) => one.isByPeople);
  const [people] = compared.filter(isPeople);
  const metrics = compared.filter((one) => !isPeople(one));
  if (people === undefined || metrics.length === 0) return new Map();
  const rows = [...people[1]].flatMap(([run, ratings]) =>
    run.view.index.rows.flatMap(({ key }, at) => {
      const human = ratings.value(at);
      if (Number.isNaN(human) || !isCounted(run, at)) return [];
      const scores = metrics.map(([, tables]) => {
        const table = tables.get(run);
        const value = table?.value(at) ?? Number.NaN;
        if (Number.isNaN(value)) return null;
        return table?.direction === "lower" ? -value : value;
      });
      return [{ id: key, prompt: promptOf(run.view, at), human, scores }];
    }),
  );
  const names = metrics.map(([name]) => name);
  const conclusion = correlation({ human: people[0], metrics: names, rows });
  return new Map(
    Object.entries(conclusion.metrics).map(([name, { n, kendallTauB, pairwiseAccuracy }]) => [
      name,
      { n, kendallTauB, pairwiseAccuracy },
    ]),
  );
}

/** Models by every metric, of one run or of several runs. */
export interface RunComparison {
  /** Generators, of several runs with the run's name before. */
  readonly models: readonly string[];
  readonly metrics: readonly ComparedMetric[];
  /** How many triplets were excluded by hand, and why: no figure counts them. */
  readonly excluded: readonly string[];
}

/** Models compared by one metric. */
export interface ComparedMetric {
  readonly name: string;
  readonly verdict: string;
  /** Mean score of each model that was scored, with its interval. */
  readonly means: Readonly<Record<string, Estimate & { readonly n: number }>>;
  /** By model, where the images that its mean is of are to be seen. */
  readonly images: Readonly<Record<string, ComparedImages>>;
  /** How well it follows people, on the images that they rated; null where they rated none. */
  readonly people: PeopleAgreement | null;
  /** Share of shared prompts on which a beats b, ties half. */
  readonly wins: readonly { readonly a: string; readonly b: string; readonly winRate: Estimate }[];
  readonly tables: readonly ViewTable[];
  readonly warnings: readonly string[];
  /** For two runs: what the metric gets right in one and wrong in the other; null for any other number. */
  readonly flips: Flips | null;
}

/** A model's images in a run's gallery, and the column of the metric's scores there. */
interface ComparedImages {
  readonly run: string;
  readonly generator: string;
  readonly column: string;
}

/** How well a metric follows people. */
interface PeopleAgreement {
  /** Images that both scored. */
  readonly n: number;
  readonly kendallTauB: Estimate;
  /** Share of pairs of images that it puts in people's order. */
  readonly pairwiseAccuracy: Estimate;
}

export interface Flips {
  /** Images that both runs have a verdict on. */
  readonly shared: number;
  readonly nowRight: number;
  readonly nowWrong: number;
  /** The first of them. */
  readonly items: readonly {
    readonly text: string;
    readonly role: string;
    readonly isNowRight: boolean;
    /** The image in either run. */
    readonly before: string;
    readonly after: string;
  }[];
}
