import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import {
  buildPrompts,
  checkTruth,
  paintImages,
  rateImages,
  scoreImages,
} from "../benchmarks/prototypicality/index.js";
import { domains } from "../benchmarks/prototypicality/taxonomy.js";
import type { Metric } from "../core/metric.js";
import { modelName } from "../core/models.js";
import type { AnyStep } from "../core/step.js";
import { metricByName } from "../metrics/catalogue.js";
import { labModel, labModelNames } from "./models/lab-model.js";
import type { Runtime } from "./models/runtime.js";
import type { DefectRates } from "./painter/defect-rates.js";
import { labPainter } from "./painter/lab-painter.js";
import { cannotDraw } from "./painter/painter.js";
import { sceneTruth } from "./truth/scene-truth.js";
import { parseSentence } from "./world/english.js";

const rate = z.number().min(0).max(1);
const seed = z.int().nonnegative();
const size = z.strictObject({ prompts: z.int().positive(), samples: z.int().positive() });
const choice = z.strictObject({ metric: z.string(), model: z.enum(labModelNames) });

const experimentSchema = z.strictObject({
  seeds: z.strictObject({ small: seed, medium: seed, full: seed }),
  painter: z.strictObject({ dropExtra: rate, miscount: rate, driftToPrototype: rate }),
  sizes: z.strictObject({ small: size, medium: size, full: size }),
  domains: z.array(z.enum(domains)),
  metrics: z.array(choice).min(1),
  filter: choice,
});

export const experimentSizes = ["small", "medium", "full"] as const;
export type ExperimentSize = (typeof experimentSizes)[number];

/** What a run collects. */
export interface LabExperiment {
  readonly steps: readonly AnyStep[];
  /** Whom the steps ask: painters, raters and the metrics' models, by name. */
  readonly models: readonly string[];
}

/**
 * The prototypicality benchmark on the lab, as `data/lab/demo.yaml` has it: build what can be
 * drawn, paint it, rate it by a model that is not evaluated, check it by the truth, score it.
 */
export function labExperiment({
  size,
  seed,
  runtime,
}: {
  readonly size: ExperimentSize;
  readonly seed: number;
  readonly runtime?: Runtime | undefined;
}): LabExperiment {
  const experiment = readExperiment();
  const { prompts, samples } = experiment.sizes[size];
  const makeMetric = ({ metric, model }: z.output<typeof choice>): Metric =>
    metricByName(metric).make({ model: labModel(model, { runtime }) });
  const metrics = experiment.metrics.map(makeMetric);
  const rater = makeMetric(experiment.filter);
  const generator = labPainter({ defects: experiment.painter });
  return {
    steps: [
      buildPrompts({
        seed,
        size: { total: prompts },
        domains: experiment.domains,
        splits: ["evaluation"],
        canDraw: cannotJudge,
        drawableOnly: true,
      }),
      paintImages({ generator, seed, samples }),
      rateImages({ rater, underEvaluation: metrics }),
      checkTruth({ truth: sceneTruth }),
      ...scoreImages({ metrics }),
    ],
    models: [modelName(generator.identity), ...[rater, ...metrics].map(({ model }) => model)],
  };
}

/** Why a sentence is left out: the painter can't draw it, or the model that filters hasn't learned its words. */
function cannotJudge(sentence: string): string | undefined {
  const reason = cannotDraw(sentence);
  if (reason !== undefined || !("person" in parseSentence(sentence).subject)) return reason;
  return "the lab's filter hasn't learned people yet";
}

/** The seed of the demo where none is given: no picture of it was seen before its settings were fixed. */
export const experimentSeed = (size: ExperimentSize): number => readExperiment().seeds[size];

/** How often the painter of `labExperiment` goes wrong. */
export const experimentDefects = (): Partial<DefectRates> => readExperiment().painter;

function readExperiment(): z.output<typeof experimentSchema> {
  const file = new URL("../../data/lab/demo.yaml", import.meta.url);
  return experimentSchema.parse(parse(readFileSync(file, "utf8")));
}
