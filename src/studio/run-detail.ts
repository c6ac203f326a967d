import { benchmarkOf } from "../benchmarks/benchmarks.js";
import { stereotypes } from "../benchmarks/stereotypes/benchmark.js";
import type { Facet, RunDetail } from "./api.js";
import type { FoundRun } from "./run-list.js";
import type { RunView } from "./run-view.js";
import { concludedFrom, listedRun } from "./runs.js";

/** Collects what the page of a run says, and its gallery's filters. */
export async function runDetail(found: FoundRun, view: RunView, path: string): Promise<RunDetail> {
  const { index } = view;
  const { recipe } = index.run;
  const benchmark = benchmarkOf(recipe);
  const { verdict: sentences, report, concludedIn } = await concludedFrom(found);
  const traces = await view.traces();
  const workers = await index.run.workers();
  // What is worked out from half a run is worked out again: until it is read, its page shows how far that is.
  const { rows, tables } = index.progress.isReady ? index : { rows: [], tables: [] };
  const columns = tables.map((table) => ({
    ...table.describe(rows.length),
    hasMargin: view.marginsOf(table).size > 0,
  }));
  const withoutAnswer = tables.filter((_, at) => (columns[at]?.unscored ?? 0) > 0);
  return {
    ...(await listedRun(found)),
    path,
    sentences,
    commands: recipe.commands,
    seed: recipe.seed,
    software: recipe.software,
    models: recipe.models,
    steps: index.steps.map((step) => ({
      ...step,
      planned: traces.get(step.step)?.planned ?? null,
      rate: traces.get(step.step)?.rate ?? null,
      cost: traces.get(step.step)?.cost ?? null,
    })),
    atWork: workers.map(({ who }) => who),
    index: index.progress,
    images: index.rows.length,
    columns,
    domains: facets(rows.map((row) => index.originOf(row)?.domain)),
    roles: facets(rows.map(({ role }) => role)),
    generators: facets(rows.map(({ generator }) => generator)),
    reasons: facets(
      rows.flatMap(({ reason }, at) => [
        ...new Set([reason, ...withoutAnswer.map((one) => one.get(at)?.reason)]),
      ]),
    ),
    pairs: index.progress.isReady ? view.pairs.length : 0,
    hasReport: report !== undefined && concludedIn === undefined,
    isAudit: benchmark === stereotypes,
    hasCards: benchmark?.cards !== undefined && columns.length > 0,
  };
}

/** How often each value stands among those of images, most first. */
function facets(values: readonly (string | null | undefined)[]): readonly Facet[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    if (typeof value === "string") counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, images]) => ({ value, images }))
    .sort((a, b) => b.images - a.images || (a.value < b.value ? -1 : 1));
}
