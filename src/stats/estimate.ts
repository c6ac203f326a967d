/**
 * A number that was estimated and its 95 % interval. `value` is null where the statistic is
 * undefined, `low` and `high` also where the data give no interval; `reason` then says why.
 */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reason?: string;
  /**
   * Where nothing or everything shows what is counted, and resamples therefore all agree: as far as
   * the truth may still be, at 95 % confidence on either side.
   */
  readonly oneSided?: { readonly low: number; readonly high: number };
  /**
   * Where a few of 30 clusters or more decide the estimate, and its interval is therefore narrower than
   * it ought to be: how many clusters of equal say would tell as much.
   */
  readonly effectiveClusters?: number;
}
