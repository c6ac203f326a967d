/** What work is expected to ask and to cost, before anything is asked. */
export interface Forecast {
  /** About how many calls; what a cache answers is none. */
  readonly calls: number;
  /** About how much in US dollars; `undefined` where a price is not known. */
  readonly cost: number | undefined;
  /** The models whose price is not known. */
  readonly unpriced: readonly string[];
  /** Where prices are from, such as "2026-04". */
  readonly prices: readonly string[];
  /** What the dearest task is expected to cost, in US dollars. */
  readonly dearest: number;
  /** Whether that is its price, not a guess. */
  readonly isExact: boolean;
}
