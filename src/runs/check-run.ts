import { z } from "zod";
import type { MetricSanity } from "../analysis/sanity/metric-sanity.js";
import { sanityVerdict } from "../analysis/sanity/sanity-text.js";
import type { JsonObject } from "../core/json.js";
import type { Metric } from "../core/metric.js";
import type { CallOptions, Picture } from "../core/models.js";
import type { RecordStore } from "../core/record-store.js";
import type { AnyStep, Forecast } from "../core/step.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import { sightsOf } from "../models/sight/sights.js";
import { askWithin } from "./ask-within.js";
import type { Budget } from "./budget.js";
import { subjectsOf } from "./check-subjects.js";
import { answers, foreseeQuestions } from "./placebos.js";
import { sanityDocument, sanityOfRun, type ToldSanity } from "./run-sanity.js";

/** Answers to placebos, by the name of who gave them: a run that is gone on with asks none twice. */
const keptSchema = z.object({
  answers: z.record(
    z.string(),
    z.object({ drawn: z.string(), answers: z.array(z.number().nullable()) }),
  ),
});

type Kept = z.output<typeof keptSchema>["answers"];

/**
 * Asks the placebos of the metrics and the judges of pairs of a run, within a budget, and keeps beside the run what was found.
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
    nameOf,
    onTrace,
    onForecast,
  }: {
    readonly steps: readonly AnyStep[];
    readonly meter: CallMeter | undefined;
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
    readonly concurrency: number;
    /** Names a metric in what was found; by default by itself and its model. */
    readonly nameOf?: (metric: Metric) => string;
    /** Receives every note on a call. */
    readonly onTrace?: (entry: JsonObject) => void;
    /** Hears what a metric's placebos will ask, where its models' calls can be counted. */
    readonly onForecast: (metric: string, foreseen: Forecast) => void;
  },
): Promise<ToldSanity | undefined> {
  const subjects = await subjectsOf(run, steps, {
    openPicture,
    nameOf,
    isFree: (models) => models.length > 0 && models.every((model) => meter?.embeds(model)),
  });
  if (subjects.length === 0) return undefined;
  const before = await keptAnswers(run);
  const kept: Kept = {};
  const metrics: Record<string, MetricSanity> = {};
  for (const { name, models, drawn, questions, conclude } of subjects) {
    const standing = before[name]?.drawn === drawn ? before[name].answers : undefined;
    if (
      meter !== undefined &&
      standing === undefined &&
      models.some((model) => meter.watches(model))
    ) {
      const foreseen = await foreseeQuestions(questions, { meter, signal });
      if (foreseen.calls > 0) onForecast(name, foreseen);
      budget.expect(foreseen);
    }
    const within = questions.map(
      (ask) => (options: CallOptions) => askWithin(budget, options, ask),
    );
    const found =
      standing ??
      (await answers(within, { signal, concurrency, ...(onTrace && { trace: onTrace }) }));
    if (!signal.aborted && budget.over === undefined) kept[name] = { drawn, answers: found };
    metrics[name] = conclude(found);
  }
  const seen = sightsOf(
    subjects.flatMap(({ models }) => models),
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
  const text = JSON.stringify({ ...found, answers: { ...before, ...kept } }, null, 2);
  await run.documents.write(sanityDocument, `${text}\n`);
  return found;
}

async function keptAnswers(run: RecordStore): Promise<Kept> {
  const text = await run.documents.read(sanityDocument);
  return text === undefined ? {} : (keptSchema.safeParse(JSON.parse(text)).data?.answers ?? {});
}
