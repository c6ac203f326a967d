import { z } from "zod";
import { groupBy } from "../../core/arrays.js";
import { IncompleteError } from "../../core/errors.js";
import type { Key } from "../../core/keys.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import type { LocalizedCounts, LocalizedScore } from "../../stats/localized-answers.js";
import type { GroupedRow } from "../inference/grouped-samples.js";
import type { ConfusionSwapRow } from "../pairs/swap.js";
import { described, distinctions, type EvaluatedMetric } from "../pairs/triplets.js";
import type { AttributeRow } from "./attributed-images.js";

/** The records of an attribute confusion run, the latest attempt of each. */
export interface ConfusionRecords {
  readonly descriptions: Iterable<RecordOf<"description">>;
  readonly images: Iterable<RecordOf<"image">>;
  readonly scores: Iterable<RecordOf<"score">>;
}

/** One metric's scores of one image: against its description, and against the swapped one. */
export interface ScoresOfImage {
  readonly original?: RecordOf<"score">;
  readonly swapped?: RecordOf<"score">;
}

/** An image that was made from a description, and all that was said of it. */
export interface ConfusionImage {
  readonly image: DoneRecord<"image">;
  readonly description: DoneRecord<"description">;
  /** The reference's answers (by the truth, or people); undefined where there are none. */
  readonly reference: LocalizedCounts | undefined;
  /** The same question by question; empty where nobody did. */
  readonly truths: readonly AskedQuestion[];
  /** Scores by `EvaluatedMetric.id`. */
  readonly scores: ReadonlyMap<string, ScoresOfImage>;
}

const countsSchema = z.object({ tp: z.number(), fp: z.number(), tn: z.number(), fn: z.number() });

/** The steps whose scores are the reference's, and no metric's. */
const referenceStep = "check-attributes@";

/** Every image of the run with its scores, and who gave them, in the order of the records. */
export function confusionImages({ descriptions, images, scores }: ConfusionRecords): {
  readonly metrics: readonly EvaluatedMetric[];
  readonly images: readonly ConfusionImage[];
} {
  const byKey = new Map([...descriptions].map((one) => [one.key, one]));
  const found = new Map<Key, { about: ConfusionImage; scores: Map<string, ScoresOfImage> }>();
  for (const image of images) {
    const description = byKey.get(image.prompt);
    if (image.status !== "done" || description?.status !== "done") continue;
    const its = new Map<string, ScoresOfImage>();
    found.set(image.key, {
      about: { image, description, reference: undefined, truths: [], scores: its },
      scores: its,
    });
  }
  const references = new Map<Key, Pick<ConfusionImage, "reference" | "truths">>();
  const ofMetrics: RecordOf<"score">[] = [];
  for (const score of scores) {
    if (score.trial !== 0 || !found.has(score.of)) continue;
    if (score.step.startsWith(referenceStep)) {
      const counts = countsSchema.safeParse(score.status === "done" ? score.details : undefined);
      if (counts.success) {
        references.set(score.of, { reference: counts.data, truths: questionsOf(score) });
      }
      continue;
    }
    ofMetrics.push(score);
  }
  const groups = [...groupBy(ofMetrics, (score) => JSON.stringify(distinctions(score))).values()];
  const examples = groups.map(([first]) => first);
  const metrics = groups.map((its) => {
    const metric = described(its[0], examples);
    for (const score of its) {
      const entry = found.get(score.of);
      if (entry === undefined) continue;
      const side = score.text === entry.about.description.text ? "original" : "swapped";
      entry.scores.set(metric.id, { ...entry.scores.get(metric.id), [side]: score });
    }
    return metric;
  });
  return {
    metrics,
    images: [...found.values()].map(({ about }) => ({
      ...about,
      ...references.get(about.image.key),
    })),
  };
}

/** Tests if somebody said of any image what it shows. */
export const isReferenced = (images: readonly ConfusionImage[]): boolean =>
  images.some(({ reference }) => reference !== undefined);

/** Tests if the reference found every attribute where it belongs, and none elsewhere. */
export const isAsDescribed = ({ reference }: ConfusionImage): boolean =>
  reference !== undefined && reference.fn === 0 && reference.fp === 0;

