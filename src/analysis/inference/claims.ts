import { benjaminiYekutieli } from "../../stats/adjusted-p-values.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  countedUnits,
  type ExactTest,
  exactLevel,
  exactText,
  type TestUnit,
} from "./exact-tests.js";
import { fewestToTell } from "./few-clusters.js";
import { noSpread } from "./intervals.js";
import { whichSide } from "./one-sided-bound.js";

/**
 * A claim as data: a statement of a paper, and the quantity that decides it here. `expected` says on
 * which side of `threshold` the quantity lies if the claim holds.
 */
export interface Claim<Quantity = unknown> {
  readonly statement: string;
  /** Section or table of the paper. */
  readonly source: string;
  readonly expected: "above" | "below";
  readonly threshold: number;
  /** The quantity to estimate, for whoever computes it. */
  readonly quantity: Quantity;
}

export type ClaimOutcome = "holds" | "fails" | "undecided";

/** Finding on a claim from the data of a run. */
export interface ClaimFinding {
  readonly statement: string;
  readonly source: string;
  /** The quantity that was estimated, in words, such as "difference in failure rate, a minus b". */
  readonly measured: string;
  readonly expected: "above" | "below";
  readonly threshold: number;
  readonly estimate: Estimate;
  readonly n: number;
  readonly outcome: ClaimOutcome;
  /** Why it is undecided; undefined where it is not. */
  readonly reason?: string;
}

/** Estimate for a claim, or why there is none. */
export type Measurement =
  | { readonly measured: string; readonly estimate: Estimate; readonly n: number }
  | { readonly measured: string; readonly missing: string };

/**
 * Judges a claim by the interval alone: it holds where the whole 95 % interval lies on the
 * side that it expects, it fails where the whole interval lies on the other, else it is undecided. Where
 * nothing or everything shows what is counted, the one-sided bounds stand in place of the interval; of
 * other numbers without spread the value does, and the test of whoever asks has the say.
 *
 * @example judgeByInterval({ expected: "below", threshold: 0, … }, { estimate: { value: -0.1, low: -0.2,
 *   high: -0.05 }, … }).outcome // "holds"
 */
export function judgeByInterval(claim: Claim, measurement: Measurement): ClaimFinding {
  const { statement, source, expected, threshold } = claim;
  const { measured } = measurement;
  const about = { statement, source, measured, expected, threshold };
  if ("missing" in measurement) {
    const estimate = { value: null, low: null, high: null, reason: measurement.missing };
    return { ...about, estimate, n: 0, outcome: "undecided", reason: measurement.missing };
  }
  const { estimate, n } = measurement;
  const undecided = (reason: string): ClaimFinding => ({
    ...about,
    estimate,
    n,
    outcome: "undecided",
    reason,
  });
  if (estimate.value === null) return undecided(estimate.reason ?? "it is undefined");
  const { low, high } = estimate.oneSided ?? estimate;
  const pointsOneWay = estimate.reason === noSpread;
  if ((low === null || high === null) && !pointsOneWay) {
    return undecided(estimate.reason ?? "it has no interval");
  }
  const side = whichSide(estimate, threshold);
  if (side === undefined) return undecided("the interval holds the threshold");
  return { ...about, estimate, n, outcome: side === expected ? "holds" : "fails" };
}

/** Shares and their differences are numbers from -1 to 1, shown in percent and points. */
export type ClaimScale =
  | "share"
  | "difference of shares"
  | "score"
  | "correlation"
  | "index"
  | "seconds";

/** How much of a run an estimate comes from. */
interface Sample {
  readonly scale: ClaimScale;
  /** Prompts or descriptions that the n come from. */
  readonly clusters: number;
  readonly clusteredBy: TestUnit;
}

/** Finding on a claim by an interval and an exact test together. */
export interface TestedFinding extends ClaimFinding, Sample {
  /** P-value of the two-sided exact test; undefined where too little was measured to test. */
  readonly p?: number;
  /** Over all that was tested together: `family` tests. */
  readonly pAdjusted?: number;
  readonly family?: number;
  /** Why the data say little about the claim, whatever its outcome. */
  readonly caveat?: string;
}

export type TestedMeasurement = { readonly caveat?: string } & (
  | (Sample & {
      readonly measured: string;
      readonly estimate: Estimate;
      readonly n: number;
      /** Tests the hypothesis that the quantity equals the threshold. */
      test(threshold: number): ExactTest;
    })
  | { readonly measured: string; readonly scale: ClaimScale; readonly missing: string }
);

