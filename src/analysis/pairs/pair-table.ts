import type { PromptClusters } from "../inference/prompt-clusters.js";
import { Names } from "./names.js";

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

/** Rows of pairs by column, for millions of them: every name is held once, and a row is six numbers. */
export class PairTable {
  readonly metrics = new Names();
  readonly domains = new Names();
  readonly prompts = new Names();
  readonly ids = new Names();
  /** Of each row, the number of its metric; so for the others. */
  readonly metric: number[] = [];
  readonly domain: number[] = [];
  /** -1 for a row without a prompt. */
  readonly prompt: number[] = [];
  readonly id: number[] = [];
  /** NaN where there is no score. */
  readonly correct: number[] = [];
  readonly adversarial: number[] = [];
  /** What is found once all rows are there: the rows of each metric, and where names stand in order. */
  #rows: readonly Int32Array[] | undefined;
  #ranks: { readonly ofPrompt: Int32Array; readonly ofId: Int32Array } | undefined;

  static of(rows: Iterable<PairRow>): PairTable {
    const table = new PairTable();
    for (const row of rows) table.add(row);
    return table;
  }

  get length(): number {
    return this.metric.length;
  }

  /** Rows that name a prompt. */
  get prompted(): number {
    let count = 0;
    for (const prompt of this.prompt) if (prompt >= 0) count += 1;
    return count;
  }

  add({ id, metric, domain, prompt, correct, adversarial }: PairRow): void {
    this.metric.push(this.metrics.numberOf(metric));
    this.domain.push(this.domains.numberOf(domain));
    this.prompt.push(prompt === undefined ? -1 : this.prompts.numberOf(prompt));
    this.id.push(this.ids.numberOf(id));
    this.correct.push(correct ?? Number.NaN);
    this.adversarial.push(adversarial ?? Number.NaN);
    this.#rows = undefined;
    this.#ranks = undefined;
  }

  isScored(row: number): boolean {
    return !(Number.isNaN(this.correct[row]) || Number.isNaN(this.adversarial[row]));
  }

  /** The rows of a metric. */
  rowsOf(metric: string): Int32Array {
    this.#rows ??= this.#rowsByMetric();
    return this.#rows[this.metrics.find(metric) ?? -1] ?? new Int32Array();
  }

  #rowsByMetric(): Int32Array[] {
    const count = new Int32Array(this.metrics.all.length);
    for (const metric of this.metric) count[metric] = (count[metric] ?? 0) + 1;
    const rows = Array.from(count, (its) => new Int32Array(its));
    const next = new Int32Array(count.length);
    for (let row = 0; row < this.metric.length; row++) {
      const metric = this.metric[row] ?? 0;
      const at = next[metric] ?? 0;
      const its = rows[metric];
      if (its !== undefined) its[at] = row;
      next[metric] = at + 1;
    }
    return rows;
  }

  /** What is drawn together of some rows, as `promptClusters` says. */
  clusters(rows: Int32Array): PromptClusters {
    const { ofPrompt, ofId } = this.#namesInOrder();
    const found = new Int32Array(this.prompts.all.length).fill(-1);
    const cluster = new Int32Array(rows.length);
    const rank: number[] = [];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const prompt = this.prompt[row] ?? -1;
      let index = prompt < 0 ? -1 : (found[prompt] ?? -1);
      if (index < 0) {
        index = rank.length;
        rank.push((prompt < 0 ? ofId[this.id[row] ?? 0] : ofPrompt[prompt]) ?? 0);
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
    const isAlone = this.prompt.includes(-1);
    const ofPrompt = new Int32Array(this.prompts.all.length);
    const ofId = new Int32Array(isAlone ? this.ids.all.length : 0);
    const names = isAlone ? [...this.prompts.all, ...this.ids.all] : [...this.prompts.all];
    // What stands there twice has two ranks that follow each other, and the last counts for both.
    for (const [rank, name] of names.sort().entries()) {
      const prompt = this.prompts.find(name);
      if (prompt !== undefined) ofPrompt[prompt] = rank;
      const id = isAlone ? this.ids.find(name) : undefined;
      if (id !== undefined) ofId[id] = rank;
    }
    this.#ranks = { ofPrompt, ofId };
    return this.#ranks;
  }
}
