import { expectedCalibrationError } from "../../stats/calibration-error.js";
import type { Estimate } from "../../stats/estimate.js";
import { brierScore } from "../../stats/losses.js";
import { pairCounter, pairwiseAccuracy } from "../../stats/pair-counts.js";
import { ranked } from "../../stats/ranked.js";
import { reliabilityBins } from "../../stats/reliability-bins.js";
import { agreement } from "../agreement/agreement.js";
import { correlation } from "../correlation/correlation.js";
import { undefinedEstimate } from "../inference/intervals.js";
import { judgeCheck } from "../judge-check/judge-check.js";
import type { JudgeCheck } from "../judge-check/judge-conclusion.js";
import type { ClusteredRatio, Measured } from "./clustered-ratio.js";
import { type Comparisons, comparisonsOf } from "./comparisons.js";
import { type EvidenceItem, type EvidenceTable, meanAnswer } from "./evidence-table.js";
import {
  accuracyWithin,
  againstOthers,
  covariances,
  type TiesWithin,
  tiesWithin,
} from "./within-prompts.js";

/** How one metric agrees with people on one set. */
export interface MetricFigures {
  /** Items that it scored and people rated. */
  readonly n: number;
  readonly unscored: number;
  /** Pairs of one prompt of which people prefer one and it scored both. */
  readonly pairs: number;
  readonly accuracyWithin: Measured;
  /** The same where people's order is that of most raters, not of their mean; null where one alone rated. */
  readonly accuracyMajority: number | null;
  /** With people's ties as answers and its own chosen. */
  readonly accuracyTies: TiesWithin;
  /** Of all pairs of images, of one prompt or two. */
  readonly accuracyPooled: Estimate;
  readonly kendallTauB: Estimate;
  readonly spearman: Estimate;
  readonly pearson: Estimate;
  /** From chance (0) to what one rater reaches (1). */
  readonly ceilingShare: Measured;
  /** Share of pairs of generators whose means it orders as people do. */
  readonly generators: { readonly n: number; readonly accuracy: number | null };
  /** Of its probabilities, where people prefer one. */
  readonly calibration?: { readonly n: number; readonly brier: number; readonly ece: number };
}

/** A judge of pairs: its votes as a metric's scores (a tie is half, what can't be read is left out). */
export interface JudgeFigures extends MetricFigures {
  /** Its votes as `judge check` sees them; not part of shipped figures. */
  readonly check?: JudgeCheck;
}

export interface SetFigures {
  /** Items with an answer of people. */
  readonly n: number;
  readonly clusters: number;
  readonly people: {
    readonly raters: number;
    readonly alpha: Estimate;
    readonly ceiling: Measured;
  };
  readonly metrics: Readonly<Record<string, MetricFigures>>;
  readonly judges: Readonly<Record<string, JudgeFigures>>;
  /** Covariances of `accuracyWithin`, in the order of metrics, then judges. */
  readonly covariance: readonly (readonly number[])[];
}

/**
 * All figures of one set by one rule. Intervals are Student's t over prompts; of alpha, a percentile
 * bootstrap of items.
 */
export function setFigures(table: EvidenceTable): SetFigures {
  const rated = table.items.filter(({ people }) => people.some((answer) => answer !== null));
  const comparisons = comparisonsOf({ ...table, items: rated });
  const byMajority = { ...comparisons, people: comparisons.majority };
  const whole = { ...table, items: rated };
  const pooled = table.isPairs ? undefined : pooledFigures(whole);
  const figuresOf = (name: string, kind: "scores" | "votes") => {
    const scores = comparisons.scores[name] ?? new Float64Array();
    const within = accuracyWithin(comparisons, scores);
    const answered = rated.filter((item) => (item[kind][name] ?? null) !== null);
    const figures: MetricFigures = {
      n: answered.length,
      unscored: rated.length - answered.length,
      pairs: within.pairs,
      accuracyWithin: within.measured,
      accuracyMajority: accuracyWithin(byMajority, scores).measured.value,
      accuracyTies: tiesWithin(comparisons, scores),
      ...(pooled?.(name) ?? ofPairs),
      ceilingShare: againstOthers(comparisons, scores).share.measured,
      generators: generatorOrder(answered, name),
      ...calibrationOf(rated, name),
    };
    return { figures, within };
  };
  const metrics = table.metrics.map((name) => ({ name, ...figuresOf(name, "scores") }));
  const judges = table.judges.map((name) => ({ name, ...figuresOf(name, "votes") }));
  return {
    n: rated.length,
    clusters: comparisons.clusters,
    people: peopleFigures(rated, comparisons),
    metrics: Object.fromEntries(metrics.map(({ name, figures }) => [name, figures])),
    judges: Object.fromEntries(
      judges.map(({ name, figures }) => [name, { ...figures, check: checkOf(rated, name) }]),
    ),
    covariance: covariances([...metrics, ...judges].map(({ within }): ClusteredRatio => within)),
  };
}

