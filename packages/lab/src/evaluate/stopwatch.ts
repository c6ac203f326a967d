import { quantile } from "touchstone-t2i/internal/stats/percentile-interval.js";

/** Milliseconds since some moment. */
export type Clock = () => number;

export interface MedianTime {
  /** Milliseconds; null where nothing was timed. */
  readonly median: number | null;
  readonly n: number;
}

/** Collects how long a kind of call takes. */
export class Stopwatch {
  private readonly clock: Clock;
  private readonly times: number[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async time<Value>(call: () => Promise<Value>): Promise<Value> {
    const start = this.clock();
    const value = await call();
    this.times.push(this.clock() - start);
    return value;
  }

  median(): MedianTime {
    const sorted = Float64Array.from(this.times).sort();
    return { median: sorted.length === 0 ? null : quantile(sorted, 0.5), n: sorted.length };
  }
}
