import {
  type DrawnPlacebos,
  drawPlacebos,
  type PlaceboSource,
} from "../analysis/sanity/draw-placebos.js";
import {
  type MetricSanity,
  metricSanity,
  type PlaceboScores,
} from "../analysis/sanity/metric-sanity.js";
import type { Metric } from "../core/metric.js";
import type { CallOptions, DescribedEntity, Picture } from "../core/models.js";
import type { Forecast } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import { checkedScore } from "../metrics/score-picture.js";
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
    items.map((item) =>
      item.score === undefined ? scoring(metric, item, () => pictureOf(item)) : item.score,
    ),
    options,
  );
  const asked = await askPlacebos(metric, items, { ...options, drawn });
  const scored = items.map(({ text }, at) => ({ text, score: own[at] ?? null }));
  return metricSanity(scored, asked, metric);
}

/** A question whose answer is a number. */
export type Question = (options: CallOptions) => Promise<number>;

/** The scores of placebos that were drawn. */
async function askPlacebos(
  metric: Metric,
  items: readonly Omit<PlaceboItem, "score">[],
  { drawn, ...options }: PlaceboOptions & { readonly drawn: DrawnPlacebos },
): Promise<PlaceboScores> {
  return placeboScores(drawn, await answers(placeboQuestions(metric, items, drawn), options));
}

/** Answers to `placeboQuestions`, told apart. */
export const placeboScores = (
  drawn: DrawnPlacebos,
  scores: readonly (number | null)[],
): PlaceboScores => ({
  ...drawn,
  foreignScores: scores.slice(0, drawn.pairs.length),
  blankScores: scores.slice(drawn.pairs.length),
});

/** Draws placebos: of all items where a foreign text adds no call, as of embeddings that are there already. */
export function placebosOf(
  items: readonly PlaceboSource[],
  { seed, isFree }: { readonly seed: number; readonly isFree: boolean },
): DrawnPlacebos {
  const few = drawPlacebos(items, { seed });
  return isFree ? { ...few, pairs: drawPlacebos(items, { seed, all: true }).pairs } : few;
}

/** Forecasts what questions ask, without a call. */
export const foreseeQuestions = (
  questions: readonly Question[],
  { meter, signal }: { readonly meter: CallMeter; readonly signal: AbortSignal },
): Promise<Forecast> =>
  forecast(
    meter,
    questions.map((ask) => () => ask({ signal })),
    questions.length,
  );

/** What is asked of a metric for placebos: foreign texts, then grey images. */
export function placeboQuestions(
  metric: Metric,
  items: readonly Omit<PlaceboItem, "score">[],
  { pairs, blanks }: DrawnPlacebos,
): Question[] {
  const of = (item: number) => {
    const found = items[item];
    if (found === undefined) throw new RangeError(`Expected an item ${item}`);
    return found;
  };
  const blank = async (item: number) => blankImage(await pictureOf(of(item)));
  return [
    ...pairs.map(({ item, foreign }) => scoring(metric, of(foreign), () => pictureOf(of(item)))),
    ...blanks.map((item) => scoring(metric, of(item), () => blank(item))),
  ];
}

const scoring =
  (
    metric: Metric,
    { text, structure }: Pick<PlaceboItem, "text" | "structure">,
    imageOf: () => Promise<Picture>,
  ): Question =>
  async (options) => {
    const input = { image: await imageOf(), text, ...(structure && { structure }) };
    return (await checkedScore(metric, input, options)).value;
  };

const pictureOf = async ({ image }: Pick<PlaceboItem, "image">): Promise<Picture> =>
  typeof image === "function" ? image() : image;

/** Asks questions, a few at a time; null where one has no answer. */
export async function answers(
  questions: readonly (Question | number | null)[],
  { concurrency = 4, signal = new AbortController().signal, trace }: PlaceboOptions,
): Promise<(number | null)[]> {
  const found = questions.map((one) => (typeof one === "function" ? null : one));
  await inParallel(questions.entries(), {
    concurrency,
    signal,
    async work([at, ask]) {
      if (typeof ask !== "function") return;
      found[at] = await ask({ signal, ...(trace && { trace }) }).catch((error: unknown) => {
        if (error instanceof NoAnswer) return null;
        throw error;
      });
    },
  });
  return found;
}
