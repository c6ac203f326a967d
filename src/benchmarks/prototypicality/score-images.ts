import { retention } from "../../analysis/pairs/retention.js";
import { InputError } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import {
  type Metric,
  type MetricDescription,
  type MetricScore,
  modelsBehind,
} from "../../core/metric.js";
import type { Step } from "../../core/step.js";
import { readRunRecords } from "../run-records.js";
import { metricStep, metricSteps, type ScorePlan, truthStep } from "../score-step.js";
import { type RunFilter, refuseNothingKept } from "./run-filter.js";

/** Like a metric, but told what is really in a picture instead of being shown it. */
export interface TruthCheck extends MetricDescription {
  /** 1 where everything that `text` says is in the picture, else 0. */
  check(input: { readonly truth: Json; readonly text: string }): MetricScore;
}

/** Each image against the sentence it was made from, or against the text of its prompt. */
type TextOf = "own-prompt" | "prompt-text";

/**
 * The step of the paper's filtration: `rater` rates each image against its *own* generation prompt.
 * What is kept is decided later, from the ratings.
 *
 * @throws InputError where the rater's model is also behind a metric `underEvaluation`: a model
 *   that chooses the images it is examined on examines itself.
 */
export function rateImages({
  rater,
  keepFrom,
  underEvaluation = [],
}: {
  readonly rater: Metric;
  /** The least rating that stays, for whoever concludes; the paper's 8 where not given. */
  readonly keepFrom?: number | undefined;
  readonly underEvaluation?: readonly Metric[];
}): Step<"score"> {
  const same = underEvaluation.find((metric) =>
    modelsBehind(metric).some((model) => modelsBehind(rater).includes(model)),
  );
  if (same !== undefined) {
    throw new InputError(
      `Expected a rater that is not under evaluation but received ${rater.model}, which ${same.name} uses`,
      { hint: "Filter with another model, or leave the metric out." },
    );
  }
  const step = metricStep({ name: "rate-images", metric: rater, plan: against("own-prompt") });
  return keepFrom === undefined ? step : { ...step, parameters: { ...step.parameters, keepFrom } };
}

/**
 * The steps that put the question: each metric scores each image against the text of its prompt.
 * Each metric has a step of its own, so that a run can be scored by another one later.
 */
export const scoreImages = ({
  metrics,
  filter,
}: {
  readonly metrics: readonly Metric[];
  /** Where it kept no pair nothing is scored. */
  readonly filter?: RunFilter | undefined;
}): Step<"score">[] => {
  const plan = against("prompt-text");
  return metricSteps({
    name: "score-images",
    metrics,
    plan: filter === undefined ? plan : whereKept(filter, plan),
  });
};

/** @throws IncompleteError, on planning, where the filter kept none of the pairs. */
const whereKept = (filter: RunFilter, plan: ScorePlan): ScorePlan => ({
  ...plan,
  async *tasks(records) {
    const { prompts, images, scores } = await readRunRecords(records);
    const kept = retention({
      prompts,
      images,
      scores,
      selection: filter.selection,
      intervals: { resamples: 1 },
    });
    refuseNothingKept(kept, {
      ...filter,
      hint:
        "Nothing was scored. Lower --keep-from, rate with another model, or score all images without " +
        "--rate-with",
    });
    yield* plan.tasks(records);
  },
});

/** The step that checks by the truth whether each image shows what its own prompt says. */
export const checkTruth = ({ truth }: { readonly truth: TruthCheck }): Step<"score"> =>
  truthStep({
    name: "check-truth",
    scorer: truth,
    plan: against("own-prompt"),
    check: (known, { text }) => truth.check({ truth: known, text }),
  });

/** Every image that was made, against one of the texts that belong to it. */
const against = (textOf: TextOf): ScorePlan => ({
  parameters: { textOf },
  async *tasks(records) {
    const texts = new Map<Key, string>();
    for await (const prompt of records.ofType("prompt")) {
      if (prompt.status === "done") texts.set(prompt.key, prompt.text);
    }
    for await (const image of records.ofType("image")) {
      if (image.status !== "done") continue;
      const text = textOf === "own-prompt" ? image.text : texts.get(image.prompt);
      if (text !== undefined) yield { of: image.key, image: image.image, text };
    }
  },
});
