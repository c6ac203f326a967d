import {
  type Claim,
  type ClaimScale,
  judgeWithVerdict,
  type TestedFinding,
  type TestedMeasurement,
  type TriedClaim,
} from "../../analysis/inference/claims.js";
import { meanByPrompt } from "../../analysis/inference/clustered-mean.js";
import {
  differenceTest,
  type ExactTest,
  effectTest,
  shareTest,
} from "../../analysis/inference/exact-tests.js";
import { metricOf, spokenName } from "../../analysis/inference/metric-name.js";
import { promptClusters } from "../../analysis/inference/prompt-clusters.js";
import {
  failureDifferences,
  meanDifference,
  misrankingDifferences,
} from "../../analysis/pairs/failure-rate-difference.js";
import { outcomeOf, PairTable } from "../../analysis/pairs/pair-sums.js";
import type { TripletRow } from "../../analysis/pairs/triplets.js";
import { once } from "../../core/cache.js";
import { randomFrom } from "../../core/random.js";
import { type Estimate, mirrored } from "../../stats/estimate.js";
import type { PrototypicalityQuantity } from "../paper-claims.js";
import type { PrototypicalityReport, SelectionResults } from "./conclusion.js";
import { secondsApart, type TimedScore } from "./score-times.js";

/** Evidence that decides the claims of ProtoBias: the selection of pairs that the verdict speaks of. */
export interface PrototypicalityEvidence
  extends Pick<PrototypicalityReport, "metrics" | "differences" | "tieTolerance"> {
  readonly results: Pick<SelectionResults, "metrics">;
  readonly rows: readonly TripletRow[];
  /** What every score took. */
  readonly timed: readonly TimedScore[];
  readonly seed: number;
}

/** With what several claims ask for, made once. */
interface Evidence extends PrototypicalityEvidence {
  readonly comparable: PairTable;
  readonly effects: ReadonlyMap<string, TestedMeasurement>;
}

export interface PrototypicalityFindings {
  /** Every claim for every model that its metrics have in the run. */
  readonly findings: readonly TestedFinding[];
  /** Metrics on which the effect of prototypicality is significant. */
  readonly effects: ReadonlySet<string>;
  /** Whether the failure rates differ significantly, for each of `evidence.differences`. */
  readonly differences: readonly boolean[];
}

/** The claims, and what the verdict may say: one family of tests. */
export function prototypicalityFindings(
  claims: readonly Claim<PrototypicalityQuantity>[],
  given: PrototypicalityEvidence,
): PrototypicalityFindings {
  const ids = given.results.metrics.map(({ metric }) => metric);
  const effects = new Map(ids.map((id) => [id, measuredEffect(id, given)]));
  const evidence: Evidence = { ...given, effects, comparable: comparableTriplets(given) };
  const tried = claims.flatMap((claim) =>
    measured(claim.quantity, evidence).map((measurement): TriedClaim => [claim, measurement]),
  );
  const { findings, areSignificant } = judgeWithVerdict(tried, [
    ...effects.values(),
    ...evidence.differences.map(({ metric, than }) => measuredDifference(metric, than, evidence)),
  ]);
  return {
    findings,
    effects: new Set(ids.filter((_, at) => areSignificant[at])),
    differences: areSignificant.slice(ids.length),
  };
}

const scales: Readonly<Record<PrototypicalityQuantity["kind"], ClaimScale>> = {
  effect: "difference of shares",
  "failure-rate": "share",
  "failure-rate-difference": "difference of shares",
  "misranking-difference": "difference of shares",
  "score-difference": "score",
  "seconds-difference": "seconds",
};

