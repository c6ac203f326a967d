import {
  confusionImages,
  imagesToSwap,
  isAsDescribed,
  swapRows,
} from "../../../analysis/confusion/confusion-images.js";
import { retention } from "../../../analysis/pairs/retention.js";
import {
  type EvaluatedMetric,
  type TripletRow,
  triplets,
} from "../../../analysis/pairs/triplets.js";
import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import {
  type RunFilter,
  refuseNothingKept,
  runFilter,
} from "../../../benchmarks/prototypicality/run-filter.js";
import { type RunRecords, readRunRecords } from "../../../benchmarks/run-records.js";
import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { RecordOf } from "../../../core/records.js";
import { shellWords } from "../../command-line/shell-words.js";
import { isProbability } from "./measure-card.js";

/** One metric of a run with the rows of its card. */
export interface RunCard {
  readonly metric: EvaluatedMetric;
  readonly rows: readonly CardRow[];
  /** Which pairs of images the rows are from. */
  readonly selection: string;
  readonly isFromLab: boolean;
}

/**
 * What a finished run tells of each of its metrics: pairs of images and their controls, where the run
 * rated its images those that passed; of images that show their descriptions these against
 * the swapped ones; and where the truth is known whether an image shows its text.
 *
 * @param options.unfiltered all pairs and images, whatever the filter or the reference says of them
 * @throws InputError where nothing was scored, IncompleteError where the filter kept nothing.
 */
export async function readRunCards(
  run: RecordStore,
  name: string,
  { unfiltered = false }: { readonly unfiltered?: boolean } = {},
): Promise<RunCard[]> {
  const records = await readRunRecords(run);
  const filter = unfiltered ? undefined : runFilter(records, run.recipe);
  if (filter !== undefined) {
    const { selection, description } = filter;
    const kept = retention({ ...records, selection, intervals: { resamples: 1 } });
    const command = shellWords(["touchstone", "card", name, "--unfiltered"]);
    refuseNothingKept(kept, { description, unfiltered: command });
  }
  const found = new Map<string, { metric: EvaluatedMetric; rows: CardRow[] }>();
  for (const { metric, rows } of [
    ...ofTriplets(records, filter),
    ...ofDescriptions(records, unfiltered),
  ]) {
    const { id: _, ...identity } = metric;
    const key = JSON.stringify(identity);
    const before = found.get(key)?.rows ?? [];
    found.set(key, { metric, rows: [...before, ...rows] });
  }
  if (found.size === 0) {
    throw new InputError(`Expected a run with scores of a benchmark but ${name} has none`, {
      hint: "Score its images first: touchstone score RUN --metric …, or: touchstone demo",
    });
  }
  const selection =
    filter === undefined
      ? selectionOf(records, unfiltered)
      : "pairs of images that passed its filter";
  const isFromLab = records.images.some(({ model }) => model.startsWith("lab:"));
  return [...found.values()].map((one) => ({ ...one, selection, isFromLab }));
}

function selectionOf(records: RunRecords, unfiltered: boolean): string {
  const { images } = confusionImages(records);
  return !unfiltered && images.some(isAsDescribed)
    ? "images that show what they should, by its reference"
    : "all pairs of images";
}

type MetricRows = Pick<RunCard, "metric" | "rows">;

function ofTriplets(records: RunRecords, filter: RunFilter | undefined): MetricRows[] {
  const truth = records.scores.find((score) => score.step.startsWith("check-truth@"));
  const selection = filter?.selection ?? { name: "unfiltered" };
  const shown = triplets({ ...records, selection });
  const known =
    truth === undefined
      ? []
      : triplets({
          ...records,
          selection: { name: "truth-filtered", metric: truth.metric, atLeast: 1 },
        }).rows;
  return shown.metrics.map((metric) => {
    const keys = scoreKeys(records.scores, metric);
    const own = (rows: readonly TripletRow[]) => rows.filter((row) => row.metric === metric.id);
    const pairs = own(shown.rows).map(
      ({ id, prompt, domain, knob, comparison, correct, adversarial, images }): CardRow => ({
        id,
        prompt,
        domain,
        knob,
        comparison,
        correct,
        adversarial,
        record: keys.get(images.correct),
      }),
    );
    return { metric, rows: [...pairs, ...labelled(own(known), metric, keys)] };
  });
}

/** Each image once: those that are right and those that are wrong of the prompt's text. */
function labelled(
  rows: readonly TripletRow[],
  metric: EvaluatedMetric,
  keys: ReadonlyMap<string, string>,
): CardRow[] {
  const found = new Map<string, CardRow>();
  for (const { prompt, images, correct, adversarial } of rows) {
    const sides = [
      { image: images.correct, score: correct, label: 1 },
      { image: images.adversarial, score: adversarial, label: 0 },
    ] as const;
    for (const { image, score, label } of sides) {
      const id = `${image} ${prompt}`;
      found.set(id, {
        id,
        prompt,
        image,
        score,
        label,
        record: keys.get(image),
        ...(isProbability(metric) ? { probability: score } : {}),
      });
    }
  }
  return [...found.values()];
}

function ofDescriptions(records: RunRecords, unfiltered: boolean): MetricRows[] {
  const { metrics, images } = confusionImages(records);
  const counted = imagesToSwap(images, { unfiltered });
  return metrics.map((metric) => {
    const swaps = swapRows(counted, [metric]).map(
      ({ id, prompt, set, original, swapped }, at): CardRow => ({
        id: `${id}/swap`,
        prompt,
        image: id,
        domain: set,
        comparison: "attribute-swap",
        correct: original,
        adversarial: swapped,
        record: counted[at]?.scores.get(metric.id)?.original?.key,
      }),
    );
    const stated = images.flatMap((one): CardRow[] => {
      const score = one.scores.get(metric.id)?.original;
      if (one.reference === undefined || score === undefined) return [];
      const value = score.status === "done" ? score.value : null;
      const label = isAsDescribed(one) ? 1 : 0;
      const { key } = one.image;
      return [
        {
          id: key,
          record: score.key,
          prompt: one.description.key,
          image: key,
          score: value,
          label,
          ...(isProbability(metric) ? { probability: value } : {}),
        },
      ];
    });
    return { metric, rows: [...swaps, ...stated] };
  });
}

/** The key of each image's score, by that of the image. */
function scoreKeys(
  scores: readonly RecordOf<"score">[],
  { metric, model, convention }: EvaluatedMetric,
): Map<string, string> {
  const own = scores.filter(
    (score) =>
      score.step.startsWith("score-images") &&
      score.metric === metric &&
      score.model === model &&
      score.convention === convention,
  );
  return new Map(own.map(({ of, key }) => [of, key]));
}
