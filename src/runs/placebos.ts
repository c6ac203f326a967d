import {
  type DrawnPlacebos,
  drawPlacebos,
  type PlaceboSource,
} from "../analysis/sanity/draw-placebos.js";
import { type MetricSanity, metricSanity } from "../analysis/sanity/metric-sanity.js";
import type { Metric } from "../core/metric.js";
import type { CallOptions, DescribedEntity, Picture } from "../core/models.js";
import type { Forecast } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import { scorePicture } from "../metrics/score-picture.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import { blankImage } from "../models/sight/colour-images.js";
import { inParallel } from "./in-parallel.js";
import { forecast } from "./step-forecast.js";

export interface PlaceboItem {
  readonly text: string;
  readonly image: Picture | (() => Promise<Picture>);
  readonly structure?: readonly DescribedEntity[] | undefined;
  /** The metric's own score, where it is known: null without an answer; asked for where not given. */
  readonly score?: number | null;
}

export interface PlaceboOptions extends CallOptions {
  /** Draws the items; 0 where not given. */
  readonly seed?: string | number;
  /** Asks about every item, where that costs no call. */
  readonly all?: boolean;
  /** Items in hand at a time; 4 where not given. */
  readonly concurrency?: number;
}

/**
 * Checks that a metric reads its texts and looks at its images: some items are asked again with the text of
 * another prompt, and a few with a grey image.
 *
 * @returns what was found; without an answer an item counts for nothing
 * @throws whatever the metric throws that is no `NoAnswer`
 * @example (await placebos(metric, items)).findings // [{ kind: "ignores-text", … }]
 */
export async function placebos(
  metric: Metric,
  items: readonly PlaceboItem[],
  options: PlaceboOptions = {},
): Promise<MetricSanity> {
  const { seed = 0, all = false } = options;
  const drawn = drawPlacebos(
    items.map(({ text, image }, at) => ({
      text,
      image: typeof image === "function" ? `number ${at}` : image.hash,
    })),
    { seed, all },
  );
  const own = await answers(
    metric,
    items.map((item) => (item.score === undefined ? () => shown(item) : item.score)),
    options,
  );
  const asked = await askPlacebos(metric, items, { ...options, drawn });
  const scored = items.map(({ text }, at) => ({ text, score: own[at] ?? null }));
  return metricSanity(scored, asked, metric);
}

/** The scores of placebos that were drawn. */
export async function askPlacebos(
  metric: Metric,
  items: readonly Omit<PlaceboItem, "score">[],
  { drawn, ...options }: PlaceboOptions & { readonly drawn: DrawnPlacebos },
) {
  const tasks = placeboTasks(items, drawn);
  const scores = await answers(metric, tasks, options);
  return {
    ...drawn,
    foreignScores: scores.slice(0, drawn.pairs.length),
    blankScores: scores.slice(drawn.pairs.length),
  };
}

/** Draws placebos: of all items where a foreign text adds no call, as of embeddings that are there already. */
export function placebosOf(
  items: readonly PlaceboSource[],
  { seed, isFree }: { readonly seed: number; readonly isFree: boolean },
): DrawnPlacebos {
  const few = drawPlacebos(items, { seed });
  return isFree ? { ...few, pairs: drawPlacebos(items, { seed, all: true }).pairs } : few;
}

/** Forecasts what placebos ask of a metric, without a call. */
export function foreseePlacebos(
  metric: Metric,
  items: readonly Omit<PlaceboItem, "score">[],
  {
    drawn,
    meter,
    signal,
  }: {
    readonly drawn: DrawnPlacebos;
    readonly meter: CallMeter;
    readonly signal: AbortSignal;
  },
): Promise<Forecast> {
  const tasks = placeboTasks(items, drawn).map((task) => async () => {
    const { image, text, structure } = await task();
    return metric.score({ image, text, ...(structure && { structure }) }, { signal });
  });
  return forecast(meter, tasks, tasks.length);
}

type Task = () => Promise<Omit<PlaceboItem, "image" | "score"> & { readonly image: Picture }>;

/** What is asked of a metric for placebos: foreign texts, then grey images. */
function placeboTasks(
  items: readonly Omit<PlaceboItem, "score">[],
  { pairs, blanks }: DrawnPlacebos,
): Task[] {
  const of = (item: number) => {
    const found = items[item];
    if (found === undefined) throw new RangeError(`Expected an item ${item}`);
    return found;
  };
  return [
    ...pairs.map(({ item, foreign }) => async () => {
      const { text, structure } = of(foreign);
      return { text, structure, image: await pictureOf(of(item)) };
    }),
    ...blanks.map((item) => async () => {
      const { text, structure } = of(item);
      const image = await blankImage(await pictureOf(of(item)));
      return { text, structure, image };
    }),
  ];
}

const pictureOf = async ({ image }: Pick<PlaceboItem, "image">): Promise<Picture> =>
  typeof image === "function" ? image() : image;

const shown = async (item: PlaceboItem) => ({ ...item, image: await pictureOf(item) });

async function answers(
  metric: Metric,
  tasks: readonly (Task | number | null)[],
  { concurrency = 4, signal = new AbortController().signal, trace }: PlaceboOptions,
): Promise<(number | null)[]> {
  const scores = tasks.map((task) => (typeof task === "function" ? null : task));
  await inParallel(tasks.entries(), {
    concurrency,
    signal,
    async work([at, task]) {
      if (typeof task !== "function") return;
      const calling = { signal, ...(trace && { trace }) };
      scores[at] = await scoreOf(metric, task, calling);
    },
  });
  return scores;
}

async function scoreOf(metric: Metric, task: Task, options: CallOptions): Promise<number | null> {
  try {
    const { image, text, structure } = await task();
    const result = await scorePicture(metric, image, text, { ...options, structure });
    return result.status === "scored" ? result.value : null;
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    throw error;
  }
}