/**
 * The images that a swap test is about: those as described, since of a picture whose attributes are
 * mixed up the swapped description may be the right one; all, where nobody knows of any, or where
 * `unfiltered` asks for them.
 *
 * @throws IncompleteError where somebody knows and none is as described: a test of all would rest on
 *   what its rule leaves out.
 */
export function imagesToSwap(
  images: readonly ConfusionImage[],
  { unfiltered = false }: { readonly unfiltered?: boolean } = {},
): readonly ConfusionImage[] {
  const known = images.filter(({ reference }) => reference !== undefined);
  if (unfiltered || known.length === 0) return images;
  const right = known.filter(isAsDescribed);
  if (right.length > 0) return right;
  const lost = [...new Set(known.map(({ description }) => description.set))].map((set) => {
    const own = known.filter(({ description }) => description.set === set);
    const count = (error: "fn" | "fp") =>
      own.filter(({ reference }) => (reference?.[error] ?? 0) > 0).length;
    return `${set} 0 of ${own.length} (an own attribute is missing: ${count("fn")}, another's is there: ${count("fp")})`;
  });
  throw new IncompleteError(
    `Expected images that show every attribute where it belongs but the reference finds none among ${known.length}: ${lost.join("; ")}`,
    { hint: "For the swap test of all of them add --unfiltered." },
  );
}

const numberOf = (score: RecordOf<"score"> | undefined): number | null =>
  score?.status === "done" ? score.value : null;

/** The rows that `swap` takes, metric by metric. */
export const swapRows = (
  images: readonly ConfusionImage[],
  metrics: readonly Pick<EvaluatedMetric, "id">[],
): ConfusionSwapRow[] =>
  metrics.flatMap(({ id: metric }) =>
    images.map(({ image, description, scores }) => {
      const { original, swapped } = scores.get(metric) ?? {};
      return {
        id: image.key,
        metric,
        prompt: description.key,
        set: description.set,
        generator: image.model,
        original: numberOf(original),
        swapped: numberOf(swapped),
      };
    }),
  );

const partsSchema = z.object({ precision: z.number().nullable(), recall: z.number().nullable() });

/**
 * The rows that `groupedCorrelation` takes: the reference's counts of each image, and the metrics'
 * scores against its description. For precision and recall a metric that tells these apart gives its
 * own of that name, as L-VQAScore does in the paper.
 */
export const confusionGroupedRows = (
  images: readonly ConfusionImage[],
  metrics: readonly Pick<EvaluatedMetric, "id">[],
  target: LocalizedScore,
): GroupedRow[] =>
  images.map(({ image, description, reference, scores }) => ({
    id: image.key,
    prompt: description.key,
    counts: reference === undefined ? null : [reference.tp, reference.fp, reference.fn],
    scores: metrics.map(({ id }) => targetOf(scores.get(id)?.original, target)),
  }));

function targetOf(score: RecordOf<"score"> | undefined, target: LocalizedScore): number | null {
  if (score?.status !== "done" || target === "f1") return numberOf(score);
  const parts = partsSchema.safeParse(score.details);
  return parts.success ? parts.data[target] : score.value;
}

const questionSchema = z.object({
  entity: z.string(),
  attribute: z.string(),
  kind: z.enum(["reflection", "leakage"]),
  probability: z.number(),
  question: z.string().optional(),
  on: z.string().optional(),
  mask: z.string().optional(),
});
const questionsSchema = z.object({ questions: z.array(questionSchema) });

/** A question that a localised metric asked, as its details hold it. */
export type AskedQuestion = z.output<typeof questionSchema>;

/** The questions that a score was made of; none where it asked about no attributes. */
export function questionsOf(score: RecordOf<"score"> | undefined): readonly AskedQuestion[] {
  const found = questionsSchema.safeParse(score?.status === "done" ? score.details : undefined);
  return found.success ? found.data.questions : [];
}

/** The rows that `attributes` takes, of one metric that asks about attributes. */
export const questionRows = (
  images: readonly ConfusionImage[],
  { id }: Pick<EvaluatedMetric, "id">,
): AttributeRow[] =>
  images.flatMap(({ image, description, scores }) =>
    questionsOf(scores.get(id)?.original).map(({ entity, attribute, kind, probability }) => ({
      image: image.key,
      prompt: description.key,
      entity,
      attribute,
      kind,
      probability,
    })),
  );
