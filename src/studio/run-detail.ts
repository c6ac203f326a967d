import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import {
  modelsAsked,
  type Sanity,
  sanityName,
  sanityVerdict,
} from "../analysis/sanity/sanity-text.js";
import { hasStep } from "../benchmarks/benchmark.js";
import type { RunFilter } from "../benchmarks/prototypicality/run-filter.js";
import type { Recipe } from "../core/recipe.js";
import type { Worker } from "../core/record-store.js";
import { sanityOfRun } from "../runs/run-sanity.js";
import type { Facet, RunDetail, ScoreColumn } from "./api.js";
import { isKeptBy, type RunView } from "./run-view.js";
import { concludedFrom, type FoundRun, listedRun, stepsOf } from "./runs.js";

/** Collects what the page of a run says, and its gallery's filters. */
export async function runDetail(found: FoundRun, view: RunView, path: string): Promise<RunDetail> {
  const { index } = view;
  const { recipe } = index.run;
  // Its steps take long to load, and the list of runs needs none.
  const { benchmarkOf } = await import("../benchmarks/benchmarks.js");
  const benchmark = benchmarkOf(recipe);
  const { verdict: sentences, report, concludedIn } = await concludedFrom(found);
  const traces = await view.traces();
  const workers = await index.run.workers();
  const listed = await listedRun(found);
  const filter = await plannedFilter(recipe);
  const sanity = await sanityOfRun(index.run);
  // Nothing is waited for from here on: what is shown of the run and how much of it was read belong together.
  const { progress } = index;
  // What is worked out from half a run is worked out again: until it is read, its page shows how far that is.
  const { rows, tables } = progress.isReady ? index : { rows: [], tables: [] };
  const columns = tables.map((table) => {
    const column = table.describe(rows.length);
    const name = sanityName(column);
    const findings = sanity?.metrics[name]?.findings ?? [];
    const defect = findings.find(({ severity }) => severity === "defect")?.text;
    const unseeing = sanity && unseeingText(modelsAsked(sanity.models, name));
    const hasMargin = view.marginsOf(table).size > 0;
    return {
      ...column,
      hasMargin,
      ...(defect === undefined ? {} : { defect }),
      ...(unseeing === undefined ? {} : { unseeing }),
    };
  });
  const withoutAnswer = tables.filter((_, at) => (columns[at]?.unscored ?? 0) > 0);
  return {
    ...listed,
    path,
    sentences,
    ...(sanity === undefined ? {} : { sanity: sanity.verdict }),
    commands: recipe.commands,
    seed: recipe.seed,
    software: recipe.software,
    models: recipe.models,
    steps: stepsOf(index, traces),
    ...atWork(workers),
    index: progress,
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
    pairs: progress.isReady ? view.pairs.length : 0,
    ...(progress.isReady ? filterOf(view, { columns, filter }) : {}),
    hasReport: report !== undefined && concludedIn === undefined,
    isAudit: benchmark?.name === "stereotypes",
    hasCards: benchmark?.cards !== undefined && columns.length > 0,
  };
}

/** Says which models are blind, or not shown to see; undefined where none is. */
function unseeingText(models: Sanity["models"]): string | undefined {
  const told = Object.entries(models).filter(([, { sight }]) =>
    ["blind", "unclear"].includes(sight.state),
  );
  if (told.length === 0) return undefined;
  return sanityVerdict({ models: Object.fromEntries(told), metrics: {} });
}

const isRated = hasStep("rate-images");

/** The filter of a recipe that has ratings. */
async function plannedFilter(recipe: Recipe): Promise<RunFilter | undefined> {
  if (!isRated(recipe)) return undefined;
  // Loaded for a run that has one.
  const { runFilter } = await import("../benchmarks/prototypicality/run-filter.js");
  return runFilter({ scores: [] }, recipe);
}

/** The filter that a benchmark's run put its pairs through, once it has rated an image. */
function filterOf(
  { index, pairs }: RunView,
  {
    columns,
    filter,
  }: { readonly columns: readonly ScoreColumn[]; readonly filter: RunFilter | undefined },
): Pick<RunDetail, "filter"> {
  if (filter === undefined || filter.selection.name === "unfiltered") return {};
  const { selection, description } = filter;
  const { metric, atLeast: keepFrom } = selection;
  const rated = columns.find(
    (one) => one.metric === metric && one.against === "own" && one.trial === 0,
  );
  const table = rated && index.table(rated.id);
  if (table === undefined) return {};
  const kept = pairs.filter(isKeptBy(table, keepFrom)).length;
  return { filter: { column: table.id, keepFrom, kept, description } };
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

/** Milliseconds between two looks at a run; the first is soon followed by another. */
const between = 700;
const afterFirst = 450;

/**
 * Tells a page whenever a run has grown or somebody began or ended work on it, as server-sent events
 * named `run`. Nothing is sent that the page could not ask for: it asks anew for what it shows.
 */
export const runEvents = (
  context: Context,
  view: RunView,
  signal: AbortSignal | undefined,
): Response =>
  streamSSE(context, async (stream) => {
    const { index } = view;
    let sent = "";
    while (!stream.aborted && !stream.closed && signal?.aborted !== true) {
      await index.refresh();
      const { version, steps } = index;
      const data = JSON.stringify({ version, ...atWork(await index.run.workers()), steps });
      if (data !== sent) await stream.writeSSE({ event: "run", data });
      // The page has what it asked for first, and its run stands still.
      else await view.prepare(setImmediate);
      await stream.sleep(sent === "" ? afterFirst : between);
      sent = data;
    }
  });

/** Who is at work on a run. `silent` is always empty: only a database knew whom it had not heard of. */
const atWork = (workers: readonly Worker[]): Pick<RunDetail, "atWork" | "silent"> => ({
  atWork: workers.map(({ who }) => who),
  silent: [],
});
