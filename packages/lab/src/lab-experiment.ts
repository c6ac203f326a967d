import { buildPrompts } from "touchstone-t2i/internal/benchmarks/prototypicality/build-prompts.js";
import { paintImages } from "touchstone-t2i/internal/benchmarks/prototypicality/paint-images.js";
import {
  checkTruth,
  rateImages,
  scoreImages,
} from "touchstone-t2i/internal/benchmarks/prototypicality/score-images.js";
import { domains } from "touchstone-t2i/internal/benchmarks/prototypicality/taxonomy.js";
import { withInputs } from "touchstone-t2i/internal/benchmarks/step-kind.js";
import type { Metric } from "touchstone-t2i/internal/core/metric.js";
import { modelName } from "touchstone-t2i/internal/core/models.js";
import type { AnyStep } from "touchstone-t2i/internal/core/step.js";
import { metricByName } from "touchstone-t2i/internal/metrics/catalogue.js";
import { z } from "zod";
import { labModel, labModelNames } from "./models/lab-model.js";
import type { Runtime } from "./models/runtime.js";
import { labYaml } from "./package-file.js";
import type { DefectRates } from "./painter/defect-rates.js";
import { labPainter } from "./painter/lab-painter.js";
import { cannotDraw } from "./painter/painter.js";
import { sceneTruth } from "./truth/scene-truth.js";

const rate = z.number().min(0).max(1);
const seed = z.int().nonnegative();
const size = z.strictObject({ prompts: z.int().positive(), samples: z.int().positive() });
const choice = z.strictObject({ metric: z.string(), model: z.enum(labModelNames) });

const benchmarkSchema = z.strictObject({
  splitSeed: seed.optional(),
  sizes: z.strictObject({ small: size, medium: size, full: size }),
  domains: z.array(z.enum(domains)).min(1),
  metrics: z.array(choice).min(1),
  filter: choice,
});

const experimentSchema = benchmarkSchema.extend({
  splitSeed: seed,
  seeds: z.strictObject({ small: seed, medium: seed, full: seed }),
  painter: z.strictObject({ dropExtra: rate, miscount: rate, driftToPrototype: rate }),
});

/** Steps and models of a run on the lab. */
export interface LabExperiment {
  readonly steps: readonly AnyStep[];
  /** Whom the steps ask: painters, raters and the metrics' models, by name. */
  readonly models: readonly string[];
}

interface Chosen {
  readonly size: ExperimentSize;
  readonly seed: number;
  readonly runtime?: Runtime | undefined;
}

/** The prototypicality benchmark on the lab, as `data/demo.yaml` has it: animals and objects. */
export const labExperiment = (chosen: Chosen): LabExperiment =>
  benchmarkOf(readExperiment(), chosen);

/**
 * The same on groups of people, as `data/demo-demography.yaml` has it, with a filter and an answerer
 * that know their signs.
 */
export const labDemography = (chosen: Chosen): LabExperiment =>
  benchmarkOf(benchmarkSchema.parse(settingsIn("demo-demography.yaml")), chosen);

/** Builds what can be drawn, paints it, rates it by a model that is not evaluated, checks it by the truth, scores it. */
function benchmarkOf(
  { splitSeed, sizes, domains, metrics: chosen, filter }: z.output<typeof benchmarkSchema>,
  { size, seed, runtime }: Chosen,
): LabExperiment {
  const { prompts, samples } = sizes[size];
  const makeMetric = ({ metric, model }: z.output<typeof choice>): Metric =>
    metricByName(metric).make({ model: labModel(model, { runtime }) });
  const metrics = chosen.map(makeMetric);
  const rater = makeMetric(filter);
  const generator = labPainter({ defects: experimentDefects() });
  return {
    steps: [
      withInputs(
        buildPrompts({
          seed,
          splitSeed,
          size: { total: prompts },
          domains,
          splits: ["evaluation"],
          canDraw: cannotDraw,
          drawableOnly: true,
        }),
        { drawableBy: "lab:painter" },
      ),
      paintImages({ generator, seed, samples }),
      rateImages({ rater, underEvaluation: metrics }),
      checkTruth({ truth: sceneTruth }),
      ...scoreImages({ metrics }),
    ],
    models: [modelName(generator.identity), ...[rater, ...metrics].map(({ model }) => model)],
  };
}

/** The seed of the demo where none is given: no picture of it was seen before its settings were fixed. */
export const experimentSeed = (size: ExperimentSize): number => readExperiment().seeds[size];

/** How often the painter of both goes wrong. */
export const experimentDefects = (): Partial<DefectRates> => readExperiment().painter;

const readExperiment = (): z.output<typeof experimentSchema> =>
  experimentSchema.parse(settingsIn("demo.yaml"));

const settingsIn = (name: string): unknown => labYaml(name);

/** How large the demo is; `data/demo*.yaml` have what each means. */
export const experimentSizes = ["small", "medium", "full"] as const;
export type ExperimentSize = (typeof experimentSizes)[number];
