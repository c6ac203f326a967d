/** Time as the calls to a provider need it; tests hand over one that they wind by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` once after so many milliseconds, unless the function that it returns is called. */
  timer(milliseconds: number, ring: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timeout);
        reject(signal?.reason);
      };
      const timeout = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", stop, { once: true });
    }),
  timer(milliseconds, ring) {
    const timeout = setTimeout(ring, milliseconds);
    return () => clearTimeout(timeout);
  },
};
