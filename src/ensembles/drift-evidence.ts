import { exp } from "../stats/elementary/exponential.js";
import { log } from "../stats/elementary/logarithm.js";

/** Anchors that were asked at one time, and how many answered otherwise than at calibration. */
export interface AskedAnchors {
  readonly asked: number;
  readonly changed: number;
}

/** Beta priors of the rate of changes before a drift and after it. */
const before = { a: 0.5, b: 10 };
const after = { a: 1, b: 3 };

/** Evidence from which on a judge counts as drifted: by Ville's inequality reached in 5 % at most, over all times. */
export const evidenceOfDrift = 20;

/**
 * Evidence that the rate at which anchors change has risen, as an e-process: a fixed mixture, over when a drift
 * began (prior 1 / (t (t + 1)) for time t) and over the rates before and after (Beta priors), of the likelihood of
 * all that was seen, divided by the largest likelihood of one constant rate. That is at most a martingale of mean 1
 * while nothing drifts, so it ever exceeds 1 / alpha with probability alpha at most, however often one looks
 * (Ville 1939; Wasserman, Ramdas and Balakrishnan, "Universal inference", 2020, section 8).
 *
 * @param baseline how often asking twice at one time changed an answer. Of one time: what was said at calibration
 *   is one draw, and more repetitions would compare its luck with ever less doubt.
 * @param times what was seen since, in order.
 * @returns at least 0; 1 tells nothing.
 * @example driftEvidence({ asked: 40, changed: 0 }, [{ asked: 40, changed: 20 }]) > 20 // true
 */
export function driftEvidence(baseline: AskedAnchors, times: readonly AskedAnchors[]): number {
  const all = sumOf([baseline, ...times]);
  const constant = logLikelihood(all);
  let early = baseline;
  let evidence = 0;
  for (const [at, time] of times.entries()) {
    const late = sumOf(times.slice(at));
    const weight = 1 / ((at + 1) * (at + 2));
    evidence += weight * exp(logMarginal(early, before) + logMarginal(late, after) - constant);
    early = sumOf([early, time]);
  }
  return evidence + exp(logMarginal(early, before) - constant) / (times.length + 1);
}

const sumOf = (times: readonly AskedAnchors[]): AskedAnchors => ({
  asked: times.reduce((sum, { asked }) => sum + asked, 0),
  changed: times.reduce((sum, { changed }) => sum + changed, 0),
});

/** The largest log-likelihood of a constant rate. */
function logLikelihood({ asked, changed }: AskedAnchors): number {
  const part = (count: number) => (count === 0 ? 0 : count * log(count / asked));
  return part(changed) + part(asked - changed);
}

/** The log of the likelihood, averaged over a Beta prior of the rate. */
const logMarginal = ({ asked, changed }: AskedAnchors, { a, b }: typeof before): number =>
  logRising(a, changed) + logRising(b, asked - changed) - logRising(a + b, asked);

const tables = new Map<number, number[]>();

/** log(x (x + 1) … (x + n - 1)). */
function logRising(x: number, n: number): number {
  const table = tables.get(x) ?? [0];
  tables.set(x, table);
  for (let at = table.length; at <= n; at++) table.push((table[at - 1] ?? 0) + log(x + at - 1));
  return table[n] ?? 0;
}
