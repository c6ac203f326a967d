import type { PlaceboSource } from "../analysis/sanity/draw-placebos.js";
import { type MetricSanity, metricSanity } from "../analysis/sanity/metric-sanity.js";
import { drawDyads, pairSanity } from "../analysis/sanity/pair-sanity.js";
import { sanityName } from "../analysis/sanity/sanity-text.js";
import { isNotWhole, wholeInputs } from "../analysis/sanity/whole-inputs.js";
import type { Hash } from "../core/keys.js";
import { type Metric, modelsBehind, type PairJudge } from "../core/metric.js";
import type { Picture } from "../core/models.js";
import type { RecordStore } from "../core/record-store.js";
import type { DoneRecord } from "../core/records.js";
import { type AnyStep, stepId } from "../core/step.js";
import {
  type PlaceboItem,
  placeboQuestions,
  placeboScores,
  placebosOf,
  type Question,
} from "./placebos.js";

/** What is checked of a run: a metric, or a judge of pairs. */
export interface Subject {
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
export async function subjectsOf(
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
