import { setTimeout as pause } from "node:timers/promises";
import { IncompleteError } from "../core/errors.js";
import type { RecordStore } from "../core/record-store.js";
import { stepId } from "../core/step.js";

const lookAgain = 500;

/**
 * Waits until others have collected a run. `look` goes over the run without asking anything: it lays
 * down what is to be done, and fails with `IncompleteError` while some is left.
 *
 * @throws IncompleteError where `signal` aborted before; whatever else `look` fails with.
 */
export async function waitForOthers<Result>(
  run: RecordStore,
  { signal, look }: { readonly signal: AbortSignal; readonly look: () => Promise<Result> },
): Promise<Result> {
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof IncompleteError) || signal.aborted) throw error;
    }
    let before = await standing(run);
    do {
      await pause(lookAgain, undefined, { signal }).catch(() => {});
      const now = await standing(run);
      // Whatever was put in order may be all; so may be what is left by those who are gone.
      if (now !== before) break;
      before = now;
    } while (!signal.aborted);
  }
}

/** Changes whenever a step of the run is finished. */
async function standing(run: RecordStore): Promise<string> {
  const states = run.recipe.steps.map((step) => run.stateOf(stepId(step)));
  return (await Promise.all(states)).join(" ");
}
