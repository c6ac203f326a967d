import { z } from "zod";
import {
  type ConfusionImage,
  confusionImages,
  imagesToSwap,
  isAsDescribed,
  isReferenced,
  swapRows,
} from "../../analysis/confusion/confusion-images.js";
import { outcomeOf } from "../../analysis/pairs/pair-sums.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { CardRow } from "../../analysis/trust-card/trust-card-rows.js";
import { isProbability } from "../../core/metric.js";
import { isByPeople, unknownLocalizer, withoutRevision } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { RecordOf } from "../../core/records.js";
import type { BenchmarkCards, ConcludeOptions } from "../benchmark.js";
import { cardImage } from "../disagreement-gallery.js";
import type { PairOutcome } from "../prototypicality/choose-cards.js";
import type { CardScore } from "../prototypicality/conclusion.js";
import { isFromLab, type ReportedRun, readRunRecords } from "../run-records.js";
import type { SwapCard } from "./conclusion.js";
import { type LocalizedMetric, localizedMetrics } from "./localized-metrics.js";

/**
 * The rows of trust cards: descriptions against swapped ones, of images that show what they should
 * where a reference says so; and whether an image shows its description. There are none where nobody said
 * what images show, nor for a metric for which people's answers are no reference.
 */
export async function swapCards(
  run: ReportedRun,
  { unfiltered = false }: ConcludeOptions,
): Promise<BenchmarkCards> {
  const records = await readRunRecords(run);
  const { metrics, images } = confusionImages(records);
  const isUnreferenced = !unfiltered && !isReferenced(images);
  const counted = isUnreferenced ? [] : imagesToSwap(images, { unfiltered });
  const circular = circularMetrics(localizedMetrics(metrics), records.scores);
  return {
    selection: isUnreferenced
      ? "no images: nobody said what they show, and people's answers would (touchstone study create)"
      : unfiltered
        ? "all pairs of images"
        : "images that show what they should, by its reference",
    isFromLab: isFromLab(records),
    metrics: metrics.map((metric) => {
      if (!unfiltered && circular.some((one) => one.metric === metric)) return { metric, rows: [] };
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
    }),
  };
}

/**
 * Two images to look at, drawn by the seed: one whose swapped description the worst metric prefers and the
 * best does not (else one on which they differ, else any), and one on which both are right.
 *
 * @param images those that the swap test counts
 */
export async function readSwapCards(
  images: readonly ConfusionImage[],
  {
    metrics,
    worst,
    best,
    run,
    tieTolerance,
  }: TieOptions & {
    readonly metrics: readonly EvaluatedMetric[];
    readonly worst: string | undefined;
    readonly best: string | undefined;
    readonly run: ReportedRun;
  },
): Promise<SwapCard[]> {
  const drawn = randomFrom(run.recipe.seed, "swap cards").shuffle([...images]);
  const ids = metrics.map(({ id }) => id);
  const outcomes = new Map(
    drawn.map((image) => [image, metrics.map((metric) => outcomeBy(metric, image, tieTolerance))]),
  );
  const outcome = (image: ConfusionImage, id: string | undefined) =>
    outcomes.get(image)?.[ids.indexOf(id ?? "")];
  const telling =
    drawn.find((image) => outcome(image, worst) === "wrong" && outcome(image, best) === "right") ??
    drawn.find((image) => outcome(image, worst) !== outcome(image, best)) ??
    drawn[0];
  const easy = drawn.find(
    (image) =>
      image.description.key !== telling?.description.key &&
      outcome(image, worst) === "right" &&
      outcome(image, best) === "right",
  );
  const cards: SwapCard[] = [];
  for (const one of [telling, easy]) {
    if (one === undefined) continue;
    const { image, description, scores } = one;
    cards.push({
      image: await cardImage(image, run.blobs),
      generator: withoutRevision(image.model),
      text: description.text,
      swapped: description.swapped,
      scores: metrics.map(({ id }, at) => ({
        metric: id,
        outcome: outcomes.get(one)?.[at] ?? "unscored",
        original: scoreOf(scores.get(id)?.original),
        swapped: scoreOf(scores.get(id)?.swapped),
      })),
    });
  }
  return cards;
}

function outcomeBy(
  { id, direction }: EvaluatedMetric,
  { scores }: ConfusionImage,
  tieTolerance: number | undefined,
): PairOutcome {
  const [original, swapped] = [scoreOf(scores.get(id)?.original), scoreOf(scores.get(id)?.swapped)];
  if (original.value === null || swapped.value === null) return "unscored";
  const found = outcomeOf(original.value, swapped.value, { direction, tieTolerance });
  return found === "pass" ? "right" : found === "fail" ? "wrong" : "tie";
}

function scoreOf(score: RecordOf<"score"> | undefined): CardScore {
  if (score === undefined) return { value: null };
  return score.status === "done"
    ? { key: score.key, value: score.value }
    : { key: score.key, value: null, reason: score.reason };
}

/** A metric for which people's answers are no reference. */
interface CircularMetric {
  readonly metric: LocalizedMetric["metric"];
  /** The model that says where it looks, and said what people were shown. */
  readonly localizer: string;
}

const shown = z.object({ localizers: z.array(z.string()) });

/**
 * The metrics that look where a model says which also chose what people were shown of an entity: by
 * these answers they would agree with people wherever it looks. Of answers that were taken over before
 * that was noted, all metrics that look at entities one by one.
 */
export function circularMetrics(
  localized: readonly LocalizedMetric[],
  scores: readonly RecordOf<"score">[],
): CircularMetric[] {
  const named = new Set(
    scores.flatMap((score) => {
      if (!score.step.startsWith("check-attributes@") || !isByPeople(score)) return [];
      if (score.status !== "done") return [];
      const noted = shown.safeParse(score.details);
      return noted.success ? noted.data.localizers.map(withoutRevision) : [unknownLocalizer];
    }),
  );
  return localized.flatMap(({ metric, localizer }) =>
    localizer !== "" && (named.has(localizer) || named.has(unknownLocalizer))
      ? [{ metric, localizer }]
      : [],
  );
}
