import { picked } from "../../core/row-codes.js";
import { type TextColumn, textAt } from "../../core/text-column.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import { meanOfSums } from "../inference/clustered-mean.js";
import { RowNames } from "../inference/prompt-clusters.js";
import type { DomainSums, PairEvidence } from "./contrastive.js";
import { differenceOptions, tieCounts } from "./failure-rate-difference.js";
import { type PairRule, sumColumn } from "./pair-sums.js";

/** Sums of pairs by column. */
export interface PairCells
  extends Readonly<Record<"cluster" | "metric" | "domain" | "other", TextColumn>> {
  /** Rows that sum one metric's pairs of one cluster and domain. */
  readonly cells: Int32Array;
  /** Rows that sum those of them that an `other` metric scored, too. */
  readonly others: Int32Array;
  /** Rows that say how many ids were scored by `scoredBy` metrics. */
  readonly ids: Int32Array;
  /** 1 where the cluster is a prompt, 0 where it is a row's id. */
  readonly prompted: Float64Array;
  /** Pairs, scored or not. */
  readonly pairs: Float64Array;
  readonly scoredBy: Float64Array;
  /** How often the right image scores above the wrong one, the same, and below. */
  readonly above: Float64Array;
  readonly ties: Float64Array;
  readonly below: Float64Array;
  /** The same of the other metric. */
  readonly otherAbove: Float64Array;
  readonly otherTies: Float64Array;
  readonly otherBelow: Float64Array;
  /** Sums over scored pairs, each rounded once. */
  readonly correct: Float64Array;
  readonly adversarial: Float64Array;
  readonly difference: Float64Array;
  /** The differences of pairs above, and of those below. */
  readonly differenceAbove: Float64Array;
  readonly differenceBelow: Float64Array;
}

/** What sums tell, of all rows or of some: the same, to the last bit, as the rows that they sum. */
export function evidenceOfCells(
  table: PairCells,
  isIn: (row: number) => boolean = () => true,
): PairEvidence {
  const { cluster, metric, other, prompted, pairs, scoredBy, above, ties, below } = table;
  const own = table.cells.filter(isIn);
  const others = table.others.filter(isIn);
  const ids = table.ids.filter(isIn);
  const metrics = [...new Set(Array.from(own, (at) => textAt(metric, at) ?? ""))].sort();
  const names = new RowNames({
    id: cluster,
    prompt: {
      codes: cluster.codes.map((code, at) => (prompted[at] === 1 ? code : -1)),
      names: cluster.names,
    },
  });
  const total = (of: Float64Array, some: Int32Array) => picked(of, some).reduce((a, b) => a + b, 0);
  const scoredIn = (where: (at: number) => boolean) => total(pairs, ids.filter(where));
  return {
    metrics,
    length: total(pairs, own),
    prompted: total(
      pairs,
      own.filter((at) => prompted[at] === 1),
    ),
    isWeighted: false,
    scoredIds: () => ({
      any: scoredIn((at) => (scoredBy[at] ?? 0) > 0),
      every: scoredIn((at) => (scoredBy[at] ?? 0) > 0 && scoredBy[at] === metrics.length),
    }),
    sumsOf(name, { direction }: PairRule): DomainSums {
      const its = own.filter((at) => textAt(metric, at) === name);
      return metricSums(table, { cells: its, names, direction });
    },
    differenceOf({ metric: name, than, direction = "higher", ties: as = "fail", ...options }) {
      const both = others.filter((at) => textAt(metric, at) === name && textAt(other, at) === than);
      const { otherAbove, otherTies, otherBelow } = table;
      const [fails, othersFail] =
        direction === "higher" ? [below, otherBelow] : [above, otherAbove];
      const failures = (wrong: Float64Array, tied: Float64Array, at: number) =>
        (wrong[at] ?? 0) + tieCounts[as] * (tied[at] ?? 0);
      return meanOfSums(
        {
          ...names.clusters(both),
          isPrompted: names.prompted(both) > 0,
          counts: picked(pairs, both),
          sums: Float64Array.from(
            both,
            (at) => failures(fails, ties, at) - failures(othersFail, otherTies, at),
          ),
        },
        { ...options, ...differenceOptions },
      );
    },
  };
}

/** One metric's sums by cluster and domain. */
function metricSums(
  table: PairCells,
  {
    cells,
    names,
    direction,
  }: {
    readonly cells: Int32Array;
    readonly names: RowNames;
    readonly direction: PairRule["direction"];
  },
): DomainSums {
  const { domain, pairs, above, ties, below } = table;
  const [right, wrong] = direction === "higher" ? [above, below] : [below, above];
  const domains = [...new Set(Array.from(cells, (at) => textAt(domain, at) ?? ""))]
    .sort()
    .map((name, group) => ({ name, group }));
  const groupOf = new Map(domains.map(({ name, group }) => [name, group]));
  const groups = cells.map((at) => groupOf.get(textAt(domain, at) ?? "") ?? 0);
  const counts = domains.map(() => ({ n: 0, unscored: 0, ties: 0, failures: 0 }));
  const scoredOf = (at: number) => (above[at] ?? 0) + (ties[at] ?? 0) + (below[at] ?? 0);
  cells.forEach((at, place) => {
    const count = counts[groups[place] ?? 0];
    if (count === undefined) return;
    const n = scoredOf(at);
    count.n += n;
    count.unscored += (pairs[at] ?? 0) - n;
    count.ties += ties[at] ?? 0;
    count.failures += (wrong[at] ?? 0) + (ties[at] ?? 0);
  });
  const isScored = cells.map((at) => (scoredOf(at) > 0 ? 1 : 0));
  const scored = cells.filter((_, place) => isScored[place] === 1);
  const column = (of: (at: number) => number) => Float64Array.from(scored, of);
  const margins = (isRight: boolean) =>
    isRight === (direction === "higher") ? table.differenceAbove : table.differenceBelow;
  const columns: Readonly<Record<keyof typeof sumColumn, Float64Array>> = {
    n: column(scoredOf),
    failures: column((at) => (wrong[at] ?? 0) + (ties[at] ?? 0)),
    strictFailures: picked(wrong, scored),
    passes: picked(right, scored),
    correct: picked(table.correct, scored),
    adversarial: picked(table.adversarial, scored),
    difference: picked(table.difference, scored),
    correctMargin: picked(margins(true), scored).map(Math.abs),
    incorrectMargin: picked(margins(false), scored).map(Math.abs),
  };
  const { cluster, count } = names.clusters(scored);
  return {
    domains,
    counts,
    stoodFor: counts.map(({ n, unscored, failures }) => {
      return { rows: n + unscored, unscored, failures };
    }),
    isScalable: true,
    sums: clusterSums({
      cluster,
      group: groups.filter((_, place) => isScored[place] === 1),
      columns: Object.keys(sumColumn).map((name) => columns[name as keyof typeof sumColumn]),
      clusters: count,
      groups: domains.length,
    }),
  };
}
