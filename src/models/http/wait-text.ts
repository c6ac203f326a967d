const [minute, day] = [60_000, 86_400_000];

/**
 * When a wait ends, for people: how long it still takes and the time of day on this machine.
 *
 * @param now milliseconds since 1970
 * @param wait milliseconds
 * @example endOfWait(Date.now(), 7000) // "in 7 s, at 14:03:07"
 */
export const endOfWait = (now: number, wait: number): string =>
  `in ${Math.round(wait / 1000)} s, at ${new Date(now + wait).toLocaleTimeString("en-GB")}`;

/**
 * How long a wait is that nobody waits for.
 *
 * @example longWait(7_200_000) // "120 minutes"
 */
export function longWait(wait: number): string {
  if (!Number.isFinite(wait)) return "without end";
  return wait > 2 * day ? `${Math.round(wait / day)} days` : `${Math.ceil(wait / minute)} minutes`;
}
