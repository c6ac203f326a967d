import { type ClusterSums, clusterSums } from "../../stats/cluster-sums.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { type ScoreRange, type ScoreScale, scaleEnds } from "./score-scale.js";
import { isTie, type TieOptions } from "./score-ties.js";

/** One metric's scores of a right and a wrong image for one text; null where it gave no answer. */
export interface PairRow {
  /** Names the pair; no other pair of the same metric has it. */
  readonly id: string;
  readonly metric: string;
  readonly domain: string;
  /** Rows of one prompt are not independent: intervals draw them together. */
  readonly prompt?: string | undefined;
  /** Score of the image that is right. */
  readonly correct: number | null;
  /** Score of the image that is wrong. */
  readonly adversarial: number | null;
}

export type Direction = "higher" | "lower";

/** Position of each sum in a cell of `PairSums.sums`. */
export const sumColumn = {
  n: 0,
  failures: 1,
  strictFailures: 2,
  passes: 3,
  correct: 4,
  adversarial: 5,
  difference: 6,
  correctMargin: 7,
  incorrectMargin: 8,
} as const;

/** How many rows a group has, by outcome. */
export interface PairCounts {
  readonly n: number;
  readonly unscored: number;
  readonly ties: number;
  readonly failures: number;
}

/** One metric's rows, summed by prompt and group. */
export interface PairSums {
  /** Counts of each group. */
  readonly counts: readonly PairCounts[];
  readonly sums: ClusterSums;
  /** False where scores were to be scaled but are all the same: their means are undefined. */
  readonly isScalable: boolean;
}

type Outcome = "pass" | "tie" | "fail";

/** Tests if the pair is a failure (ProtoBias Eq. 5), and if it is one by a tie (`isTie`). */
export function outcomeOf(
  correct: number,
  adversarial: number,
  { direction, tieTolerance }: TieOptions & { readonly direction: Direction },
): Outcome {
  if (isTie(adversarial, correct, tieTolerance)) return "tie";
  return adversarial > correct === (direction === "higher") ? "fail" : "pass";
}

/**
 * Judges and sums one metric's rows: compares the scores as they are given, then scales what is
 * averaged. `groupOf` says which of `groups` groups a row belongs to.
 *
 * @throws InputError where `scale` is "range" and `range` is missing or too narrow.
 */
export function pairSums<Row extends PairRow>(
  rows: readonly Row[],
  {
    metric,
    groups,
    groupOf,
    direction,
    scale = "none",
    range,
    tieTolerance,
  }: TieOptions & {
    readonly metric: string;
    readonly groups: number;
    readonly groupOf: (row: Row) => number;
    readonly direction: Direction;
    readonly scale?: ScoreScale;
    readonly range?: ScoreRange | undefined;
  },
): PairSums {
  const counts = Array.from({ length: groups }, () => ({
    n: 0,
    unscored: 0,
    ties: 0,
    failures: 0,
  }));
  const rule = { direction, tieTolerance };
  const scored: ScoredRow<Row>[] = [];
  const outcomes: Outcome[] = [];
  const group: number[] = [];
  for (const row of rows) {
    const { correct, adversarial } = row;
    const its = groupOf(row);
    const count = counts[its];
    if (count === undefined)
      throw new RangeError(`Expected a group below ${groups} but got ${its}`);
    if (correct === null || adversarial === null) {
      count.unscored += 1;
      continue;
    }
    const outcome = outcomeOf(correct, adversarial, rule);
    count.n += 1;
    if (outcome === "tie") count.ties += 1;
    if (outcome !== "pass") count.failures += 1;
    // Checked above; not copied, since there may be millions.
    scored.push(row as ScoredRow<Row>);
    outcomes.push(outcome);
    group.push(its);
  }

  const ends = scaleEnds({ scale, metric, pairs: scored, range });
  const { cluster, count } = promptClusters(scored);
  return {
    counts,
    sums: clusterSums({
      cluster,
      group: Int32Array.from(group),
      columns: pairColumns(scored, outcomes, ends),
      clusters: count,
      groups,
    }),
    isScalable: scale === "none" || ends !== undefined,
  };
}

/** Summands of each row, in the order of `sumColumn`. */
function pairColumns(
  scored: readonly ScoredRow<PairRow>[],
  outcomes: readonly Outcome[],
  ends: readonly [low: number, high: number] | undefined,
): Float64Array[] {
  const [low, high] = ends ?? [0, 1];
  const columns = columnNames.map(() => new Float64Array(scored.length));
  const of = (name: keyof typeof sumColumn) => columns[sumColumn[name]] ?? new Float64Array();
  of("n").fill(1);
  const failures = of("failures");
  const strictFailures = of("strictFailures");
  const passes = of("passes");
  const rightScores = of("correct");
  const wrongScores = of("adversarial");
  const differences = of("difference");
  const correctMargins = of("correctMargin");
  const incorrectMargins = of("incorrectMargin");
  for (const [row, { correct, adversarial }] of scored.entries()) {
    const difference = (correct - adversarial) / (high - low);
    rightScores[row] = ends ? (correct - low) / (high - low) : correct;
    wrongScores[row] = ends ? (adversarial - low) / (high - low) : adversarial;
    differences[row] = difference;
    const outcome = outcomes[row];
    if (outcome === "pass") {
      passes[row] = 1;
      correctMargins[row] = Math.abs(difference);
    } else {
      failures[row] = 1;
      if (outcome !== "fail") continue;
      strictFailures[row] = 1;
      incorrectMargins[row] = Math.abs(difference);
    }
  }
  return columns;
}

type ScoredRow<Row extends PairRow> = Row & {
  readonly correct: number;
  readonly adversarial: number;
};

const columnNames = Object.keys(sumColumn) as (keyof typeof sumColumn)[];

/** The rows of each metric, metrics in the order in which they first occur. */
export function byMetric<Row extends PairRow>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.metric);
    if (group) group.push(row);
    else groups.set(row.metric, [row]);
  }
  return groups;
}

/** Numbers things by name, in the order in which they first occur. */
export function numbered(names: Iterable<string>): {
  readonly names: readonly string[];
  readonly numberOf: (name: string) => number;
} {
  const numbers = new Map<string, number>();
  for (const name of names) if (!numbers.has(name)) numbers.set(name, numbers.size);
  return { names: [...numbers.keys()], numberOf: (name) => numbers.get(name) ?? -1 };
}
