import type { Estimate } from "../../stats/estimate.js";
import type { IntervalRow } from "./place-rows.js";

/** What a plot's caption says of the lines that are no intervals. */
export const dashNote =
  "Where none fails, or all do, a dotted line goes to the one-sided 95 % bound in place of an interval.";

/** And of dots that have none at all. */
export const bareDotNote = "A dot without a line: the data give no interval.";

/** A share, or a difference of shares, as a plot draws it in percent; undefined ones are not drawn. */
export function percentLine({
  value,
  low,
  high,
  oneSided,
}: Estimate): Pick<IntervalRow, "value" | "low" | "high" | "isBound"> | undefined {
  if (value === null) return undefined;
  const line = oneSided ?? { low: low ?? value, high: high ?? value };
  return {
    value: value * 100,
    low: line.low * 100,
    high: line.high * 100,
    isBound: oneSided !== undefined,
  };
}
