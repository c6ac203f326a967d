import { calibration } from "../analysis/calibration/calibration.js";
import { failureRateDifference } from "../analysis/pairs/failure-rate-difference.js";
import type { PairSummary } from "../analysis/pairs/pair-summary.js";
import { prototypicalityEffect } from "../analysis/pairs/prototypicality-effect.js";
import type { TripletRow } from "../analysis/pairs/triplets.js";
import type { Estimate } from "../stats/estimate.js";

/** A score of an image of no benchmark against a sentence that is right or wrong about it. */
export interface OrdinaryScore {
  /** Scores of one scene are drawn together. */
  readonly scene: string;
  readonly isRight: boolean;
  readonly score: number | null;
}

/** One metric's scores of the test. */
export interface ProtoScoreAnswers {
  readonly name: string;
  /** How it was trained, in a few words. */
  readonly says: string;
  readonly rows: readonly TripletRow[];
  readonly ordinary: readonly OrdinaryScore[];
  /** P(the image shows the text), where that is not the score itself. */
  readonly probabilityOf?: (score: number) => number;
}

export interface Counted {
  readonly n: number;
  readonly unscored: number;
  readonly value: Estimate;
}

/** Gains of training against prototypicality, and its costs elsewhere. */
export interface ProtoScoreMethod {
  readonly name: string;
  readonly says: string;
  /** Failure rates, in [0, 1]. */
  readonly triplets: Counted;
  readonly controls: Counted;
  readonly reversed: Counted;
  /**
   * Failure rate of the triplets minus that of the reversed conflicts, in [-1, 1]: above 0 it prefers the
   * typical image, below 0 the atypical one, whatever the text says.
   */
  readonly prejudice: Counted;
  /** AUC: how often an image of no benchmark that is right scores above one that is wrong; a tie is half. */
  readonly alignment: Counted;
  /** Expected calibration error of P(right), ten bins of one width, over the images of both conflicts. */
  readonly calibrationError: Counted;
}

export interface ProtoScoreComparison {
  readonly methods: readonly ProtoScoreMethod[];
  readonly prompts: number;
  readonly scenes: number;
  /** How intervals were made, a sentence. */
  readonly intervals: string;
}

export interface ComparisonOptions {
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
}

/**
 * Sets metrics that were trained against prototypicality beside their start: triplets, controls, reversed
 * conflict, ordinary alignment and calibration. Intervals draw prompts, of ordinary alignment scenes.
 */
export function protoScoreComparison(
  answers: readonly ProtoScoreAnswers[],
  options: ComparisonOptions = {},
): ProtoScoreComparison {
  const all = answers.flatMap(({ rows }) => rows);
  const effects = answers.map(({ rows }) => prototypicalityEffect(rows, options));
  return {
    methods: answers.map((one, at) => {
      const [overall] = Object.values(effects[at]?.metrics ?? {}).map((metric) => metric.overall);
      return {
        name: one.name,
        says: one.says,
        triplets: failures(overall?.triplets),
        controls: failures(overall?.controls),
        reversed: failures(overall?.reversed),
        prejudice: prejudiceOf(one.rows, options),
        alignment: alignmentOf(one.ordinary, options),
        calibrationError: calibrationOf(one, options),
      };
    }),
    prompts: new Set(all.map(({ prompt }) => prompt)).size,
    scenes: new Set(answers.flatMap(({ ordinary }) => ordinary.map(({ scene }) => scene))).size,
    intervals: effects[0]?.intervals.text ?? "none: nothing was scored",
  };
}

const nothing: Counted = {
  n: 0,
  unscored: 0,
  value: { value: null, low: null, high: null, reason: "nothing was scored" },
};

const failures = (summary: PairSummary | undefined): Counted =>
  summary === undefined
    ? nothing
    : { n: summary.n, unscored: summary.unscored, value: summary.failureRate };

/** Both conflicts of one prompt and sample make a pair of rows. */
function prejudiceOf(rows: readonly TripletRow[], options: ComparisonOptions): Counted {
  const conflicts = rows
    .filter(({ comparison }) => comparison === "contrastive" || comparison === "reversed")
    .map((row) => ({ ...row, id: `${row.prompt}/${row.sample}`, metric: row.comparison }));
  const { n, ...value } = failureRateDifference(conflicts, {
    metric: "contrastive",
    than: "reversed",
    ...options,
  });
  return { n, unscored: conflicts.length / 2 - n, value };
}

function alignmentOf(ordinary: readonly OrdinaryScore[], options: ComparisonOptions): Counted {
  const { low, high } = rangeOf(ordinary);
  const { n, unscored, intervalsOf } = calibration(
    ordinary.map(({ scene, isRight, score }, at) => ({
      id: String(at),
      prompt: scene,
      label: Number(isRight),
      // The order is all that an area needs.
      probability: score === null ? null : (score - low) / (high - low),
    })),
    options,
  );
  return { n, unscored, value: intervalsOf.rocAuc };
}

function rangeOf(ordinary: readonly OrdinaryScore[]) {
  let [low, high] = [0, 1];
  for (const { score } of ordinary) {
    low = Math.min(low, score ?? low);
    high = Math.max(high, score ?? high);
  }
  return { low, high };
}

/** Triplets and reversed conflicts have each image once: two that are right, two that are wrong. */
function calibrationOf(
  { rows, probabilityOf = (score) => score }: ProtoScoreAnswers,
  options: ComparisonOptions,
): Counted {
  const conflicts = rows.filter(
    ({ comparison }) => comparison === "contrastive" || comparison === "reversed",
  );
  const { n, unscored, intervalsOf } = calibration(
    conflicts.flatMap(({ id, prompt, correct, adversarial }) =>
      [correct, adversarial].map((score, side) => ({
        id: `${id}/${side}`,
        prompt,
        label: 1 - side,
        probability: score === null ? null : probabilityOf(score),
      })),
    ),
    options,
  );
  return { n, unscored, value: intervalsOf.classwiseEce };
}
