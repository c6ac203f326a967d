/**
 * An estimated number with its 95 % interval. `value` is null where the statistic is undefined, `low` and
 * `high` also where the data give no interval; `reason` says why.
 */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reason?: string;
  /**
   * Exact bounds where none or all of the units have the counted property, so that all resamples agree;
   * each holds at 95 % confidence.
   */
  readonly oneSided?: { readonly low: number; readonly high: number };
  /**
   * Number of equally weighted clusters that would give as much information. It is set where a few of 30
   * clusters or more decide the estimate, so that its interval is too narrow.
   */
  readonly effectiveClusters?: number;
}

/**
 * Returns the estimate of `whole` minus a quantity, from that of the quantity: a difference seen from the
 * other side (0), or the share of the other outcome (1).
 */
export function mirrored<Kind extends Estimate>(estimate: Kind, whole: 0 | 1 = 0): Kind {
  const { value, low, high, oneSided } = estimate;
  const turned = (number: number | null) => (number === null ? null : whole - number);
  return {
    ...estimate,
    value: turned(value),
    low: turned(high),
    high: turned(low),
    ...(oneSided && { oneSided: { low: whole - oneSided.high, high: whole - oneSided.low } }),
  };
}
