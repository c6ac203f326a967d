/** Expected calls and costs of work, before anything is asked. */
export interface Forecast {
  /** About how many calls; what a cache answers is none. */
  readonly calls: number;
  /** About how much in US dollars; `undefined` where a price is not known. */
  readonly cost: number | undefined;
  /** The models whose price is not known. */
  readonly unpriced: readonly string[];
  /** Where prices are from, such as "2026-04". */
  readonly prices: readonly string[];
  /** The expected cost of the dearest task, in US dollars. */
  readonly dearest: number;
  /** Whether that is its price, not a guess. */
  readonly isExact: boolean;
  /** The calls of the task that makes most. */
  readonly mostCalls: number;
}
