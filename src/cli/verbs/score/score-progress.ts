import type { Environment } from "../../environment.js";
import { duration, number3 } from "../../terminal/numbers.js";
import type { Output } from "../../terminal/output.js";

/** Redrawing more often than this, in milliseconds, only costs. */
const redraw = 100;

/** Shows how far work has come, as often as an eye can follow. */
export function progressOf(
  doing: string,
  total: number,
  { environment, output }: { readonly environment: Environment; readonly output: Output },
): (done: number, unscored?: number, spent?: string) => void {
  const start = environment.now().getTime();
  let drawn = Number.NEGATIVE_INFINITY;
  return (done, unscored = 0, spent = "") => {
    const elapsed = environment.now().getTime() - start;
    if (elapsed - drawn < redraw) return;
    drawn = elapsed;
    output.progress(progressLine({ doing, done, total, elapsed, unscored, spent }));
  };
}

/**
 * The state of long work in a line: how much is done, how fast, how much longer.
 *
 * @param elapsed milliseconds since the first of `done` was begun
 * @example progressLine({ doing: "Scoring", done: 50, total: 200, elapsed: 2000, unscored: 1, spent: "$0.0123" })
 *   // "Scoring 50 of 200, 1 unscored, 25.0/s, 6 s left, $0.0123"
 */
function progressLine({
  doing,
  done,
  total,
  elapsed,
  unscored,
  spent,
}: {
  readonly doing: string;
  readonly done: number;
  readonly total: number;
  readonly elapsed: number;
  readonly unscored: number;
  readonly spent: string;
}): string {
  const parts = [`${doing} ${done} of ${total}`];
  if (unscored > 0) parts.push(`${unscored} unscored`);
  if (done > 0 && elapsed > 0) {
    const rate = (1000 * done) / elapsed;
    parts.push(`${number3(rate)}/s`, `${duration((total - done) / rate)} left`);
  }
  if (spent !== "") parts.push(spent);
  return parts.join(", ");
}
