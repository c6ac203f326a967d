import { largestOf } from "../../core/arrays.js";
import { quantile } from "../../stats/percentile-interval.js";
import type { RaterTable } from "./rater-model.js";

/** The median seconds of each rater's ratings; undefined where no time is known. */
export function medianTimes(
  { raters, rater }: RaterTable,
  seconds: Float64Array | undefined,
): (number | undefined)[] | undefined {
  if (seconds === undefined || seconds.every(Number.isNaN)) return undefined;
  const times = Array.from({ length: raters }, (): number[] => []);
  for (let at = 0; at < rater.length; at++) {
    const time = seconds[at] ?? Number.NaN;
    if (!Number.isNaN(time)) times[rater[at] ?? 0]?.push(time);
  }
  return times.map((its) =>
    its.length === 0
      ? undefined
      : quantile(
          its.sort((a, b) => a - b),
          0.5,
        ),
  );
}

const constancy = { fast: 1 / 3, constant: 0.9, usual: 0.75 } as const;

/** Tests if a rater takes less than a third of the usual time and gives one answer nine times in ten, others less often. */
export function isFastAndConstant(
  { rater, label, categories }: RaterTable,
  who: number,
  times: readonly (number | undefined)[],
): boolean {
  const known = times.filter((time) => time !== undefined).sort((a, b) => a - b);
  if ((times[who] ?? Number.POSITIVE_INFINITY) > constancy.fast * quantile(known, 0.5))
    return false;
  const shareOf = (isIn: (at: number) => boolean, answer?: number) => {
    const counts = new Float64Array(categories);
    for (let at = 0; at < rater.length; at++) {
      if (isIn(at)) counts[label[at] ?? 0] = (counts[label[at] ?? 0] ?? 0) + 1;
    }
    const all = counts.reduce((sum, count) => sum + count, 0);
    const most = answer ?? counts.indexOf(largestOf(counts));
    return { answer: most, share: (counts[most] ?? 0) / all };
  };
  const own = shareOf((at) => rater[at] === who);
  const others = shareOf((at) => rater[at] !== who, own.answer);
  return own.share >= constancy.constant && !(others.share > constancy.usual);
}
