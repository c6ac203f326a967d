/** Time as the calls to a provider need it; tests hand over one that they wind by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` once after so many milliseconds, unless the function that it returns is called. */
  timer(milliseconds: number, ring: () => void): () => void;
}

/** A longer one rings after a millisecond: Node counts in 31 bits. */
const longestTimer = 2 ** 31 - 1;

/** A timer of any length, in as many pieces as it takes; returns what stops it. */
function longTimer(milliseconds: number, ring: () => void): () => void {
  let left = milliseconds;
  let timeout: NodeJS.Timeout;
  const wait = () => {
    const now = Math.min(left, longestTimer);
    left -= now;
    timeout = setTimeout(left > 0 ? wait : ring, now);
  };
  wait();
  return () => clearTimeout(timeout);
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = longTimer(milliseconds, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      signal?.addEventListener("abort", stop, { once: true });
    }),
  timer: longTimer,
};
