import { picked, pickedTexts, type RowsByCode, rowsByCode } from "../../core/row-codes.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import { type PromptClusters, RowNames } from "../inference/prompt-clusters.js";
import { type RowDraws, someDraws } from "../inference/row-draws.js";

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
export interface PairColumns {
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
