// Counts how often intervals hold the truth.

import { wilsonInterval } from "../dist/stats/share-interval.js";

/** Counts the intervals that hold `truth`, and adds up how wide they are. */
export class Tally {
  constructor(truth) {
    Object.assign(this, { truth, intervals: 0, covered: 0, width: 0, none: 0 });
  }

  add(interval, [least, most] = [-Infinity, Infinity]) {
    if (interval === undefined || "reason" in interval) {
      this.none += 1;
      return;
    }
    const [low, high] = interval;
    // Sums of the same numbers in another order differ by a hair.
    const hair = 1e-12;
    this.intervals += 1;
    if (low <= this.truth + hair && this.truth - hair <= high) this.covered += 1;
    this.width += Math.min(most, high) - Math.max(least, low);
  }

  /** "93.1 [91.8, 94.3] LOW   0.123": see `legend`. */
  toString() {
    if (this.intervals === 0) return "no interval".padEnd(columnWidth);
    const { value, low, high } = wilsonInterval(this.covered, this.intervals);
    const isOff = high < 0.95 ? "LOW " : low > 0.95 ? "high" : "    ";
    const missing = this.none === 0 ? "" : ` none ${percent(this.none / this.asked)}`;
    const width = (this.width / this.intervals).toFixed(3);
    return `${bare(value)} [${bare(low)}, ${bare(high)}] ${isOff} ${width}${missing}`.padEnd(
      columnWidth,
    );
  }

  get asked() {
    return this.none + this.intervals;
  }
}

export const columnWidth = 42;

export const legend =
  "Coverage in % [95 % error bars of the simulation], LOW or high where 95 lies outside of them, mean\n" +
  "width; none: samples that allow no such interval, left out of its coverage.";

export function percent(share) {
  return `${bare(share)} %`;
}

function bare(share) {
  return (100 * share).toFixed(1);
}
