import type { Random } from "../../core/random.js";

const firstWait = 1000;
const longestWait = 60_000;

/**
 * How long to wait after a failure, in milliseconds: uniform on [0, min(60 s, 1 s x 2^(failures - 1))],
 * the "full jitter" of Brooker (2015, "Exponential Backoff And Jitter"), so that many calls that
 * failed together do not come back together.
 *
 * @param failures how often the call has failed, at least 1
 */
export const backoff = (failures: number, random: Pick<Random, "between">): number =>
  random.between(0, Math.min(longestWait, firstWait * 2 ** (failures - 1)));
