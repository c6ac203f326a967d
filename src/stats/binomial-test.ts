import { regularisedIncompleteBeta } from "./student-t.js";

/**
 * Whether `shown` of `of` independent draws speak against a share: p, two-sided, is twice the smaller
 * tail of the binomial distribution, at most 1. It is below 0.05 where the 95 % interval of Clopper
 * and Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial"
 * (1934), leaves the share out.
 *
 * @param options.shown a whole number from 0 to `of`.
 * @param options.share in (0, 1).
 * @returns p in [0, 1]; 1 without a draw.
 * @example binomialTest({ shown: 6, of: 6, share: 0.5 }) // 0.03125
 */
export function binomialTest({
  shown,
  of,
  share,
}: {
  readonly shown: number;
  readonly of: number;
  readonly share: number;
}): number {
  const atLeast = shown === 0 ? 1 : regularisedIncompleteBeta(share, shown, of - shown + 1);
  const atMost = shown === of ? 1 : regularisedIncompleteBeta(1 - share, of - shown, shown + 1);
  return Math.min(1, 2 * Math.min(atLeast, atMost));
}
