/**
 * A number that was estimated and its 95 % interval. `value` is null where the statistic is
 * undefined, `low` and `high` also where the data give no interval; `reason` then says why.
 */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reason?: string;
}
