import type { Key } from "../../core/keys.js";
import type { Metric } from "../../core/metric.js";
import type { ChatModel, ImageGenerator } from "../../core/models.js";
import type { AnyStep, Step } from "../../core/step.js";
import type { RefineWording, SimilarityCheck } from "../../judges/refine-prompt.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import { metricSteps } from "../score-step.js";
import { auditImages } from "./audit-images.js";
import { loadJudgeWording } from "./judge-wording.js";
import { paintQueries, paintRefined } from "./paint-audited.js";
import { buildQueries, type Query } from "./queries.js";
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
