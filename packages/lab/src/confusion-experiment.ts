import {
  buildDescriptions,
  paintDescriptions,
} from "touchstone-t2i/internal/benchmarks/attribute-confusion/build-descriptions.js";
import { descriptionSets } from "touchstone-t2i/internal/benchmarks/attribute-confusion/descriptions.js";
import {
  checkAttributes,
  scoreDescriptions,
} from "touchstone-t2i/internal/benchmarks/attribute-confusion/score-descriptions.js";
import { withInputs } from "touchstone-t2i/internal/benchmarks/step-kind.js";
import { type Metric, modelsBehind } from "touchstone-t2i/internal/core/metric.js";
import { modelName } from "touchstone-t2i/internal/core/models.js";
import { metricByName } from "touchstone-t2i/internal/metrics/catalogue.js";
import { parseConvention } from "touchstone-t2i/internal/metrics/localized-convention.js";
import {
  LookMemory,
  localizedVqaScore,
} from "touchstone-t2i/internal/metrics/localized-vqa-score.js";
import { z } from "zod";
import type { ExperimentSize, LabExperiment } from "./lab-experiment.js";
import { labModel, labModelNames } from "./models/lab-model.js";
import type { Runtime } from "./models/runtime.js";
import { labYaml } from "./package-file.js";
import { labPainter } from "./painter/lab-painter.js";
import { cannotDraw } from "./painter/painter.js";
import { attributeTruth } from "./truth/attribute-truth.js";

const model = z.enum(labModelNames);
const count = z.int().positive();

const few = z.strictObject({ descriptions: count, painters: count, samples: count });

const localized = z.array(
  z.strictObject({
    model: z.enum(["vqa", "vqa-small"]),
    localizer: z.enum(["localizer", "localizer-small"]),
    conventions: z.array(z.string()).min(1),
  }),
);

const experimentSchema = z.strictObject({
  sets: z.array(z.enum(descriptionSets)).min(1),
  painters: z.array(z.string()).min(1),
  sizes: z.strictObject({
    small: few,
    medium: few,
    full: z.strictObject({ samples: count }),
  }),
  metrics: z.array(z.strictObject({ metric: z.string(), model })),
  localized,
  ablations: localized,
});

/**
 * The attribute confusion benchmark on the lab, as `data/demo-attribute-confusion.yaml` has it:
 * painters of different quality draw each description, the truth says where its attributes are, and
 * each metric scores the pictures against it and against the same with attributes swapped.
 */
export function labConfusion({
  size,
  seed,
  runtime,
}: {
  readonly size: ExperimentSize;
  readonly seed: number;
  readonly runtime?: Runtime | undefined;
}): LabExperiment {
  const { sets, painters, sizes, metrics: whole, localized, ablations } = readExperiment();
  const chosen = sizes[size];
  const [descriptions, most] =
    "descriptions" in chosen
      ? [chosen.descriptions, chosen.painters]
      : [undefined, painters.length];
  const generators = painters.slice(0, most).map((name) => labPainter({ name }));
  const looks = size === "full" ? [...localized, ...ablations] : localized;
  const metrics = metricsOf({ metrics: whole, localized: looks }, runtime);
  return {
    steps: [
      withInputs(buildDescriptions({ seed, sets, count: descriptions, cannotDraw }), {
        drawableBy: "lab:painter",
      }),
      ...paintDescriptions({ generators, seed, samples: chosen.samples }),
      checkAttributes({ truth: attributeTruth }),
      ...scoreDescriptions({ metrics }),
    ],
    models: [
      ...generators.map(({ identity }) => modelName(identity)),
      ...new Set(metrics.flatMap(modelsBehind)),
    ],
  };
}

function metricsOf(
  { metrics, localized }: Pick<z.output<typeof experimentSchema>, "metrics" | "localized">,
  runtime: Runtime | undefined,
): Metric[] {
  const memory = new LookMemory();
  return [
    ...metrics.map(({ metric, model: name }) =>
      metricByName(metric).make({ model: labModel(name, { runtime }) }),
    ),
    ...localized.flatMap(({ model: answerer, localizer: finder, conventions }) => {
      const models = {
        model: labModel(answerer, { runtime }),
        localizer: labModel(finder, { runtime }),
      };
      const all = conventions.map(parseConvention);
      return all.map((convention) =>
        localizedVqaScore({
          ...models,
          ...convention,
          memory,
          besides: all
            .filter(({ strategy }) => strategy === convention.strategy)
            .map(({ leakage }) => leakage),
        }),
      );
    }),
  ];
}

const readExperiment = (): z.output<typeof experimentSchema> =>
  experimentSchema.parse(labYaml("demo-attribute-confusion.yaml"));
