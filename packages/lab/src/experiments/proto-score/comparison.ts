import { calibration } from "touchstone-t2i/internal/analysis/calibration/calibration.js";
import { failureRateDifference } from "touchstone-t2i/internal/analysis/pairs/failure-rate-difference.js";
import type { PairSummary } from "touchstone-t2i/internal/analysis/pairs/pair-summary.js";
import { prototypicalityEffect } from "touchstone-t2i/internal/analysis/pairs/prototypicality-effect.js";
import type { TripletRow } from "touchstone-t2i/internal/analysis/pairs/triplets.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";

/** Score of an ordinary image (of no benchmark) against a right or a wrong sentence. */
export interface OrdinaryScore {
  /** Cluster of the bootstrap. */
  readonly scene: string;
  readonly isRight: boolean;
  readonly score: number | null;
}

/** Scores of one metric. */
export interface ProtoScoreAnswers {
  readonly name: string;
  /** How it was trained, in a few words. */
  readonly says: string;
  readonly rows: readonly TripletRow[];
  readonly ordinary: readonly OrdinaryScore[];
  /** Turns a score into P(the image shows the text); default: the score itself. */
  readonly probabilityOf?: (score: number) => number;
}

export interface Counted {
  readonly n: number;
  readonly unscored: number;
  readonly value: Estimate;
}

/** What training against prototypicality gains, and what it costs elsewhere. */
export interface ProtoScoreMethod {
  readonly name: string;
  readonly says: string;
  /** Failure rates, in [0, 1]. */
  readonly triplets: Counted;
  readonly controls: Counted;
  readonly reversed: Counted;
  /**
   * Failure rate of triplets minus that of reversed conflicts, in [-1, 1]. Above 0 the metric prefers the
   * typical image whatever the text says, below 0 the atypical one.
   */
  readonly prejudice: Counted;
  /** ROC-AUC: share of pairs in which a right sentence scores above a wrong one; ties count half. */
  readonly alignment: Counted;
  /** Expected calibration error of P(right) over the images of both conflicts; ten bins of equal width. */
  readonly calibrationError: Counted;
}

export interface ProtoScoreComparison {
  readonly methods: readonly ProtoScoreMethod[];
  readonly prompts: number;
  readonly scenes: number;
  /** Sentence that says how intervals were made. */
  readonly intervals: string;
}

export interface ComparisonOptions {
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
}

/**
 * Compares metrics trained against prototypicality with the metric they started from: failure rates on
 * triplets, controls and reversed conflicts, ordinary alignment and calibration. Intervals resample
 * prompts; those of ordinary alignment resample scenes.
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

/** Pairs both conflicts of one prompt and sample. */
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
      // ROC-AUC depends on the order of scores alone.
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

/** Triplets and reversed conflicts have each image once: right with one text, wrong with the other. */
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