function measured(quantity: PrototypicalityQuantity, evidence: Evidence): TestedMeasurement[] {
  const { metrics, results } = evidence;
  const { kind, metric } = quantity;
  const scale = scales[kind];
  const named = (name: string) => metrics.filter((one) => one.metric === name);
  const wanted = [metric, ...("than" in quantity ? [quantity.than] : [])];
  const missing = wanted.filter((name) => named(name).length === 0);
  if (missing.length > 0) {
    const words = `the run has no ${missing.join(", no ")}`;
    return [{ measured: wanted.join(" and "), scale, missing: words }];
  }
  const spoken = (id: string) => spokenName({ metrics }, id);
  return named(metric).flatMap(({ id }): TestedMeasurement[] => {
    const overall = results.metrics.find((one) => one.metric === id);
    if (kind === "effect") return [evidence.effects.get(id) ?? measuredEffect(id, evidence)];
    if (kind === "failure-rate") {
      const rows = failing(id, evidence).filter(isTriplet);
      return [
        sampled({
          measured: `failure rate of ${spoken(id)}`,
          scale,
          estimate: overall?.overall.triplets.failureRate,
          rows,
          test: (threshold) => shareTest(rows, { threshold, unit }),
        }),
      ];
    }
    if (kind === "score-difference") {
      const { domain } = quantity;
      const rows = scoreDifferences(id, domain, evidence);
      return [
        sampled({
          measured: `${spoken(id)} of the correct image minus that of the typical wrong one, ${domain}`,
          scale,
          estimate: overall?.domains[domain]?.triplets.difference,
          rows,
          test: () => differenceTest(rows, { unit, random: randomOf(evidence, kind, id, domain) }),
        }),
      ];
    }
    const measure = comparing[kind];
    return named(quantity.than).map(({ id: than }) => measure(id, than, evidence));
  });
}

const unit = "prompt";

function measuredEffect(id: string, evidence: PrototypicalityEvidence): TestedMeasurement {
  const { metrics, results } = evidence;
  const rows = failing(id, evidence);
  return sampled({
    measured: `failure rate of ${spokenName({ metrics }, id)} minus that of its controls`,
    scale: scales.effect,
    estimate: results.metrics.find(({ metric }) => metric === id)?.overall.effect,
    rows,
    test: once(() => effectTest(rows, { unit, random: randomOf(evidence, "effect", id) })),
  });
}

function measuredDifference(metric: string, than: string, evidence: Evidence): TestedMeasurement {
  const { metrics, comparable, tieTolerance } = evidence;
  const rows = failureDifferences(comparable, { metric, than, tieTolerance });
  const kind = "failure-rate-difference";
  // Named in one order, so that both directions of a difference have the same p.
  const pair = [metric, than].sort();
  return sampled({
    measured: `failure rate of ${spokenName({ metrics }, metric)} minus that of ${spokenName({ metrics }, than)}`,
    scale: scales[kind],
    estimate: differenceOf(metric, than, evidence),
    rows,
    test: () => differenceTest(rows, { unit, random: randomOf(evidence, kind, ...pair) }),
  });
}

/** By how much each misranks, over all triplets: the paper's mean over failed ones has no exact test. */
function measuredMisranking(metric: string, than: string, evidence: Evidence): TestedMeasurement {
  const { metrics, seed, comparable } = evidence;
  const kind = "misranking-difference";
  const measured = `misranking of ${spokenName({ metrics }, metric)} minus that of ${spokenName({ metrics }, than)}, as shares of their ranges`;
  const widths = new Map(metrics.map(({ id, range: [low, high] }) => [id, high - low]));
  const endless = [metric, than].find((id) => !Number.isFinite(widths.get(id)));
  if (endless !== undefined) {
    return { measured, scale: scales[kind], missing: `${endless} has no range` };
  }
  const rows = misrankingDifferences(comparable, { metric, than, widths });
  return sampled({
    measured,
    scale: scales[kind],
    estimate: meanDifference(rows, { seed }),
    rows,
    test: () => differenceTest(rows, { unit, random: randomOf(evidence, kind, metric, than) }),
  });
}

