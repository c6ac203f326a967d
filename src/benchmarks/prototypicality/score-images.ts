import { InputError } from "../../core/errors.js";
import { canonicalJson, type Json } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import {
  type Metric,
  type MetricDescription,
  type MetricScore,
  metricFacts,
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
  const same = underEvaluation.find(({ model }) => model === rater.model);
  if (same !== undefined) {
    throw new InputError(
      `Expected a rater that is not under evaluation but received ${rater.model}, which ${same.name} uses`,
      { hint: "Filter with another model, or leave the metric out." },
    );
  }
  return scoreStep({ name: "rate-images", metrics: [rater], textOf: "own-prompt" });
}

/** The step that puts the question: each metric scores each image against the text of its prompt. */
export function scoreImages({ metrics }: { readonly metrics: readonly Metric[] }): Step<"score"> {
  return scoreStep({ name: "score-images", metrics, textOf: "prompt-text" });
}

/** The step that checks by the truth whether each image shows what its own prompt says. */
export function checkTruth({ truth }: { readonly truth: TruthCheck }): Step<"score"> {
  return collectScores({
    name: "check-truth",
    scorers: [truth],
    textOf: "own-prompt",
    async score(scorer, { image, text }, context) {
      const known = await context.readTruth(image);
      if (known === undefined) {
        throw new NoAnswer("not-applicable", "Nobody knows what is really in this picture");
      }
      return scorer.check({ truth: known, text });
    },
  });
}

/** The step by which metrics score every image that was made, image by image. */
function scoreStep({
  name,
  metrics,
  textOf,
}: {
  readonly name: string;
  readonly metrics: readonly Metric[];
  readonly textOf: TextOf;
}): Step<"score"> {
  return collectScores({
    name,
    scorers: metrics,
    textOf,
    async score(metric, { image, text }, context) {
      const picture = await context.openPicture(image);
      const result = await scorePicture(metric, picture, text, { signal: context.signal });
      if (result.status === "scored") return result;
      throw new NoAnswer(result.reason, result.detail, { retryable: result.retryable });
    },
  });
}

function collectScores<Scorer extends MetricDescription>({
  name,
  scorers,
  textOf,
  score,
}: {
  readonly name: string;
  readonly scorers: readonly Scorer[];
  readonly textOf: TextOf;
  readonly score: (
    scorer: Scorer,
    about: About<"score">,
    context: StepContext,
  ) => Promise<MetricScore>;
}): Step<"score"> {
  const byIdentity = new Map(scorers.map((scorer) => [identityOf(factsOf(scorer)), scorer]));
  return {
    name,
    version: 1,
    produces: "score",
    parameters: { metrics: scorers.map(factsOf), textOf },
    async *plan(records) {
      const texts = new Map<Key, string>();
      for await (const prompt of records.ofType("prompt")) {
        if (prompt.status === "done") texts.set(prompt.key, prompt.text);
      }
      for await (const image of records.ofType("image")) {
        if (image.status !== "done") continue;
        const text = textOf === "own-prompt" ? image.text : texts.get(image.prompt);
        if (text === undefined) continue;
        for (const scorer of byIdentity.values()) {
          yield { of: image.key, image: image.image, text, ...factsOf(scorer), trial: 0 };
        }
      }
    },
    async perform(about, context) {
      const scorer = byIdentity.get(identityOf(about));
      if (scorer === undefined) {
        throw new RangeError(`Expected a metric of this step but received ${about.metric}`);
      }
      const { value, question } = await score(scorer, about, context);
      return { value, ...(question === undefined ? {} : { question }) };
    },
  };
}

/** What a record says of who gave a score. */
function factsOf(scorer: MetricDescription) {
  const { range, ...facts } = metricFacts(scorer);
  return { ...facts, range: pair(...range) };
}

const pair = (low: number, high: number): [number, number] => [low, high];

/** Tells scorers of one step apart. */
const identityOf = ({
  metric,
  metricVersion,
  convention = "",
  template = "",
  model,
}: Pick<
  About<"score">,
  "metric" | "metricVersion" | "convention" | "template" | "model"
>): string => canonicalJson([metric, metricVersion, convention, template, model]);
