import { InputError } from "../../core/errors.js";
import { canonicalJson, type Json } from "../../core/json.js";
import { type Key, keyOf } from "../../core/keys.js";
import {
  type Metric,
  type MetricDescription,
  type MetricScore,
  metricFacts,
  modelsBehind,
} from "../../core/metric.js";
import type { About } from "../../core/records.js";
import type { Step, StepContext } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import { scorePicture } from "../../metrics/score-picture.js";

/** Like a metric, but told what is really in a picture instead of being shown it. */
export interface TruthCheck extends MetricDescription {
  /** 1 where everything that `text` says is in the picture, else 0. */
  check(input: { readonly truth: Json; readonly text: string }): MetricScore;
}

/** Each image against the sentence it was made from, or against the text of its prompt. */
export type TextOf = "own-prompt" | "prompt-text";

/**
 * The step of the paper's filtration: `rater` rates each image against its *own* generation prompt.
 * What is kept is decided later, from the ratings.
 *
 * @throws InputError where the rater's model is also behind a metric `underEvaluation`: a model
 *   that chooses the images it is examined on examines itself.
 */
export function rateImages({
  rater,
  underEvaluation = [],
}: {
  readonly rater: Metric;
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
  return scoreStep({ name: "rate-images", metric: rater, textOf: "own-prompt" });
}

/**
 * The steps that put the question: each metric scores each image against the text of its prompt.
 * Each metric has a step of its own, so that a run can be scored by another one later.
 */
export function scoreImages({ metrics }: { readonly metrics: readonly Metric[] }): Step<"score">[] {
  const byPart = new Map<string, Metric>();
  for (const metric of metrics) {
    const part = partOf(metric);
    const before = byPart.get(part);
    if (before !== undefined && factsText(before) !== factsText(metric)) {
      throw new InputError(
        `Expected one metric of each name, convention and model but received two of ${part}`,
        { hint: "Give one of them another name, or a run of its own." },
      );
    }
    byPart.set(part, metric);
  }
  return [...byPart].map(([part, metric]) =>
    scoreStep({ name: "score-images", part, metric, textOf: "prompt-text" }),
  );
}

/**
 * What tells a metric's scores from another's in file names: metric, convention and model, but not
 * the model's revision. A run does not take one metric by two revisions of its model.
 */
function partOf({ name, convention, model }: MetricDescription): string {
  const words = [name, convention, model.replace(/@\S*/g, "")].filter((word) => word !== undefined);
  const part = words
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  // File systems take names of 255 bytes.
  return part.length > 0 && part.length <= 120 ? part : `${part.slice(0, 100)}${keyOf(words)}`;
}

/** The step that checks by the truth whether each image shows what its own prompt says. */
export function checkTruth({ truth }: { readonly truth: TruthCheck }): Step<"score"> {
  return collectScores({
    name: "check-truth",
    scorer: truth,
    textOf: "own-prompt",
    async score({ of, text }, context) {
      const known = await context.readTruth(of);
      if (known === undefined) {
        throw new NoAnswer("not-applicable", "Nobody knows what is really in this picture");
      }
      return truth.check({ truth: known, text });
    },
  });
}

/** The step by which a metric scores every image that was made. */
function scoreStep({
  metric,
  ...step
}: {
  readonly name: string;
  readonly part?: string;
  readonly metric: Metric;
  readonly textOf: TextOf;
}): Step<"score"> {
  return collectScores({
    ...step,
    scorer: metric,
    async score({ image, text }, context) {
      const picture = await context.openPicture(image);
      const result = await scorePicture(metric, picture, text, {
        signal: context.signal,
        trace: context.trace,
      });
      if (result.status === "scored") return result;
      throw new NoAnswer(result.reason, result.detail, { retryable: result.retryable });
    },
  });
}

function collectScores({
  scorer,
  textOf,
  score,
  ...step
}: {
  readonly name: string;
  readonly part?: string;
  readonly scorer: MetricDescription;
  readonly textOf: TextOf;
  readonly score: (about: About<"score">, context: StepContext) => Promise<MetricScore>;
}): Step<"score"> {
  const facts = factsOf(scorer);
  return {
    ...step,
    version: 1,
    produces: "score",
    parameters: { ...facts, textOf },
    async *plan(records) {
      const texts = new Map<Key, string>();
      for await (const prompt of records.ofType("prompt")) {
        if (prompt.status === "done") texts.set(prompt.key, prompt.text);
      }
      for await (const image of records.ofType("image")) {
        if (image.status !== "done") continue;
        const text = textOf === "own-prompt" ? image.text : texts.get(image.prompt);
        if (text === undefined) continue;
        yield { of: image.key, image: image.image, text, ...facts, trial: 0 };
      }
    },
    async perform(about, context) {
      const { value, question, details } = await score(about, context);
      return {
        value,
        ...(question === undefined ? {} : { question }),
        ...(details === undefined ? {} : { details }),
      };
    },
  };
}

/** What a record says of who gave a score. */
function factsOf(scorer: MetricDescription) {
  const { range, ...facts } = metricFacts(scorer);
  return { ...facts, range: pair(...range) };
}

const factsText = (metric: MetricDescription): string => canonicalJson(factsOf(metric));

const pair = (low: number, high: number): [number, number] => [low, high];
