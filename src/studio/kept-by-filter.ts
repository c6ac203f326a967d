import type { IndexedPair } from "./indexed-pairs.js";
import type { ScoreTable } from "./score-table.js";

/** Whether a filter keeps a pair: it scored both of its images, and neither below its threshold. */
export const isKeptBy =
  (filter: Pick<ScoreTable, "value">, keepFrom: number) =>
  ({ first, second }: Pick<IndexedPair, "first" | "second">): boolean =>
    filter.value(first) >= keepFrom && filter.value(second) >= keepFrom;
