import type { ScoreRange } from "../../analysis/pairs/score-scale.js";
import { InputError } from "../../core/errors.js";

/**
 * Reads what was given for --range: `LOW,HIGH` for every metric, or `METRIC=LOW,HIGH` for one.
 *
 * @throws InputError for another form, and for a metric given twice.
 */
export function parseRanges(texts: readonly string[]): (metric: string) => ScoreRange | undefined {
  const ranges = new Map<string | undefined, ScoreRange>();
  for (const text of texts) {
    const [, metric, ends = ""] = /^(?:(.+)=)?([^=]+)$/.exec(text) ?? [];
    const [low, high, ...more] = ends
      .split(",")
      .map((end) => (end.trim() === "" ? Number.NaN : Number(end)));
    if (low === undefined || high === undefined || more.length > 0 || !(low < high)) {
      throw new InputError(
        `Expected LOW,HIGH or METRIC=LOW,HIGH for --range but received "${text}"`,
        {
          hint: "Such as --range 0,1 or --range clip-score=0,2.5",
        },
      );
    }
    if (ranges.has(metric)) {
      throw new InputError(`Expected one --range for ${metric ?? "all metrics"} but received two`);
    }
    ranges.set(metric, [low, high]);
  }
  return (metric) => ranges.get(metric) ?? ranges.get(undefined);
}
