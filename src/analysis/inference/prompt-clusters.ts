import { picked, rowsByCode } from "../../core/row-codes.js";
import { nameCount, type TextColumn, textColumn } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import { effectiveClusters, type InfluenceSpread } from "../../stats/influence-error.js";

/** Rows grouped for intervals: what is drawn together in a bootstrap. */
export interface PromptClusters {
  /** The cluster of each row, 0 to count - 1. */
  readonly cluster: Int32Array;
  readonly count: number;
}

interface NamedRow {
  readonly id: string;
  readonly prompt?: string | undefined;
}

/**
 * One cluster for each prompt; a row without a prompt stands for itself. Clusters are numbered in
 * the order of their names (a prompt's text, a row's id), so that the order in which rows come
 * changes no draw.
 */
export const promptClusters = (rows: readonly NamedRow[]): PromptClusters =>
  RowNames.of(rows).clusters();

/**
 * The same of prompts by number. The names of more than `mostInOrder` are not asked for: their clusters are numbered
 * as they first come.
 */
export function numberedClusters(
  prompts: Int32Array,
  { nameOf, mostInOrder }: { nameOf(prompt: number): string; readonly mostInOrder: number },
): PromptClusters {
  const found = new Map<number, number>();
  const cluster = prompts.map((prompt) => {
    const known = found.get(prompt) ?? found.size;
    found.set(prompt, known);
    return known;
  });
  const count = found.size;
  if (count > mostInOrder) return { cluster, count };
  const names = [...found.keys()].map(nameOf);
  const order = [...names.keys()].sort((a, b) => {
    const [one = "", other = ""] = [names[a], names[b]];
    return one < other ? -1 : one > other ? 1 : 0;
  });
  const place = new Int32Array(count);
  for (const [at, one] of order.entries()) place[one] = at;
  return { cluster: cluster.map((one) => place[one] ?? 0), count };
}

/** What names the rows of a table: an id of each and, where there is one, the prompt that it shares with others. */
export class RowNames {
  readonly length: number;
  readonly id: TextColumn;
  readonly prompt: TextColumn;
  #ranks: { readonly ofPrompt: Int32Array; readonly ofId: Int32Array } | undefined;

  constructor({ id, prompt }: { readonly id: TextColumn; readonly prompt: TextColumn }) {
    this.length = id.codes.length;
    this.id = id;
    this.prompt = prompt;
  }

  static of(rows: readonly NamedRow[]): RowNames {
    return new RowNames({
      id: textColumn(rows.map(({ id }) => id)),
      prompt: textColumn(rows.map(({ prompt }) => prompt)),
    });
  }

  /** How many of some rows, or of all, name a prompt. */
  prompted(rows?: Int32Array): number {
    const codes = rows === undefined ? this.prompt.codes : picked(this.prompt.codes, rows);
    let count = 0;
    for (let at = 0; at < codes.length; at++) if ((codes[at] ?? -1) >= 0) count += 1;
    return count;
  }

  /** What is drawn as a whole of some rows: prompts, where one of them names its own. */
  unit(rows?: Int32Array): "prompt" | "row" {
    return this.prompted(rows) > 0 ? "prompt" : "row";
  }

  /** Clusters of some rows, or of all, as `promptClusters` says. */
  clusters(rows?: Int32Array): PromptClusters {
    const { ofPrompt, ofId } = this.#namesInOrder();
    const { id, prompt: prompts } = this;
    const found = new Int32Array(nameCount(prompts)).fill(-1);
    const cluster = new Int32Array(rows?.length ?? this.length);
    const rank = new Int32Array(cluster.length);
    let count = 0;
    for (let at = 0; at < cluster.length; at++) {
      const row = rows === undefined ? at : (rows[at] ?? 0);
      const prompt = prompts.codes[row] ?? -1;
      let index = prompt < 0 ? -1 : (found[prompt] ?? -1);
      if (index < 0) {
        index = count;
        count += 1;
        rank[index] = (prompt < 0 ? ofId[id.codes[row] ?? 0] : ofPrompt[prompt]) ?? 0;
        if (prompt >= 0) found[prompt] = index;
      }
      cluster[at] = index;
    }
    // By name, and of one name by the first row.
    const ranks = { codes: rank.subarray(0, count), count: ofPrompt.length + ofId.length };
    const { rows: order } = rowsByCode(ranks);
    const place = new Int32Array(count);
    for (let at = 0; at < count; at++) place[order[at] ?? 0] = at;
    for (let at = 0; at < cluster.length; at++) cluster[at] = place[cluster[at] ?? 0] ?? 0;
    return { cluster, count };
  }

  /** Places of some of the rows by id, those of one id as they come. */
  inOrderOfId(rows: Int32Array, places: Int32Array): Int32Array {
    const { names, codes } = this.id;
    const nameOf = (place: number) => names[codes[rows[place] ?? 0] ?? -1] ?? "";
    return places.slice().sort((a, b) => {
      const one = nameOf(a);
      const other = nameOf(b);
      return one < other ? -1 : one > other ? 1 : a - b;
    });
  }

  /** Where the names of clusters stand among all of them, in the order of their characters. */
  #namesInOrder() {
    if (this.#ranks !== undefined) return this.#ranks;
    const prompts = this.prompt.names;
    const ids = this.prompted() < this.length ? this.id.names : [];
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

/**
 * From as many clusters on, intervals of shares that are not rare hold the truth 93 to 95 % of the
 * time where clusters are about equally large; of 10 it is 88 to 92 %, of 5 as little as 75. Measured
 * by bench/coverage.mjs; docs/research/intervals.md has all of it.
 */
export const fewestClusters = 30;

/**
 * How many clusters of equal say would tell as much, where that is too few for an interval although
 * there are enough clusters: scores with a long tail, or one prompt with most of the rows.
 */
export function tooFewDecide(spread: InfluenceSpread): Pick<Estimate, "effectiveClusters"> {
  const effective = effectiveClusters(spread);
  return spread.clusters >= fewestClusters && effective < fewestClusters
    ? { effectiveClusters: Math.round(effective) }
    : {};
}