/** Of the images that both scored, from asking to the answer. A model of the lab stands for no large one. */
function measuredSeconds(
  metric: string,
  than: string,
  evidence: PrototypicalityEvidence,
): TestedMeasurement {
  const { metrics, seed, timed } = evidence;
  const kind = "seconds-difference";
  const about = {
    measured: `seconds an image of ${spokenName({ metrics }, metric)} minus those of ${spokenName({ metrics }, than)}`,
    scale: scales[kind],
  };
  const { model } = metricOf({ metrics }, than);
  if (model.startsWith("lab:"))
    return { ...about, missing: `the judge ${model} is no large model` };
  const rows = secondsApart(timed, { metric, than });
  if (rows.length === 0) {
    return { ...about, missing: "the run's trace has times of both for no image" };
  }
  return sampled({
    ...about,
    estimate: meanByPrompt(rows, { seed, whenEmpty: "nothing was timed" }),
    rows,
    test: () => differenceTest(rows, { unit, random: randomOf(evidence, kind, metric, than) }),
  });
}

const comparing = {
  "failure-rate-difference": measuredDifference,
  "misranking-difference": measuredMisranking,
  "seconds-difference": measuredSeconds,
} as const;

const randomOf = ({ seed }: Pick<PrototypicalityEvidence, "seed">, ...about: readonly string[]) =>
  randomFrom(seed, "exact test", ...about);

interface Tested {
  readonly measured: string;
  readonly scale: ClaimScale;
  readonly estimate: Estimate | undefined;
  readonly rows: readonly { readonly id: string; readonly prompt?: string | undefined }[];
  test(threshold: number): ExactTest;
}

function sampled({ rows, estimate, ...tested }: Tested): TestedMeasurement {
  if (estimate === undefined || rows.length === 0) {
    const { measured, scale } = tested;
    return { measured, scale, missing: "nothing was scored" };
  }
  return {
    ...tested,
    estimate,
    n: rows.filter((row) => !("comparison" in row) || row.comparison === "contrastive").length,
    clusters: promptClusters(rows).count,
    clusteredBy: unit,
  };
}

type Scored = TripletRow & { readonly correct: number; readonly adversarial: number };

const isScored = (row: TripletRow): row is Scored =>
  row.correct !== null && row.adversarial !== null;

const isTriplet = ({ comparison }: Pick<TripletRow, "comparison">) => comparison === "contrastive";

/** The triplets and controls that a metric scored, 1 where it fails. */
function failing(id: string, { metrics, rows, tieTolerance }: PrototypicalityEvidence) {
  const direction = metrics.find((metric) => metric.id === id)?.direction ?? "higher";
  return rows
    .filter((row) => row.metric === id && row.comparison !== "reversed")
    .filter(isScored)
    .map((row) => ({
      id: row.id,
      prompt: row.prompt,
      comparison: row.comparison,
      value: Number(
        outcomeOf(row.correct, row.adversarial, { direction, tieTolerance }) !== "pass",
      ),
    }));
}

const scoreDifferences = (id: string, domain: string, { rows }: PrototypicalityEvidence) =>
  rows
    .filter((row) => row.metric === id && row.domain === domain && isTriplet(row))
    .filter(isScored)
    .map((row) => ({ id: row.id, prompt: row.prompt, value: row.correct - row.adversarial }));

/**
 * The triplets with the scores of metrics where less is better as if more were: for comparing, never
 * for means.
 */
export function comparableTriplets({
  metrics,
  rows,
}: Pick<PrototypicalityEvidence, "metrics" | "rows">): PairTable {
  const directions = new Map(metrics.map(({ id, direction }) => [id, direction]));
  const minus = (score: number | null) => (score === null ? null : -score);
  return PairTable.of(
    rows
      .filter(isTriplet)
      .map((row) =>
        directions.get(row.metric) === "lower"
          ? { ...row, correct: minus(row.correct), adversarial: minus(row.adversarial) }
          : row,
      ),
  );
}

/** Returns the difference of two metrics; the report has each pair in one order only. */
function differenceOf(metric: string, than: string, { differences }: PrototypicalityEvidence) {
  const between = (one: string, other: string) =>
    differences.find((each) => each.metric === one && each.than === other)?.difference;
  const other = between(than, metric);
  return between(metric, than) ?? (other === undefined ? undefined : mirrored(other));
}
