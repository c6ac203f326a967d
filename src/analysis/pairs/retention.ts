import type { RecordOf } from "../../core/records.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { type BenchmarkRecords, imagePairs, type Selection, selector } from "./image-pairs.js";
import type { Comparison } from "./prototypicality-effect.js";

/** How many pairs of images a selection kept, and why the others went. */
export interface RetentionCount {
  readonly pairs: number;
  readonly kept: number;
  /** kept / pairs */
  readonly share: Estimate;
  /** The dropped by reason; the counts sum to pairs - kept. */
  readonly lost: Readonly<Record<string, number>>;
}

export interface Retention {
  readonly overall: RetentionCount;
  readonly domains: readonly (RetentionCount & { readonly domain: string })[];
  readonly intervals: IntervalMethod;
}

/**
 * How many pairs of images survive a selection, overall and by domain, with the reason for each
 * that does not (ProtoBias, section 4, "Dataset Filtration"). A pair stays only whole. Intervals
 * draw the pairs of one prompt together.
 */
export function retention({
  selection,
  comparison = "contrastive",
  intervals = {},
  ...records
}: BenchmarkRecords & {
  readonly selection: Selection;
  readonly comparison?: Comparison;
  readonly intervals?: IntervalOptions;
}): Retention {
  const why = selector(selection, records.scores);
  const pairs = imagePairs(records)
    .filter((pair) => pair.comparison === comparison)
    .map((pair) => ({
      id: pair.id,
      prompt: pair.prompt.key,
      domain: pair.prompt.domain,
      lost: why(pair),
    }));
  const domains = [...new Set(pairs.map(({ domain }) => domain))];
  const { cluster, count } = promptClusters(pairs);
  const table = clusterSums({
    cluster,
    clusters: count,
    group: Int32Array.from(pairs, ({ domain }) => domains.indexOf(domain)),
    groups: domains.length,
    columns: [
      Float64Array.from(pairs, () => 1),
      Float64Array.from(pairs, ({ lost }) => (lost === undefined ? 1 : 0)),
    ],
  });
  const method = intervalMethod(intervals, { clusters: count, clusteredBy: "prompt" });
  const all = domains.map((_, group) => group);
  const estimands = [all, ...all.map((group) => [group])].map((groups) => ({
    terms: [{ weight: 1, groups, numerator: 1, denominator: 0, whenEmpty: "no pair of images" }],
    within: [0, 1] as const,
  }));
  const shares = estimate(table, estimands, method).map((share, at) =>
    withOneSidedBound(share, estimands[at]?.terms ?? [], table),
  );
  const counted = (some: typeof pairs, share: Estimate | undefined): RetentionCount => ({
    pairs: some.length,
    kept: some.filter(({ lost }) => lost === undefined).length,
    share: share ?? { value: null, low: null, high: null, reason: "no pair of images" },
    lost: countsOf(some.flatMap(({ lost }) => (lost === undefined ? [] : [lost]))),
  });
  return {
    overall: counted(pairs, shares[0]),
    domains: domains.map((domain, index) => ({
      domain,
      ...counted(
        pairs.filter((pair) => pair.domain === domain),
        shares[index + 1],
      ),
    })),
    intervals: method,
  };
}

function countsOf(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of [...reasons].sort()) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** Prompts about one pair of the taxonomy that were not written, for one reason. */
export interface LeftOutPrompts {
  readonly domain: string;
  readonly category: string;
  readonly nonPrototype: string;
  readonly prototype: string;
  readonly reason: string;
  /** Why, in a sentence; of a triplet that broke rules, the rules' names. */
  readonly detail: string;
  readonly prompts: number;
}

/** Prompts without an answer, by pair and reason, in their own order. */
export function leftOutPrompts(prompts: Iterable<RecordOf<"prompt">>): LeftOutPrompts[] {
  const found = new Map<string, LeftOutPrompts>();
  for (const prompt of prompts) {
    if (prompt.status === "done") continue;
    const { domain, category, nonPrototype, prototype, reason } = prompt;
    const detail =
      reason === "unparsable" ? (prompt.detail.split(":")[0] ?? prompt.detail) : prompt.detail;
    const id = JSON.stringify([domain, category, nonPrototype, prototype, reason, detail]);
    const before = found.get(id)?.prompts ?? 0;
    const about = { domain, category, nonPrototype, prototype, reason, detail };
    found.set(id, { ...about, prompts: before + 1 });
  }
  return [...found.values()];
}
