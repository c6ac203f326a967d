import type { PairSums } from "./pair-sums.js";

/** One metric's sums; the domains are the groups. */
export interface ContrastiveTable extends PairSums {
  readonly metric: string;
  readonly domains: readonly string[];
}
