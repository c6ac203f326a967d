import type { DrawnPlacebos } from "../../../analysis/sanity/draw-placebos.js";
import {
  type MetricSanity,
  metricSanity,
  sanitySkipped,
} from "../../../analysis/sanity/metric-sanity.js";
import type { WholeInputs } from "../../../analysis/sanity/whole-inputs.js";
import { type Metric, modelsBehind } from "../../../core/metric.js";
import type { Forecast } from "../../../core/step.js";
import { openPictureFile } from "../../../images/picture-file.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import {
  askPlacebos,
  foreseeQuestions,
  type PlaceboOptions,
  placeboQuestions,
  placebosOf,
} from "../../../runs/placebos.js";
import { together } from "./foresee-scores.js";
import type { ChosenMetric } from "./metric-choice.js";
import { isOwnMetric } from "./named-metric.js";
import type { ScoreItem } from "./score-item.js";

/** Placebos that were drawn for a metric. */
export interface MetricPlacebos {
  readonly name: string;
  readonly drawn: DrawnPlacebos;
  readonly forecast: Forecast | undefined;
}

/** Items that can be asked about, with their place among all. */
const soundOf = (items: readonly ScoreItem[]) =>
  items.flatMap((item, at) => (item.problem === undefined ? [{ item, at }] : []));

const asPlacebo = ({ item }: { readonly item: ScoreItem }) => ({
  text: item.text,
  structure: item.structure,
  image: () => openPictureFile(item.path, item.image),
});

/**
 * Draws the placebos of each metric and forecasts what they ask, without a call: every item where that adds no
 * call, as of embeddings that are there already.
 */
export async function foreseenPlacebos(
  items: readonly ScoreItem[],
  {
    chosen,
    meter,
    signal,
  }: {
    readonly chosen: readonly ChosenMetric[];
    readonly meter: CallMeter;
    readonly signal: AbortSignal;
  },
): Promise<MetricPlacebos[]> {
  const sound = soundOf(items);
  const drawnFrom = sound.map(({ item }) => ({ text: item.text, image: item.path }));
  const few = placebosOf(drawnFrom, { seed: 0, isFree: false });
  const found: MetricPlacebos[] = [];
  for (const { name, metric } of chosen) {
    const models = modelsBehind(metric);
    if (isOwnMetric(name) || !models.some((model) => meter.watches(model))) {
      found.push({ name, drawn: few, forecast: undefined });
      continue;
    }
    const counted = (asked: DrawnPlacebos) =>
      foreseeQuestions(placeboQuestions(metric, sound.map(asPlacebo), asked), { meter, signal });
    const foreign = await counted({ pairs: few.pairs, blanks: [] });
    const grey = await counted({ pairs: [], blanks: few.blanks });
    const isFree = models.every((model) => meter.embeds(model));
    const drawn = isFree ? placebosOf(drawnFrom, { seed: 0, isFree }) : few;
    found.push({ name, drawn, forecast: together(foreign, grey) });
  }
  return found;
}

/** Asks the placebos of metrics and concludes from them, by the name of each metric. */
export async function scorePlacebos(
  items: readonly ScoreItem[],
  {
    placebos,
    metrics,
    scoresOf,
    wholeOf,
    ...options
  }: Omit<PlaceboOptions, "seed" | "all"> & {
    readonly placebos: readonly MetricPlacebos[] | undefined;
    /** As they are asked, in the order of `placebos`. */
    readonly metrics: readonly Metric[];
    /** A metric's scores, in the order of all items. */
    readonly scoresOf: (metric: Metric) => readonly (number | null)[];
    readonly wholeOf: (metric: Metric) => WholeInputs;
  },
): Promise<Record<string, MetricSanity>> {
  const sound = soundOf(items);
  const found: Record<string, MetricSanity> = {};
  for (const [place, { name, drawn }] of (placebos ?? []).entries()) {
    const metric = metrics[place];
    if (metric === undefined) continue;
    const asked = await askPlacebos(metric, sound.map(asPlacebo), { ...options, drawn });
    const scores = scoresOf(metric);
    const own = sound.map(({ item, at }) => ({ text: item.text, score: scores[at] ?? null }));
    found[name] = metricSanity(own, asked, { ...metric, whole: wholeOf(metric) });
  }
  return found;
}

/** The same of metrics that were not checked. */
export const skippedPlacebos = (chosen: readonly ChosenMetric[]): Record<string, MetricSanity> =>
  Object.fromEntries(chosen.map(({ name }) => [name, sanitySkipped]));
