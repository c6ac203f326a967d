import { z } from "zod";
import {
  type ConfusionImage,
  isAsDescribed,
  questionsOf,
} from "../../analysis/confusion/confusion-images.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { Mask, Picture } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { type LocalizationStrategy, localize } from "../../images/localize.js";
import { maskOverlay } from "../../images/mask-overlay.js";
import { maskOfRuns } from "../../images/mask-runs.js";
import { openPicture } from "../../images/picture.js";
import { pictureOfPixels } from "../../images/pixels-picture.js";
import { thumbnail } from "../../images/thumbnail.js";
import { localizedScore } from "../../stats/localized-answers.js";
import { cardImage } from "../disagreement-gallery.js";
import type { ReportedRun } from "../run-records.js";
import {
  type Strip,
  type StripEntity,
  type StripGroup,
  type StripQuestion,
  type Strips,
  stripGroups,
} from "./conclusion.js";

const places: Readonly<Record<StripGroup, number>> = {
  "the metric is off": 3,
  "attributes mixed up": 3,
  "all as it should be": 2,
  "the metric finds faults": 4,
  "the metric finds none": 2,
};

/**
 * Images as one localised metric judged them: some where it is off the reference, some where an
 * attribute stands where it should not, some where all is well; of images without a reference some on
 * which the metric finds faults, and some on which it finds none; drawn by the run's seed.
 */
export async function readStrips({
  images,
  metric,
  strategy,
  threshold = 0.5,
  run,
}: {
  readonly images: readonly ConfusionImage[];
  readonly metric: EvaluatedMetric;
  readonly strategy: LocalizationStrategy;
  readonly threshold?: number;
  readonly run: ReportedRun;
}): Promise<Strips> {
  const masks = await masksOf(run);
  const shuffled = randomFrom(run.recipe.seed, "strips").shuffle([...images]);
  const left = new Map(Object.entries(places));
  const strips: Strip[] = [];
  const met = new Set<string>();
  for (const one of shuffled) {
    const { image, description, reference, scores } = one;
    const score = scores.get(metric.id)?.original;
    if (score?.status !== "done" || met.has(description.key)) continue;
    const target = reference === undefined ? Number.NaN : localizedScore("f1", reference);
    const group = groupOf(one, score.value);
    const room = left.get(group) ?? 0;
    if (room === 0) continue;
    left.set(group, room - 1);
    met.add(description.key);
    const picture = await openPicture(await run.blobs.read(image.image), image.image);
    strips.push({
      key: score.key,
      image: await cardImage(image, run.blobs),
      generator: image.model,
      value: score.value,
      reference: Number.isNaN(target) ? null : target,
      group,
      entities: await entitiesOf(one, metric, {
        picture,
        strategy,
        threshold,
        masks: masks.get(score.key) ?? new Map(),
      }),
    });
  }
  strips.sort((a, b) => stripGroups.indexOf(a.group) - stripGroups.indexOf(b.group));
  return { metric: metric.id, strategy, strips };
}

function groupOf(one: ConfusionImage, value: number): StripGroup {
  if (one.reference === undefined) {
    return value < 1 ? "the metric finds faults" : "the metric finds none";
  }
  if (Math.abs(localizedScore("f1", one.reference) - value) > 0.2) return "the metric is off";
  return isAsDescribed(one) ? "all as it should be" : "attributes mixed up";
}

async function entitiesOf(
  image: ConfusionImage,
  metric: EvaluatedMetric,
  {
    picture,
    strategy,
    threshold,
    masks,
  }: {
    readonly picture: Picture;
    readonly strategy: LocalizationStrategy;
    readonly threshold: number;
    readonly masks: ReadonlyMap<string, Mask>;
  },
): Promise<StripEntity[]> {
  const questions = questionsOf(image.scores.get(metric.id)?.original);
  const truths = new Map(
    image.truths.map(({ entity, attribute, probability }) => [
      `${entity} ${attribute}`,
      probability >= 0.5,
    ]),
  );
  const found: StripEntity[] = [];
  for (const entity of new Set(questions.map(({ on, entity: about }) => on ?? about))) {
    const here = questions.filter(({ on, entity: about }) => (on ?? about) === entity);
    const mask = masks.get(entity);
    const state = here[0]?.mask;
    const asked = here.map(({ kind, attribute, question, entity: about, probability }) => {
      const reference = truths.get(`${about} ${attribute}`);
      return {
        kind,
        attribute,
        probability,
        saysYes: probability >= threshold,
        question: question ?? `${attribute} ${about}`,
        ...(reference === undefined ? {} : { reference }),
      } satisfies StripQuestion;
    });
    const pixels = await picture.pixels();
    const isFitting = mask?.width === pixels.width && mask.height === pixels.height;
    const shown =
      mask === undefined || !isFitting || state !== "found"
        ? {}
        : {
            overlay: await thumbnail(pictureOfPixels(maskOverlay(pixels, mask))),
            seen: await thumbnail(pictureOfPixels(localize(pixels, { mask, strategy }))),
          };
    found.push({
      entity,
      mask:
        state === "none" || state === "not asked"
          ? state
          : "overlay" in shown
            ? "found"
            : "not kept",
      ...shown,
      questions: asked,
    });
  }
  return found;
}

const noted = z.object({
  kind: z.literal("mask"),
  key: z.string(),
  entity: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  runs: z.array(z.number()),
});

/** The masks that localisers gave, by score and entity, as the run's trace has them. */
export async function masksOf(
  run: Pick<ReportedRun, "trace">,
): Promise<Map<string, Map<string, Mask>>> {
  const found = new Map<string, Map<string, Mask>>();
  for await (const entry of run.trace()) {
    const parsed = noted.safeParse(entry);
    if (!parsed.success) continue;
    const { key, entity, runs, ...size } = parsed.data;
    const mask = maskOfRuns(runs, size);
    if (mask === undefined) continue;
    const its = found.get(key) ?? new Map<string, Mask>();
    found.set(key, its.set(entity, mask));
  }
  return found;
}
