import type { Estimate } from "../../stats/estimate.js";
import { noSpread } from "./intervals.js";

/**
 * On which side of a threshold the whole interval of an estimate lies, or its one-sided bound where it
 * has one; undefined where it holds the threshold. Where all resamples agree there is no interval, but
 * all that was drawn points one way: from six draws on (`fewestToTell`, for callers to check) chance
 * does that in less than one of twenty cases.
 *
 * @example whichSide({ value: 0.2, low: 0.1, high: 0.3 }) // "above"
 */
export function whichSide(
  { value, low, high, reason, oneSided }: Estimate,
  threshold = 0,
): "above" | "below" | undefined {
  if (value === null) return undefined;
  const agreed = reason === noSpread ? { low: value, high: value } : { low, high };
  const [from, to] = [oneSided?.low ?? agreed.low, oneSided?.high ?? agreed.high];
  if (from !== null && from > threshold) return "above";
  return to !== null && to < threshold ? "below" : undefined;
}
