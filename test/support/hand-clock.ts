import type { Clock } from "../../src/models/http/clock.js";

export interface HandClock extends Clock {
  /** How long was slept, in milliseconds, one entry for each sleep. */
  readonly slept: number[];
  /** Moves time on and rings what is due, in order; waits between rings until all that follows is done. */
  advance(milliseconds: number): Promise<void>;
}

/**
 * Time that stands until it is wound. Sleeping takes no time to wait for, but moves time on; timers
 * ring only when `advance` passes them, so that a time-out happens when a test wants it to.
 */
export function handClock(): HandClock {
  let now = 0;
  const timers = new Set<{ readonly due: number; readonly ring: () => void }>();
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
      const due = [...timers].filter((timer) => timer.due <= now && timer.due > now - milliseconds);
      // What only waits for a moment to pass, such as the line of calls, goes on.
      for (const timer of due) {
        timers.delete(timer);
        timer.ring();
      }
    },
    timer(milliseconds, ring) {
      const timer = { due: now + milliseconds, ring };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.due);
        next.ring();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** After all promises that can go on have gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
