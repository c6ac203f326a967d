import type { ConfusionImage } from "../../analysis/confusion/confusion-images.js";
import { outcomeOf } from "../../analysis/pairs/pair-sums.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { withoutRevision } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { RecordOf } from "../../core/records.js";
import { cardImage } from "../disagreement-gallery.js";
import type { PairOutcome } from "../prototypicality/choose-cards.js";
import type { CardScore } from "../prototypicality/conclusion.js";
import type { ReportedRun } from "../run-records.js";
import type { SwapCard } from "./conclusion.js";

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
