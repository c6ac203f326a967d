import { InputError } from "../core/errors.js";
import { canonicalJson, type Json, type JsonObject } from "../core/json.js";
import {
  type Metric,
  type MetricDescription,
  type MetricScore,
  metricFacts,
  modelsBehind,
} from "../core/metric.js";
import type { About } from "../core/records.js";
import { partsOf } from "../core/score-parts.js";
import { partNamed, type Records, type Step, type StepContext } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import { scorePicture } from "../metrics/score-picture.js";

/** Item to score: an image against a text. */
export type ScoreTask = Pick<About<"score">, "of" | "image" | "text" | "structure"> & {
  /** Tells apart what is asked several times; 0 where not given. */
  readonly trial?: number;
};

/** Which images are scored against which texts. */
export interface ScorePlan {
  /** As the step's parameters say it. */
  readonly parameters: JsonObject;
  tasks(records: Records): AsyncIterable<ScoreTask>;
}

interface NamedStep {
  readonly name: string;
  readonly metric?: Metric;
  readonly part?: string;
  readonly plan: ScorePlan;
}

/** The step by which a metric scores what is planned. */
export const metricStep = ({
  metric,
  scorer = metric,
  ...step
}: NamedStep & {
  readonly metric: Metric;
  /** What records say of the metric, where its own description would not tell it from another. */
  readonly scorer?: MetricDescription;
}): Step<"score"> =>
  scoreStep({
    ...step,
    metric,
    scorer,
    async score({ image, text, structure }, context) {
      const result = await scorePicture(metric, await context.openPicture(image), text, {
        structure,
        signal: context.signal,
        trace: context.trace,
      });
      if (result.status === "scored") return result;
      throw new NoAnswer(result.reason, result.detail, { retryable: result.retryable });
    },
  });

/**
 * A step for each metric, so that a run can be scored by another one later.
 *
 * @throws InputError where two metrics could not be told apart in the run.
 */
export function metricSteps({
  metrics,
  ...step
}: Omit<NamedStep, "part"> & { readonly metrics: readonly Metric[] }): Step<"score">[] {
  const byPart = new Map<string, Metric>();
  for (const metric of metrics) {
    const part = scorePart(metric);
    const before = byPart.get(part);
    if (before !== undefined && factsText(before) !== factsText(metric)) {
      throw new InputError(
        `Expected one metric of each name, convention and model but received two of ${part}`,
        { hint: "Give one of them another name, or a run of its own." },
      );
    }
    byPart.set(part, metric);
  }
  return [...byPart].map(([part, metric]) => metricStep({ ...step, part, metric }));
}

/** The step by which whoever `scorer` describes scores what is planned. */
function scoreStep({
  plan,
  scorer,
  score,
  ...step
}: NamedStep & {
  readonly scorer: MetricDescription;
  readonly score: (about: About<"score">, context: StepContext) => Promise<MetricScore>;
}): Step<"score"> {
  const facts = factsOf(scorer);
  return {
    ...step,
    version: 1,
    produces: "score",
    parameters: { ...facts, ...plan.parameters },
    asks: modelsBehind(scorer),
    async *plan(records) {
      for await (const task of plan.tasks(records)) yield { trial: 0, ...task, ...facts };
    },
    async perform(about, context) {
      const given = await score(about, context);
      return { value: given.value, ...partsOf(given) };
    },
  };
}

/** The step that scores pictures by their recorded truth; a picture without one is unscored. */
export const truthStep = ({
  check,
  ...step
}: NamedStep & {
  readonly scorer: MetricDescription;
  readonly check: (truth: Json, about: About<"score">) => MetricScore;
}): Step<"score"> =>
  scoreStep({
    ...step,
    async score(about, context) {
      const known = await context.readTruth(about.of);
      if (known !== undefined) return check(known, about);
      throw new NoAnswer("not-applicable", "Nobody knows what is really in this picture");
    },
  });

/**
 * Part of a file's name that tells a metric's scores from another's: metric, convention, model and its
 * address, but not the model's revision. A run does not take one metric by two revisions of its model.
 */
export const scorePart = ({ name, convention, model, baseUrl }: MetricDescription): string =>
  partNamed(
    [name, convention, model.replace(/@\S*/g, ""), baseUrl?.replaceAll(/https?:\/\//g, "")].filter(
      (word) => word !== undefined,
    ),
  );

/** Members of a record that say who gave a score. */
function factsOf(scorer: MetricDescription) {
  const { range, ...facts } = metricFacts(scorer);
  return { ...facts, range: pair(...range) };
}

export const factsText = (metric: MetricDescription): string => canonicalJson(factsOf(metric));

/** Frozen, so that a plan's entries, which all have it, write it as JSON once. */
const pair = (low: number, high: number): [number, number] =>
  Object.freeze<[number, number]>([low, high]) as [number, number];
