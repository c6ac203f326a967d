import { Names } from "../../core/names.js";
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

/** Rows of pairs by column: numbers of names, -1 for none, and scores, NaN for none. */
export type PairColumns = {
  readonly id: Int32Array;
  readonly metric: Int32Array;
  readonly domain: Int32Array;
  readonly prompt: Int32Array;
  readonly correct: Float64Array;
  readonly adversarial: Float64Array;
};

/** Rows of pairs by column, for millions of them: every name is held once, and a row is six numbers. */
export class PairTable {
  readonly names = {
    id: new Names(),
    metric: new Names(),
    domain: new Names(),
    prompt: new Names(),
  };
  #length = 0;
  #columns = pairColumns(64);
  /** Index of all rows: the rows of each metric, and where names stand in order. */
  #rows: readonly Int32Array[] | undefined;
  #ranks: { readonly ofPrompt: Int32Array; readonly ofId: Int32Array } | undefined;

  static of(rows: Iterable<PairRow>): PairTable {
    const table = new PairTable();
    for (const row of rows) table.add(row);
    return table;
  }

  get length(): number {
    return this.#length;
  }

  /** The columns, of which the first `length` numbers are those of rows. */
  get columns(): PairColumns {
    return this.#columns;
  }

  /** Rows that name a prompt. */
  get prompted(): number {
    let count = 0;
    for (let row = 0; row < this.#length; row++) if (this.#promptOf(row) >= 0) count += 1;
    return count;
  }

  add({ id, metric, domain, prompt, correct, adversarial }: PairRow): void {
    const { names } = this;
    const columns = this.#withRoom(1);
    const row = this.#length;
    columns.metric[row] = names.metric.numberOf(metric);
    columns.domain[row] = names.domain.numberOf(domain);
    columns.prompt[row] = prompt === undefined ? -1 : names.prompt.numberOf(prompt);
    columns.id[row] = names.id.numberOf(id);
    columns.correct[row] = correct ?? Number.NaN;
    columns.adversarial[row] = adversarial ?? Number.NaN;
    this.#length += 1;
  }

  /** Adds rows whose names have numbers already: those from one place up to another. */
  append(rows: PairColumns, from: number, to: number): void {
    const columns = this.#withRoom(to - from);
    for (const name of columnNames) columns[name].set(rows[name].subarray(from, to), this.#length);
    this.#length += to - from;
  }

  #withRoom(rows: number): PairColumns {
    this.#rows = undefined;
    this.#ranks = undefined;
    const { length } = this.#columns.id;
    if (this.#length + rows > length) {
      const old = this.#columns;
      this.#columns = pairColumns(Math.max(this.#length + rows, 2 * length));
      for (const name of columnNames) this.#columns[name].set(old[name]);
    }
    return this.#columns;
  }

  #promptOf(row: number): number {
    return this.#columns.prompt[row] ?? -1;
  }

  isScored(row: number): boolean {
    const { correct, adversarial } = this.#columns;
    return !(Number.isNaN(correct[row]) || Number.isNaN(adversarial[row]));
  }

  /** The rows of a metric. */
  rowsOf(metric: string): Int32Array {
    this.#rows ??= this.#rowsByMetric();
    return this.#rows[this.names.metric.find(metric) ?? -1] ?? new Int32Array();
  }

  #rowsByMetric(): Int32Array[] {
    const metrics = this.#columns.metric.subarray(0, this.#length);
    const count = new Int32Array(this.names.metric.count);
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
    const found = new Int32Array(this.names.prompt.count).fill(-1);
    const cluster = new Int32Array(rows.length);
    const rank: number[] = [];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const prompt = this.#promptOf(row);
      let index = prompt < 0 ? -1 : (found[prompt] ?? -1);
      if (index < 0) {
        index = rank.length;
        rank.push((prompt < 0 ? ofId[this.#columns.id[row] ?? 0] : ofPrompt[prompt]) ?? 0);
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
    const { prompt: prompts, id: ids } = this.names;
    const isAlone = this.prompted < this.#length;
    const ofPrompt = new Int32Array(prompts.count);
    const ofId = new Int32Array(isAlone ? ids.count : 0);
    const names = isAlone ? [...prompts.all, ...ids.all] : [...prompts.all];
    // What stands there twice has two ranks that follow each other, and the last counts for both.
    for (const [rank, name] of names.sort().entries()) {
      const prompt = prompts.find(name);
      if (prompt !== undefined) ofPrompt[prompt] = rank;
      const id = isAlone ? ids.find(name) : undefined;
      if (id !== undefined) ofId[id] = rank;
    }
    this.#ranks = { ofPrompt, ofId };
    return this.#ranks;
  }
}

const pairColumns = (rows: number): PairColumns => ({
  id: new Int32Array(rows),
  metric: new Int32Array(rows),
  domain: new Int32Array(rows),
  prompt: new Int32Array(rows),
  correct: new Float64Array(rows),
  adversarial: new Float64Array(rows),
});

const columnNames = ["id", "metric", "domain", "prompt", "correct", "adversarial"] as const;
