import { standingReport } from "../report/pages/standing-report.js";
import type { Facet, RunDetail } from "./api.js";
import type { FoundRun } from "./run-list.js";
import type { RunView } from "./run-view.js";
import { listedRun } from "./runs.js";

/** What the page of a run says, and what its gallery can be filtered by. */
export async function runDetail(found: FoundRun, view: RunView): Promise<RunDetail> {
  const { index } = view;
  const { recipe } = index.run;
  const report = await standingReport(found.place);
  const workers = await index.run.workers();
  const { rows, tables } = index;
  return {
    ...(await listedRun(found)),
    sentences: report?.verdict ?? [],
    commands: recipe.commands,
    seed: recipe.seed,
    software: recipe.software,
    models: recipe.models,
    steps: index.steps,
    atWork: workers.map(({ who }) => who),
    index: index.progress,
    images: rows.length,
    columns: tables.map((table) => ({
      ...table.describe(rows.length),
      hasMargin: view.marginsOf(table).size > 0,
    })),
    domains: facets(rows.map((row) => index.originOf(row)?.domain)),
    roles: facets(rows.map(({ role }) => role)),
    generators: facets(rows.map(({ generator }) => generator)),
    reasons: facets(
      rows.flatMap(({ reason }, at) => [
        ...new Set([reason, ...tables.map((table) => table.get(at)?.reason)]),
      ]),
    ),
    pairs: view.pairs.length,
    hasReport: report !== undefined,
  };
}

/** How many images have each value, most first. */
function facets(values: readonly (string | null | undefined)[]): readonly Facet[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    if (typeof value === "string") counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, images]) => ({ value, images }))
    .sort((a, b) => b.images - a.images || (a.value < b.value ? -1 : 1));
}