/** A claim, and what was measured to decide it: a claim about several models is tried for each. */
export type TriedClaim = readonly [claim: Claim, measurement: TestedMeasurement];

/** How many tests p is adjusted over: those of the findings, and of what was judged with them. */
export const familyOf = (findings: readonly TestedFinding[]): number =>
  findings.find(({ family }) => family !== undefined)?.family ?? 0;

/** How `judgeClaims` decides, for whoever reads a table of findings. */
export function claimRule(findings: readonly TestedFinding[]): string {
  const family = familyOf(findings);
  const isWider = family > findings.filter(({ p }) => p !== undefined).length;
  return (
    "A claim holds where the whole 95 % interval of what was measured lies on the side that it expects and " +
    "an exact test over whole clusters (prompts, descriptions, queries) agrees, adjusted p below 0.05, " +
    "two-sided; it fails where both speak for the other side; else, and from fewer than " +
    `${fewestToTell} clusters, it is undecided. p is adjusted over the family of all tests of this table` +
    `${isWider ? " and of the verdict" : ""} (Benjamini-Yekutieli, ${family} tests); intervals are those ` +
    "of one claim alone."
  );
}

/**
 * Whether claims hold or fail: what the interval of each says of it, if an exact test over whole
 * clusters says so, too, when adjusted for all that were tested with it. Intervals from few clusters, or
 * from few that differ, are too narrow; and of twenty tests one is below 0.05 where
 * nothing is there. Every claim of which enough was measured is tested, whatever its interval: a family
 * that is chosen by what was found is no family. Adjusted by Benjamini and Yekutieli (2001), since claims
 * share metrics and images.
 */
export function judgeClaims(tried: readonly TriedClaim[]): TestedFinding[] {
  const found = tried.map(([claim, measurement]) => {
    const finding = foundBy(claim, measurement);
    const { clusters, estimate } = finding;
    const isTested = estimate.value !== null && clusters >= fewestToTell;
    return {
      finding,
      ...(isTested && "test" in measurement ? { test: measurement.test(claim.threshold) } : {}),
    };
  });
  const adjusted = benjaminiYekutieli(found.flatMap(({ test }) => (test ? [test.p] : [])));
  let at = 0;
  return found.map(({ finding, test }) => {
    if (test === undefined) return untested(finding);
    const pAdjusted = adjusted[at++] ?? 1;
    const tested = { ...finding, p: test.p, pAdjusted, family: adjusted.length };
    if (finding.outcome === "undecided" || pAdjusted < exactLevel) return tested;
    const among =
      adjusted.length === 1
        ? ""
        : `, ${Number(pAdjusted.toPrecision(3))} adjusted for ${adjusted.length} tests`;
    return { ...tested, outcome: "undecided", reason: `${exactText(test)}${among}` };
  });
}

/** That a difference is not 0: what a verdict says beside the claims of a paper. */
const differs: Claim = {
  statement: "the difference is not 0",
  source: "the verdict",
  expected: "above",
  threshold: 0,
  quantity: "difference",
};

/**
 * `judgeClaims`, and whether each difference that a verdict speaks of is significant: one family, so
 * that a verdict says of no difference what the claim about it does not.
 */
export function judgeWithVerdict(
  tried: readonly TriedClaim[],
  differences: readonly TestedMeasurement[],
): { readonly findings: readonly TestedFinding[]; readonly areSignificant: readonly boolean[] } {
  const stated = differences.map((measurement): TriedClaim => [differs, measurement]);
  const judged = judgeClaims([...tried, ...stated]);
  return {
    findings: judged.slice(0, tried.length),
    areSignificant: judged.slice(tried.length).map(({ outcome }) => outcome !== "undecided"),
  };
}

function foundBy(claim: Claim, measurement: TestedMeasurement): TestedFinding {
  const { scale, caveat } = measurement;
  const finding = {
    ...judgeByInterval(claim, measurement),
    ...(caveat === undefined ? {} : { caveat }),
  };
  if ("missing" in measurement) {
    return { ...finding, scale, clusters: 0, clusteredBy: "prompt" };
  }
  const { clusters, clusteredBy } = measurement;
  return { ...finding, scale, clusters, clusteredBy };
}

/** Leaves a finding from few clusters undecided, whatever its interval. */
function untested(finding: TestedFinding): TestedFinding {
  const { outcome, clusters, clusteredBy } = finding;
  if (outcome === "undecided") return finding;
  const reason = `only ${countedUnits(clusters, clusteredBy)}, at least ${fewestToTell} needed`;
  return { ...finding, outcome: "undecided", reason };
}
