import { picked, pickedTexts, type RowsByCode, rowsByCode } from "../../core/row-codes.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import { type ClusterSums, clusterSums } from "../../stats/cluster-sums.js";
import { type PromptClusters, RowNames } from "../inference/prompt-clusters.js";
import { drawWeights, type RowDraws, someDraws } from "../inference/row-draws.js";
import { type ScoreRange, type ScoreScale, scaleEnds } from "./score-scale.js";
import { isTie, type TieOptions } from "./score-ties.js";

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

/** How many rows those of a group stand for: as many as they are, or more where they were drawn. */
interface StoodFor {
  readonly rows: number;
  readonly unscored: number;
  readonly failures: number;
}

/** One metric's rows, summed by prompt and group. */
export interface PairSums {
  /** Counts of each group. */
  readonly counts: readonly PairCounts[];
  /** The same for the rows that these stand for. */
  readonly stoodFor: readonly StoodFor[];
  readonly sums: ClusterSums;
  /** False where scores were to be scaled but are all the same: their means are undefined. */
  readonly isScalable: boolean;
}

/** How a metric's pairs are judged, and what is averaged. */
export interface PairRule extends TieOptions {
  readonly direction: Direction;
  readonly scale?: ScoreScale;
  /** The ends of its range, for `scale: "range"`. */
  readonly range?: ScoreRange | undefined;
}

type Outcome = "pass" | "tie" | "fail";

/** How outcomes of many rows are kept. */
const outcomeCodes = { pass: 0, tie: 1, fail: 2 } as const satisfies Record<Outcome, number>;

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
 * averaged.
 *
 * @param options.rows of the table, those of the metric.
 * @param options.group which of `groups` groups each of these rows belongs to.
 * @throws InputError where `scale` is "range" and `range` is missing or too narrow.
 */
export function pairSums(
  table: PairTable,
  {
    rows,
    group,
    groups,
    metric,
    direction,
    scale = "none",
    range,
    tieTolerance,
  }: PairRule & {
    readonly rows: Int32Array;
    readonly group: Int32Array;
    readonly groups: number;
    readonly metric: string;
  },
): PairSums {
  const rule = { direction, tieTolerance };
  const counts = Array.from({ length: groups }, () => ({
    n: 0,
    unscored: 0,
    ties: 0,
    failures: 0,
  }));
  const stoodFor = counts.map(() => ({ rows: 0, unscored: 0, failures: 0 }));
  const weights = drawWeights(table.columns.draws, rows);
  const ofWeights = weights && new Float64Array(rows.length);
  const scored = new Int32Array(rows.length);
  const ofScored = new Int32Array(rows.length);
  const outcomes = new Uint8Array(rows.length);
  const { correct: right, adversarial: wrong } = table.columns;
  let kept = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const its = group[at] ?? 0;
    const [count, all] = [counts[its], stoodFor[its]];
    if (count === undefined || all === undefined)
      throw new RangeError(`Expected a group below ${groups} but got ${its}`);
    const weight = weights?.[at] ?? 1;
    all.rows += weight;
    if (!table.isScored(row)) {
      count.unscored += 1;
      all.unscored += weight;
      continue;
    }
    const outcome = outcomeOf(right[row] ?? 0, wrong[row] ?? 0, rule);
    count.n += 1;
    if (outcome === "tie") count.ties += 1;
    if (outcome !== "pass") {
      count.failures += 1;
      all.failures += weight;
    }
    if (ofWeights !== undefined) ofWeights[kept] = weight;
    scored[kept] = row;
    ofScored[kept] = its;
    outcomes[kept] = outcomeCodes[outcome];
    kept += 1;
  }

  const found = scored.subarray(0, kept);
  const correct = picked(right, found);
  const adversarial = picked(wrong, found);
  const ends = scaleEnds({ scale, metric, scores: [correct, adversarial], range });
  const { cluster, count } = table.clusters(found);
  return {
    counts,
    stoodFor,
    sums: clusterSums({
      cluster,
      group: ofScored.subarray(0, kept),
      columns: pairColumns({
        correct,
        adversarial,
        outcomes: outcomes.subarray(0, kept),
        ends,
        weights: ofWeights?.subarray(0, kept),
      }),
      clusters: count,
      groups,
    }),
    isScalable: scale === "none" || ends !== undefined,
  };
}

