import { nameCount, type TextColumn, textColumn } from "../../core/text-column.js";
import type { PromptClusters } from "../inference/prompt-clusters.js";

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
}

/** Rows of pairs by column, for millions of them: every name is held once, and a row is six numbers. */
export class PairTable {
  readonly length: number;
  readonly columns: PairColumns;
  /** Rows that name a prompt. */
  readonly prompted: number;
  /** Index of all rows: the rows of each metric, and where names stand in order. */
  #rows: readonly Int32Array[] | undefined;
  #ranks: { readonly ofPrompt: Int32Array; readonly ofId: Int32Array } | undefined;

  constructor(columns: PairColumns) {
    this.columns = columns;
    this.length = columns.correct.length;
    let prompted = 0;
    for (const code of columns.prompt.codes) if (code >= 0) prompted += 1;
    this.prompted = prompted;
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

  #promptOf(row: number): number {
    return this.columns.prompt.codes[row] ?? -1;
  }

  isScored(row: number): boolean {
    const { correct, adversarial } = this.columns;
    return !(Number.isNaN(correct[row]) || Number.isNaN(adversarial[row]));
  }

  /** The rows of a metric. */
  rowsOf(metric: string): Int32Array {
    this.#rows ??= this.#rowsByMetric();
    return this.#rows[this.columns.metric.names.indexOf(metric)] ?? new Int32Array();
  }

  #rowsByMetric(): Int32Array[] {
    const { codes: metrics, names } = this.columns.metric;
    const count = new Int32Array(names.length);
    for (const metric of metrics) count[metric] = (count[metric] ?? 0) + 1;
    const rows = Array.from(count, (its) => new Int32Array(its));
    const next = new Int32Array(count.length);
    for (let row = 0; row < metrics.length; row++) {
      const metric = metrics[row] ?? 0;
      const at = next[metric] ?? 0;
      const its = rows[metric];
      if (its !== undefined) its[at] = row;
      next[metric] = at + 1;
    }
    return rows;
  }

  /** Clusters of some rows, as `promptClusters` says. */
  clusters(rows: Int32Array): PromptClusters {
    const { ofPrompt, ofId } = this.#namesInOrder();
    const { id, prompt: prompts } = this.columns;
    const found = new Int32Array(nameCount(prompts)).fill(-1);
    const cluster = new Int32Array(rows.length);
    const rank: number[] = [];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const prompt = this.#promptOf(row);
      let index = prompt < 0 ? -1 : (found[prompt] ?? -1);
      if (index < 0) {
        index = rank.length;
        rank.push((prompt < 0 ? ofId[id.codes[row] ?? 0] : ofPrompt[prompt]) ?? 0);
        if (prompt >= 0) found[prompt] = index;
      }
      cluster[at] = index;
    }
    const count = rank.length;
    // By name, and of one name by the first row: one number says both.
    const order = Float64Array.from(rank, (its, index) => its * count + index).sort();
    const place = new Int32Array(count);
    for (let at = 0; at < count; at++) place[(order[at] ?? 0) % count] = at;
    for (let at = 0; at < cluster.length; at++) cluster[at] = place[cluster[at] ?? 0] ?? 0;
    return { cluster, count };
  }

  /** Where the names of clusters stand among all of them, in the order of their characters. */
  #namesInOrder() {
    if (this.#ranks !== undefined) return this.#ranks;
    const { prompt, id } = this.columns;
    const prompts = prompt.names;
    const ids = this.prompted < this.length ? id.names : [];
    const ofPrompt = new Int32Array(prompts.length);
    const ofId = new Int32Array(ids.length);
    const nameOf = (place: number) => prompts[place] ?? ids[place - prompts.length] ?? "";
    const order = Int32Array.from({ length: prompts.length + ids.length }, (_, place) => place);
    order.sort((a, b) => {
      const one = nameOf(a);
      const other = nameOf(b);
      return one < other ? -1 : one > other ? 1 : 0;
    });
    let rank = order.length - 1;
    let behind: string | undefined;
    for (let at = order.length - 1; at >= 0; at--) {
      const place = order[at] ?? 0;
      const name = nameOf(place);
      // An id that is a prompt's text, too, has its rank.
      if (name !== behind) rank = at;
      behind = name;
      if (place < prompts.length) ofPrompt[place] = rank;
      else ofId[place - prompts.length] = rank;
    }
    this.#ranks = { ofPrompt, ofId };
    return this.#ranks;
  }
}
