/** Milliseconds before the first repetition of a call, and at most between two. */
const pauses = { first: 500, longest: 8_000 };

/**
 * Returns how many milliseconds to wait before a call is sent again: twice as long each time, or what the
 * server asks for. Drawn from half to one and a half of that, so that people who lost the server at once do
 * not come back at once.
 *
 * @param attempt how often it was sent again before, from 0
 * @param options.asked seconds, of the header Retry-After; null where there is none
 * @param options.random uniform on [0, 1)
 */
export function retryPause(
  attempt: number,
  {
    asked,
    random = Math.random,
  }: { readonly asked: string | null; readonly random?: () => number },
): number {
  const seconds = Number(asked ?? Number.NaN);
  const pause = Number.isFinite(seconds)
    ? seconds * 1_000
    : Math.min(pauses.longest, pauses.first * 2 ** attempt);
  return pause * (0.5 + random());
}
