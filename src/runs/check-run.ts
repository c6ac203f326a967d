import { z } from "zod";
import { type MetricSanity, metricSanity } from "../analysis/sanity/metric-sanity.js";
import { type Sanity, sanityVerdict } from "../analysis/sanity/sanity-text.js";
import { type Metric, modelsBehind } from "../core/metric.js";
import { bareName, type Picture } from "../core/models.js";
import type { RecordStore } from "../core/record-store.js";
import { type AnyStep, type Forecast, stepId } from "../core/step.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import { sightsOf } from "../models/sight/sights.js";
import { askWithin } from "./ask-within.js";
import type { Budget } from "./budget.js";
import { askPlacebos, foreseePlacebos, type PlaceboItem, placebosOf } from "./placebos.js";

/** The document of a run that says what its models see and its metrics read. */
const sanityDocument = "sanity.json";

export type ToldSanity = Sanity & { readonly verdict: string };

/** Of a longer run the first so many scores stand for all. */
const mostItems = 20_000;

/** Answers to placebos, by the key of what was drawn: a run that is gone on with asks none twice. */
const keptSchema = z.object({
  answers: z.record(
    z.string(),
    z.object({
      drawn: z.string(),
      foreignScores: z.array(z.number().nullable()),
      blankScores: z.array(z.number().nullable()),
    }),
  ),
});

type Kept = z.output<typeof keptSchema>["answers"];

/**
 * Asks the placebos of the metrics that scored a run, within a budget, and keeps beside the run what was found.
 * What is there already is not asked again.
 */
export async function checkRun(
  run: RecordStore,
  {
    steps,
    meter,
    budget,
    signal,
    openPicture,
    concurrency,
    onForecast,
  }: {
    readonly steps: readonly AnyStep[];
    readonly meter: CallMeter | undefined;
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
    readonly concurrency: number;
    /** Hears what a metric's placebos will ask, where its models' calls can be counted. */
    readonly onForecast: (metric: string, foreseen: Forecast) => void;
  },
): Promise<ToldSanity | undefined> {
  const scoring = steps.flatMap(({ metric, ...step }) =>
    metric ? [{ id: stepId(step), metric }] : [],
  );
  if (scoring.length === 0) return undefined;
  const before = await keptAnswers(run);
  const answers: Kept = {};
  const metrics: Record<string, MetricSanity> = {};
  for (const { id, metric } of scoring) {
    const items = await itemsOf(run, id, openPicture);
    const models = modelsBehind(metric);
    const isFree = models.length > 0 && models.every((model) => meter?.embeds(model));
    const drawn = placebosOf(
      items.map(({ text, hash }) => ({ text, image: hash })),
      { seed: run.recipe.seed, isFree },
    );
    const name = nameOf(metric);
    const key = JSON.stringify([drawn, items.length]);
    const kept = before[name];
    const isKept = kept?.drawn === key;
    if (meter !== undefined && !isKept && models.some((model) => meter.watches(model))) {
      const foreseen = await foreseePlacebos(metric, items, { drawn, meter, signal });
      if (foreseen.calls > 0) onForecast(name, foreseen);
      budget.expect(foreseen);
    }
    const asked =
      kept !== undefined && isKept
        ? { ...drawn, foreignScores: kept.foreignScores, blankScores: kept.blankScores }
        : await askPlacebos(within(metric, budget), items, { drawn, signal, concurrency });
    if (!signal.aborted && budget.over === undefined) {
      const { foreignScores, blankScores } = asked;
      answers[name] = {
        drawn: key,
        foreignScores: [...foreignScores],
        blankScores: [...blankScores],
      };
    }
    metrics[name] = metricSanity(
      items.map(({ text, score = null }) => ({ text, score })),
      asked,
      metric,
    );
  }
  const seen = sightsOf(
    scoring.flatMap(({ metric }) => modelsBehind(metric)),
    meter?.sights,
  );
  // A model that was not asked now saw as it was found to when it answered.
  const recorded = (await sanityOfRun(run))?.models ?? {};
  const models = Object.fromEntries(
    Object.entries(seen).map(([name, one]) => [
      name,
      one.sight.state === "skipped" ? (recorded[name] ?? one) : one,
    ]),
  );
  const sanity = { models, metrics };
  const found = { ...sanity, verdict: sanityVerdict(sanity) };
  const text = JSON.stringify({ ...found, answers: { ...before, ...answers } }, null, 2);
  await run.documents.write(sanityDocument, `${text}\n`);
  return found;
}

/** What was found of a run, as `--json` has it; undefined where nothing was looked for. */
export async function sanityOfRun(
  run: Pick<RecordStore, "documents">,
): Promise<ToldSanity | undefined> {
  const text = await run.documents.read(sanityDocument);
  if (text === undefined) return undefined;
  const { answers, ...found } = JSON.parse(text);
  return found;
}

const nameOf = ({ name, convention, model }: Metric): string =>
  `${name}${convention === undefined ? "" : `:${convention}`}=${bareName(model)}`;

const within = (metric: Metric, budget: Budget): Metric => ({
  ...metric,
  score: (input, options = {}) =>
    askWithin(budget, options, (traced) => metric.score(input, traced)),
});

async function itemsOf(
  run: RecordStore,
  step: string,
  openPicture: (bytes: Uint8Array) => Promise<Picture>,
): Promise<(PlaceboItem & { readonly hash: string })[]> {
  const items: (PlaceboItem & { readonly hash: string })[] = [];
  const fitting = await fittingImages(run);
  for await (const record of run.ofStep(step)) {
    if (record.type !== "score" || !fitting.has(record.of)) continue;
    const { image, text, structure } = record;
    items.push({
      text,
      hash: image,
      ...(structure === undefined ? {} : { structure }),
      score: record.status === "done" ? record.value : null,
      image: async () => openPicture(await run.blobs.read(image)),
    });
    if (items.length === mostItems) break;
  }
  return items;
}

/**
 * Keys of the images that are meant to fit their text. Benchmarks have others made that don't, which are of
 * another role than the first of their prompt.
 */
async function fittingImages(run: RecordStore): Promise<Set<string>> {
  const firstRoles = new Map<string, string>();
  const fitting = new Set<string>();
  for await (const { key, prompt, role } of run.ofType("image")) {
    const first = firstRoles.get(prompt) ?? role;
    firstRoles.set(prompt, first);
    if (role === first) fitting.add(key);
    if (fitting.size === mostItems) break;
  }
  return fitting;
}

async function keptAnswers(run: RecordStore): Promise<Kept> {
  const text = await run.documents.read(sanityDocument);
  return text === undefined ? {} : (keptSchema.safeParse(JSON.parse(text)).data?.answers ?? {});
}