/** Summands of each row, in the order of `sumColumn`. */
function pairColumns({
  correct,
  adversarial,
  outcomes,
  ends,
  weights,
}: {
  readonly correct: Float64Array;
  readonly adversarial: Float64Array;
  readonly outcomes: Uint8Array;
  readonly ends: readonly [low: number, high: number] | undefined;
  /** How many rows each stands for; default: itself. */
  readonly weights: Float64Array | undefined;
}): Float64Array[] {
  const [low, high] = ends ?? [0, 1];
  const columns = columnNames.map(() => new Float64Array(outcomes.length));
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
  for (let row = 0; row < outcomes.length; row++) {
    const outcome = outcomes[row];
    const right = correct[row] ?? 0;
    const wrong = adversarial[row] ?? 0;
    const difference = (right - wrong) / (high - low);
    rightScores[row] = ends ? (right - low) / (high - low) : right;
    wrongScores[row] = ends ? (wrong - low) / (high - low) : wrong;
    differences[row] = difference;
    if (outcome === outcomeCodes.pass) {
      passes[row] = 1;
      correctMargins[row] = Math.abs(difference);
    } else {
      failures[row] = 1;
      if (outcome !== outcomeCodes.fail) continue;
      strictFailures[row] = 1;
      incorrectMargins[row] = Math.abs(difference);
    }
  }
  if (weights === undefined) return columns;
  return columns.map((column) => column.map((value, row) => value * (weights[row] ?? 0)));
}

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

/** Rows of pairs by column; scores are NaN where there is none. */
interface PairColumns {
  readonly id: TextColumn;
  readonly metric: TextColumn;
  readonly domain: TextColumn;
  readonly prompt: TextColumn;
  readonly correct: Float64Array;
  readonly adversarial: Float64Array;
  /** How rows were drawn, where `label plan` drew them. */
  readonly draws?: RowDraws | undefined;
}

/** Rows of pairs by column, for millions of them: every name is held once, and a row is six numbers. */
export class PairTable {
  readonly length: number;
  readonly columns: PairColumns;
  /** Rows that name a prompt. */
  readonly prompted: number;
  readonly names: RowNames;
  #byMetric: RowsByCode | undefined;

  constructor(columns: PairColumns) {
    this.columns = columns;
    this.length = columns.correct.length;
    this.names = new RowNames(columns);
    this.prompted = this.names.prompted();
  }

  static of(rows: readonly PairRow[]): PairTable {
    const texts = (of: (row: PairRow) => string | undefined) => textColumn(rows.map(of));
    return new PairTable({
      id: texts(({ id }) => id),
      metric: texts(({ metric }) => metric),
      domain: texts(({ domain }) => domain),
      prompt: texts(({ prompt }) => prompt),
      correct: Float64Array.from(rows, ({ correct }) => correct ?? Number.NaN),
      adversarial: Float64Array.from(rows, ({ adversarial }) => adversarial ?? Number.NaN),
    });
  }

  /** The table of some rows. */
  only(rows: Int32Array): PairTable {
    const { id, metric, domain, prompt, correct, adversarial, draws } = this.columns;
    return new PairTable({
      ...(draws && { draws: someDraws(draws, rows) }),
      id: pickedTexts(id, rows),
      metric: pickedTexts(metric, rows),
      domain: pickedTexts(domain, rows),
      prompt: pickedTexts(prompt, rows),
      correct: picked(correct, rows),
      adversarial: picked(adversarial, rows),
    });
  }

  isScored(row: number): boolean {
    const { correct, adversarial } = this.columns;
    return !(Number.isNaN(correct[row]) || Number.isNaN(adversarial[row]));
  }

  /** The rows of a metric. */
  rowsOf(metric: string): Int32Array {
    const { names, codes } = this.columns.metric;
    this.#byMetric ??= rowsByCode({ codes, count: names.length });
    const { start, rows } = this.#byMetric;
    const at = names.indexOf(metric);
    return at < 0 ? new Int32Array() : rows.subarray(start[at], start[at + 1]);
  }

  /** Clusters of some rows, as `promptClusters` says. */
  clusters(rows: Int32Array): PromptClusters {
    return this.names.clusters(rows);
  }
}
