import { z } from "zod";
import type { PlaceboSource } from "../analysis/sanity/draw-placebos.js";
import { type MetricSanity, metricSanity } from "../analysis/sanity/metric-sanity.js";
import { drawDyads, pairSanity } from "../analysis/sanity/pair-sanity.js";
import { sanityName, sanityVerdict } from "../analysis/sanity/sanity-text.js";
import { isNotWhole, wholeInputs } from "../analysis/sanity/whole-inputs.js";
import type { JsonObject } from "../core/json.js";
import type { Hash } from "../core/keys.js";
import { type Metric, modelsBehind, type PairJudge } from "../core/metric.js";
import type { CallOptions, Picture } from "../core/models.js";
import type { RecordStore } from "../core/record-store.js";
import type { DoneRecord } from "../core/records.js";
import { type AnyStep, type Forecast, stepId } from "../core/step.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import { sightsOf } from "../models/sight/sights.js";
import { askWithin, type Budget } from "./budget.js";
import {
  answers,
  foreseeQuestions,
  type PlaceboItem,
  placeboQuestions,
  placeboScores,
  placebosOf,
  type Question,
} from "./placebos.js";
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

/** What is checked of a run: a metric, or a judge of pairs. */
interface Subject {
  readonly name: string;
  /** Its models, as `modelsBehind` has them. */
  readonly models: readonly string[];
  /** Tells what was drawn: the questions are the same where this is. */
  readonly drawn: string;
  readonly questions: readonly Question[];
  conclude(answers: readonly (number | null)[]): MetricSanity;
}

/** Of a longer run the first so many records stand for all. */
const mostItems = 20_000;

interface Means {
  readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
  readonly nameOf?: ((metric: Metric) => string) | undefined;
  /** Whether the models behind a metric are asked nothing more by a foreign text. */
  readonly isFree: (models: readonly string[]) => boolean;
}

/** The metrics and judges of pairs of a run's steps, with what is asked to check them. */
async function subjectsOf(
  run: RecordStore,
  steps: readonly AnyStep[],
  means: Means,
): Promise<Subject[]> {
  const subjects = new Map<string, Subject>();
  for (const step of steps) {
    const { metric, judge } = step;
    if (metric !== undefined) {
      const id = stepId(step);
      const subject = await metricSubject(run, { id, metric }, means);
      // A metric may score in several steps.
      const name = subjects.has(subject.name) ? `${subject.name} in ${id}` : subject.name;
      subjects.set(name, { ...subject, name });
    } else if (judge !== undefined && !subjects.has(judgeName(judge))) {
      const subject = await judgeSubject(run, judge, means);
      subjects.set(subject.name, subject);
    }
  }
  return [...subjects.values()];
}

async function metricSubject(
  run: RecordStore,
  { id, metric }: { readonly id: string; readonly metric: Metric },
  { openPicture, nameOf = metricName, isFree }: Means,
): Promise<Subject> {
  const { items, details } = await scoredItems(run, id, openPicture);
  const models = modelsBehind(metric);
  const drawn = placebosOf(items, { seed: run.recipe.seed, isFree: isFree(models) });
  const placeboItems = items.map(({ picture, ...item }) => ({ ...item, image: picture }));
  return {
    name: nameOf(metric),
    models,
    drawn: JSON.stringify([drawn, items.length]),
    questions: placeboQuestions(metric, placeboItems, drawn),
    conclude: (answers) =>
      metricSanity(items, placeboScores(drawn, answers), {
        ...metric,
        whole: wholeInputs(details.filter(isNotWhole), { items: details.length, models }),
      }),
  };
}

interface ScoredItem extends PlaceboSource, Pick<PlaceboItem, "structure"> {
  readonly score: number | null;
  readonly picture: () => Promise<Picture>;
}

async function scoredItems(
  run: RecordStore,
  step: string,
  openPicture: Means["openPicture"],
): Promise<{ items: ScoredItem[]; details: DoneRecord<"score">["details"][] }> {
  const items: ScoredItem[] = [];
  const details: DoneRecord<"score">["details"][] = [];
  const fitting = await fittingImages(run);
  for await (const record of run.ofStep(step)) {
    if (record.type !== "score") continue;
    if (record.status === "done") details.push(record.details);
    if (!fitting.has(record.of)) continue;
    const { image, text, structure } = record;
    items.push({
      text,
      image,
      ...(structure === undefined ? {} : { structure }),
      score: record.status === "done" ? record.value : null,
      picture: async () => openPicture(await run.blobs.read(image)),
    });
    if (items.length === mostItems) break;
  }
  return { items, details };
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

const metricName = (metric: Metric) => sanityName({ ...metric, metric: metric.name });

const judgeName = ({ model }: PairJudge) => sanityName({ metric: "pairs", model });

async function judgeSubject(
  run: RecordStore,
  judge: PairJudge,
  { openPicture }: Means,
): Promise<Subject> {
  const items = await judgedPairs(run);
  const dyads = drawDyads(items, { seed: run.recipe.seed });
  const asked = dyads.flatMap(([one, other], dyad) => [
    { dyad, own: one, foreign: other },
    { dyad, own: other, foreign: one },
  ]);
  const open = async (item: number) => {
    const image = items[item]?.image;
    if (image === undefined) throw new RangeError(`Expected a pair ${item}`);
    return openPicture(await run.blobs.read(image));
  };
  const ask =
    (own: number, first: number, second: number): Question =>
    async (options) =>
      judge.prefersFirst(
        { caption: items[own]?.text ?? "", first: await open(first), second: await open(second) },
        options,
      );
  return {
    name: judgeName(judge),
    models: modelsBehind(judge),
    // Of pairs that came later nothing is asked anew.
    drawn: `${dyads.length} twos`,
    questions: asked.flatMap(({ own, foreign }) => [
      ask(own, own, foreign),
      ask(own, foreign, own),
    ]),
    conclude: (answers) =>
      pairSanity(
        asked.map(({ dyad }, at) => {
          const [ownFirst = null, foreignFirst = null] = answers.slice(2 * at, 2 * at + 2);
          return { dyad, ownFirst, ownSecond: foreignFirst === null ? null : -foreignFirst };
        }),
      ),
  };
}

/** Pairs that were judged, each once, by the first of their images. */
async function judgedPairs(
  run: RecordStore,
): Promise<(PlaceboSource & { readonly image: Hash })[]> {
  const pairs = new Map<string, PlaceboSource & { readonly image: Hash }>();
  for await (const { pair, caption, imageA } of run.ofType("judgment")) {
    pairs.set(pair, { text: caption, image: imageA });
    if (pairs.size === mostItems) break;
  }
  return [...pairs.values()];
}
