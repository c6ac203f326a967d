import { setImmediate as nextTurn } from "node:timers/promises";
import { IncompleteError, TouchstoneError } from "../../../core/errors.js";
import type { Environment } from "../../environment.js";
import { duration } from "../../terminal/numbers.js";
import type { Output } from "../../terminal/output.js";

interface Shown {
  readonly environment: Pick<Environment, "now" | "signal" | "stderr">;
  readonly output: Pick<Output, "note" | "progress">;
}

/** In milliseconds: how often a line is redrawn, and after how long a plain one tells of the work. */
const redraw = 100;
const long = 3000;

/**
 * Shows the share of long work that is done: on a terminal a line that is redrawn, elsewhere one plain
 * line once it has taken three seconds.
 *
 * @param doing such as "Fitting the judge".
 */
function showShare(doing: string, { environment, output }: Shown): (share: number) => void {
  const start = environment.now().getTime();
  let drawn = 0;
  let isTold = false;
  return (share) => {
    const elapsed = environment.now().getTime() - start;
    const left = share > 0 ? `, ${duration((elapsed * (1 - share)) / share / 1000)} left` : "";
    const line = `${doing}: ${Math.floor(100 * share)} %${left}`;
    if (!environment.stderr.isTerminal) {
      if (elapsed < long || isTold) return;
      isTold = true;
      output.note(line);
    } else if (elapsed - drawn >= redraw) {
      drawn = elapsed;
      output.progress(line);
    }
  };
}

/** Does work that yields the share that is done: shows it, and lets an interruption through. */
export async function shownWork<Result>(
  doing: string,
  work: Generator<number, Result>,
  shown: Shown,
): Promise<Result> {
  const show = showShare(doing, shown);
  let step = work.next();
  for (; step.done !== true; step = work.next()) {
    show(step.value);
    await nextTurn();
    shown.environment.signal.throwIfAborted();
  }
  return step.value;
}

/**
 * Does what follows on asking, or comes before it.
 *
 * @param goOn the words that go on with it after an interruption.
 * @throws IncompleteError that names them.
 */
export async function resumable<Result>(
  work: () => Promise<Result>,
  { signal, doing, goOn }: Pick<Environment, "signal"> & Record<"doing" | "goOn", string>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted || error instanceof TouchstoneError) throw error;
    throw new IncompleteError(`Stopped while ${doing}; what a model answered is kept`, {
      hint: `Go on with: ${goOn}`,
      cause: error,
    });
  }
}
