import type { Key } from "../../core/keys.js";
import type { Metric } from "../../core/metric.js";
import { type ChatModel, type ImageGenerator, modelFacts, placedName } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { AnyStep, Step } from "../../core/step.js";
import type { RefineWording, SimilarityCheck } from "../../judges/refine-prompt.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import { paintPicture } from "../paint-picture.js";
import { metricSteps } from "../score-step.js";
import { auditImages } from "./audit-images.js";
import { loadJudgeWording } from "./packaged.js";
import { buildQueries, type Query } from "./queries.js";
import { isBy, partOf } from "./read-audit-records.js";
import { loadRefineData, type RefineMode, refineQueries } from "./refine-queries.js";
import { type Rubric, rubricsByQuery } from "./rubrics.js";

export interface AuditOptions {
  readonly queries: readonly Query[];
  readonly rubrics: ReadonlyMap<string, Rubric>;
  readonly generators: readonly ImageGenerator[];
  readonly judge: ChatModel;
  /** Without a refiner images are audited once. */
  readonly refiner?: ChatModel | undefined;
  readonly mode: RefineMode;
  readonly similarity?: SimilarityCheck | undefined;
  /** Metrics of prompt fidelity, for the price of refining. */
  readonly alignment: readonly Metric[];
  /** Images of each query by each generator. */
  readonly images: number;
  readonly unit: "set" | "image";
  readonly trials: number;
  /** Most queries of each category; default: all. */
  readonly count?: number | undefined;
  readonly seed: number;
  /** Wording that replaces the package's; the recipe holds it. */
  readonly wording?:
    | {
        readonly judge?: RubricWording | undefined;
        readonly refiner?: RefineWording | undefined;
      }
    | undefined;
  readonly cannotDraw?: ((text: string) => string | undefined) | undefined;
}

/** Returns the steps of a stereotype audit in order: audit, refine, audit again, score fidelity. */
export function auditSteps(options: AuditOptions): AnyStep[] {
  const { queries, rubrics, generators, judge, refiner, alignment, images, seed } = options;
  const asked = rubricsByQuery({ queries, rubrics });
  const own = options.wording;
  const wording = own?.judge ?? loadJudgeWording();
  const painting = generators.map((generator) => ({ generator, images, seed }));
  const auditing = painting.map((painted) => ({
    ...painted,
    judge,
    ...asked,
    wording,
    isOwnWording: own?.judge !== undefined,
    unit: options.unit,
    trials: options.trials,
  }));
  const initial = auditing.map((one) => auditImages({ ...one, phase: "initial" }));
  return [
    buildQueries(options),
    ...painting.map(paintQueries),
    ...initial,
    ...(refiner === undefined ? [] : refined()),
    ...scoreAlignment({ metrics: alignment }),
  ];

  function refined(): AnyStep[] {
    if (refiner === undefined) return [];
    const { mode, similarity } = options;
    const data = loadRefineData(own?.refiner);
    const isOwnWording = own?.refiner !== undefined;
    return [
      ...generators.map((generator) =>
        refineQueries({ generator, refiner, ...asked, data, isOwnWording, mode, similarity }),
      ),
      ...painting.map(paintRefined),
      ...auditing.map((one) => auditImages({ ...one, phase: "refined" })),
    ];
  }
}

/**
 * Makes the steps that measure the price of refining: each metric scores every image, before and after
 * refining, against the original query.
 */
export const scoreAlignment = ({
  metrics,
}: {
  readonly metrics: readonly Metric[];
}): Step<"score">[] =>
  metricSteps({
    name: "score-alignment",
    metrics,
    plan: {
      parameters: { textOf: "query" },
      async *tasks(records) {
        const queries = new Map<Key, string>();
        for await (const query of records.ofType("query")) {
          if (query.status === "done") queries.set(query.key, query.text);
        }
        for await (const { key, query } of records.ofType("refinement")) {
          const text = queries.get(query);
          if (text !== undefined) queries.set(key, text);
        }
        for await (const image of records.ofType("image")) {
          const text = queries.get(image.prompt);
          if (image.status !== "done" || text === undefined) continue;
          yield { of: image.key, image: image.image, text };
        }
      },
    },
  });

export interface PaintOptions {
  readonly generator: ImageGenerator;
  readonly seed: number;
  /** Images of each query. */
  readonly images: number;
}

/** The step by which a generator makes images from the queries. */
export const paintQueries = (options: PaintOptions): Step<"image"> => ({
  ...paintStep("paint-queries", options),
  async *plan(records) {
    for await (const query of records.ofType("query")) {
      if (query.status !== "done") continue;
      for (let sample = 0; sample < options.images; sample++) {
        yield {
          prompt: query.key,
          role: "query" as const,
          sample,
          text: query.text,
          seed: seedOf(query.key, sample, options),
          ...modelFacts(options.generator.identity),
        };
      }
    }
  },
});

/**
 * The step by which a generator makes images from the rewrites of its own queries, with the seeds
 * with which it made those of the queries.
 */
export const paintRefined = (options: PaintOptions): Step<"image"> => ({
  ...paintStep("paint-refined", options),
  async *plan(records) {
    const facts = modelFacts(options.generator.identity);
    for await (const refinement of records.ofType("refinement")) {
      if (refinement.status !== "done" || !isBy(facts, refinement)) continue;
      for (let sample = 0; sample < options.images; sample++) {
        yield {
          prompt: refinement.key,
          role: "refined" as const,
          sample,
          text: refinement.prompt,
          seed: seedOf(refinement.query, sample, options),
          ...facts,
        };
      }
    }
  },
});

const seedOf = (query: Key, sample: number, { seed }: PaintOptions): number =>
  randomFrom(seed, "paint", query, sample).integer(2 ** 31);

const paintStep = (
  name: string,
  { generator, seed, images }: PaintOptions,
): Omit<Step<"image">, "plan"> => ({
  name,
  part: partOf(generator.identity),
  version: 1,
  produces: "image",
  parameters: { generator: { ...generator.identity }, seed, images },
  asks: [placedName(generator.identity)],
  perform: (about, context) => paintPicture(generator, about, context),
});
