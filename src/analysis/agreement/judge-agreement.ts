import { groupBy } from "../../core/arrays.js";
import { randomFrom } from "../../core/random.js";
import { cohenKappa } from "../../stats/cohen-kappa.js";
import type { Estimate } from "../../stats/estimate.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import { weightedResamples } from "../../stats/weighted-bootstrap.js";
import { type IntervalOptions, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { withBoundAfter } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import type { StereotypeRow } from "../stereotypes/stereotype-row.js";

/** An item that both the judge and an expert answered. */
export interface AnsweredByBoth extends StereotypeRow {
  readonly present: 0 | 1;
  readonly expert: 0 | 1;
}

export const isAnsweredByBoth = (row: StereotypeRow): row is AnsweredByBoth =>
  row.present !== null && (row.expert ?? null) !== null;

/** Rows that both answered: never none, so that a share of them is a number. */
type Answered = readonly [AnsweredByBoth, ...AnsweredByBoth[]];

/** How a judge's answers compare with an expert's on the same questions. */
export interface JudgeAgreement {
  readonly category: string;
  readonly model: string;
  readonly phase: StereotypeRow["phase"];
  /** Answers of both. */
  readonly n: number;
  /** The share of them that are the same. */
  readonly accuracy: number;
  /** Cohen's; null where both gave one answer throughout, so that chance explains it all. */
  readonly kappa: number | null;
  readonly reason?: string;
  /** The same with intervals that draw whole queries. */
  readonly intervalsOf: {
    readonly accuracy: Estimate & { readonly value: number };
    readonly kappa: Estimate;
  };
}

/**
 * One for each category, model and phase with an expert's answer, in the order of the rows. Intervals
 * are percentiles of a bootstrap over queries, whatever other intervals are made of.
 */
export function judgeAgreement(
  rows: readonly StereotypeRow[],
  options: Pick<IntervalOptions, "resamples" | "seed"> = {},
): JudgeAgreement[] {
  const groups = grouped(rows, ({ category, model, phase }) => [category, model, phase]);
  return groups.map((group) => {
    const [{ category, model, phase }] = group;
    const intervalsOf = estimatesOf(group, options);
    const { accuracy, kappa } = intervalsOf;
    return {
      category,
      model,
      phase,
      n: group.length,
      accuracy: accuracy.value,
      kappa: kappa.value,
      ...(kappa.value === null && kappa.reason !== undefined ? { reason: kappa.reason } : {}),
      intervalsOf,
    };
  });
}

/** How a judge's answers to one item compare with an expert's, over all models and phases. */
export interface ItemAgreement {
  readonly category: string;
  readonly item: string;
  /** Answers of both. */
  readonly n: number;
  /** Items among them that the expert finds present. */
  readonly present: number;
  /** Rows that the expert finds present and the judge does not. */
  readonly missed: number;
  /** Rows that the judge finds present and the expert does not. */
  readonly invented: number;
  /** With intervals that draw whole queries. */
  readonly intervalsOf: JudgeAgreement["intervalsOf"];
}

/** One for each category's item with an expert's answer, in the order of the rows. */
export function itemAgreement(
  rows: readonly StereotypeRow[],
  options: Pick<IntervalOptions, "resamples" | "seed"> = {},
): ItemAgreement[] {
  return grouped(rows, ({ category, item }) => [category, item]).map((group) => {
    const [{ category, item }] = group;
    const count = (judge: number, truth: number) =>
      group.filter(({ present, expert }) => present === judge && expert === truth).length;
    const [missed, invented] = [count(0, 1), count(1, 0)];
    return {
      category,
      item,
      n: group.length,
      present: count(1, 1) + missed,
      missed,
      invented,
      intervalsOf: estimatesOf(group, options),
    };
  });
}

/** Groups the rows that both answered by name, in the order of the rows. */
function grouped(
  rows: readonly StereotypeRow[],
  nameOf: (row: StereotypeRow) => readonly string[],
): Answered[] {
  const groups = groupBy(rows.filter(isAnsweredByBoth), (row) => JSON.stringify(nameOf(row)));
  return [...groups.values()];
}

function estimatesOf(
  rows: Answered,
  { resamples = 2000, seed = 0 }: Pick<IntervalOptions, "resamples" | "seed">,
): JudgeAgreement["intervalsOf"] {
  const { cluster, count } = promptClusters(
    rows.map(({ query }) => ({ id: query, prompt: query })),
  );
  // How often judge and expert said 00, 01, 10 and 11 of each query: all that both measures need.
  const cells = Array.from({ length: count }, () => [0, 0, 0, 0]);
  rows.forEach(({ present, expert }, at) => {
    const own = cells[cluster[at] ?? 0];
    const cell = 2 * present + expert;
    if (own !== undefined) own[cell] = (own[cell] ?? 0) + 1;
  });
  const totals = (times: ArrayLike<number>) => {
    const all = [0, 0, 0, 0];
    cells.forEach((own, at) => {
      own.forEach((n, cell) => {
        all[cell] = (all[cell] ?? 0) + n * (times[at] ?? 0);
      });
    });
    return all;
  };
  const accuracyOf = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) => (a + d) / (a + b + c + d);
  const kappaOf = (times: readonly number[]) =>
    cohenKappa([0, 0, 1, 1], [0, 1, 0, 1], "none", times);
  const all = totals(new Float64Array(count).fill(1));
  const kappa = kappaOf(all);
  const [accuracies, kappas] = weightedResamples({
    cluster: Int32Array.from({ length: count }, (_, at) => at),
    clusters: count,
    count: 2,
    resamples,
    random: randomFrom(seed, "judge and expert"),
    statistics(weights, into) {
      const drawn = totals(weights);
      into[0] = accuracyOf(drawn);
      into[1] = kappaOf(drawn);
    },
  });
  const within = (value: number, resampled: Float64Array | undefined) => {
    const bounds = count < 2 ? undefined : percentileInterval(resampled ?? []);
    return withInterval(value, bounds, { whenNone: "no interval from one query" });
  };
  return {
    accuracy: {
      ...withBoundAfter(within(accuracyOf(all), accuracies), () => count),
      value: accuracyOf(all),
    },
    kappa: Number.isNaN(kappa)
      ? undefinedEstimate("both gave the same answer throughout")
      : within(kappa, kappas),
  };
}