const choice = (answer: number | null): "a" | "b" | "tie" | null =>
  answer === null ? null : answer === 0 ? "tie" : answer > 0 ? "a" : "b";

const checkOf = (items: readonly EvidenceItem[], name: string): JudgeCheck =>
  judgeCheck(
    items.map(({ id, prompt, people, votes }) => ({
      id,
      prompt,
      vote: choice(votes[name] ?? null),
      human: choice(meanAnswer(people)),
    })),
    { interval: "t" },
  );

function peopleFigures(rated: readonly EvidenceItem[], comparisons: Comparisons) {
  const raters = rated.reduce((most, { people }) => Math.max(most, people.length), 0);
  const alone = undefinedEstimate("one answer an item");
  if (raters < 2) return { raters, alpha: alone, ceiling: { ...alone, error: null } };
  const rows = rated.flatMap(({ id, people }) =>
    people.map((answer, rater) => ({
      item: id,
      annotator: String(rater),
      value: answer === null ? undefined : String(answer),
    })),
  );
  const { intervalsOf } = agreement(rows, { scale: "ordinal", resamples: 500 });
  return {
    raters,
    alpha: intervalsOf.krippendorffAlpha,
    ceiling: againstOthers(comparisons).ceiling.measured,
  };
}

const noRatings = undefinedEstimate("people compared pairs and rated nothing");
const ofPairs = {
  accuracyPooled: noRatings,
  kendallTauB: noRatings,
  spearman: noRatings,
  pearson: noRatings,
};

/** Coefficients over all rows, which also pay for telling easy prompts from hard ones. */
function pooledFigures({ items, metrics }: EvidenceTable) {
  if (metrics.length === 0) return undefined;
  const rows = items.map(({ id, prompt, people, scores }) => ({
    id,
    prompt,
    human: meanAnswer(people),
    scores: metrics.map((name) => scores[name] ?? null),
  }));
  const found = correlation({ human: "people", metrics, rows }, { interval: "t" }).metrics;
  return (name: string) => {
    const its = found[name];
    return (
      its && {
        accuracyPooled: its.pairwiseAccuracy,
        kendallTauB: its.kendallTauB,
        spearman: its.spearman,
        pearson: its.pearson,
      }
    );
  };
}

/** Generators by the mean of what people and the metric gave their images. */
function generatorOrder(items: readonly EvidenceItem[], name: string) {
  const byName = new Map<string, EvidenceItem[]>();
  for (const item of items) {
    if (item.generator === undefined) continue;
    byName.set(item.generator, [...(byName.get(item.generator) ?? []), item]);
  }
  const each = [...byName.values()];
  const mean = (of: (item: EvidenceItem) => number | null) =>
    Float64Array.from(each, (its) => meanAnswer(its.map(of)));
  const people = mean((item) => meanAnswer(item.people));
  const scores = mean((item) => item.scores[name] ?? null);
  const accuracy = pairwiseAccuracy(pairCounter(ranked(scores), ranked(people))());
  return { n: each.length, accuracy: Number.isNaN(accuracy) ? null : accuracy };
}

function calibrationOf(items: readonly EvidenceItem[], name: string) {
  const claimed = items.flatMap(({ people, probabilities }) => {
    const probability = probabilities[name] ?? null;
    const preferred = meanAnswer(people);
    return probability === null || preferred === 0
      ? []
      : [{ probability, label: Number(preferred > 0) }];
  });
  if (claimed.length === 0) return {};
  const labels = claimed.map(({ label }) => label);
  const probabilities = claimed.map(({ probability }) => probability);
  return {
    calibration: {
      n: claimed.length,
      brier: brierScore(labels, probabilities),
      ece: expectedCalibrationError(reliabilityBins(labels, probabilities)),
    },
  };
}
