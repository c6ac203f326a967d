import { comparison } from "../../analysis/comparison/comparison.js";
import type { ComparisonRow } from "../../analysis/comparison/comparison-samples.js";
import { readableComparison } from "../../report/text/comparison-text.js";
import type { RunView } from "../run-view.js";
import type { ScoreTable } from "../score-table.js";
import { peopleAgreement } from "./people-agreement.js";
import type { ComparedMetric, Flips, RunComparison } from "./run-comparison.js";

export interface NamedRun {
  readonly name: string;
  readonly view: RunView;
}

const mostFlips = 100;

/**
 * Compares the generators of runs by each metric, as the verb `compare` does: a row is an image, a prompt
 * the text it was scored against and its role.
 */
export function compareRuns(runs: readonly NamedRun[]): RunComparison {
  const models = new Set<string>();
  const shared = sharedMetrics(runs);
  const agreement = peopleAgreement(shared, promptOf);
  const metrics = shared.map(([name, tables]) => {
    const rows = runs.flatMap((run) => rowsOf(run, tables.get(run), runs.length > 1));
    for (const { model } of rows) models.add(model);
    return { ...comparedMetric(name, rows, { runs, tables }), people: agreement.get(name) ?? null };
  });
  return { models: [...models].sort(), metrics };
}

type TablesByRun = ReadonlyMap<NamedRun, ScoreTable>;

/** The metrics of images against their own text, each with its scores in every run that has it. */
function sharedMetrics(runs: readonly NamedRun[]): [name: string, tables: TablesByRun][] {
  const found = new Map<
    string,
    { metric: string; model: string; tables: Map<NamedRun, ScoreTable> }
  >();
  for (const run of runs) {
    const { rows, tables } = run.view.index;
    for (const table of tables) {
      if (table.against !== "own" && table.against !== "prompt") continue;
      const key = `${table.identity} ${table.against}`;
      const { metric, model } = table.describe(rows.length);
      const known = found.get(key) ?? { metric, model, tables: new Map() };
      known.tables.set(run, table);
      found.set(key, known);
    }
  }
  const all = [...found.values()];
  return all.map(({ metric, model, tables }) => {
    const areNamesakes = all.filter((other) => other.metric === metric).length > 1;
    return [areNamesakes ? `${metric}, ${model}` : metric, tables];
  });
}

function rowsOf(
  { name, view }: NamedRun,
  table: ScoreTable | undefined,
  areSeveral: boolean,
): ComparisonRow[] {
  if (table === undefined) return [];
  const { index } = view;
  const generators = new Set(index.rows.map(({ generator }) => generator));
  const modelOf = (generator: string) => {
    if (!areSeveral) return generator;
    return generators.size === 1 ? name : `${name}: ${generator}`;
  };
  return index.rows.flatMap((row, at) => {
    const score = table.get(at);
    if (score === undefined) return [];
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
): Omit<ComparedMetric, "people"> {
  const direction = [...tables.values()][0]?.direction ?? "higher";
  const conclusion = comparison(rows, { metric: name, direction });
  const readable = readableComparison(conclusion);
  return {
    name,
    verdict: readable.verdict,
    means: Object.fromEntries(
      Object.entries(conclusion.models).map(([model, { n, mean }]) => [model, { ...mean, n }]),
    ),
    wins: conclusion.pairs.map(({ a, b, winRate }) => ({ a, b, winRate })),
    tables: readable.tables,
    warnings: readable.warnings,
    flips: flipsOf(runs, tables),
  };
}

/** Whether a metric prefers the right image may differ between two runs: which images that are. */
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

function verdictsOf({ view, ...run }: NamedRun, tables: TablesByRun) {
  const table = [...tables].find(([one]) => one.view === view && one.name === run.name)?.[1];
  const { rows } = view.index;
  const margins = table === undefined ? undefined : view.marginsOf(table);
  return new Map(
    rows.flatMap(({ text, role, sample, key }, at) => {
      const failed = margins?.failed(at);
      const name = JSON.stringify([promptOf(view, at), text, sample]);
      return failed === undefined ? [] : [[name, { text, role, failed, key }] as const];
    }),
  );
}
