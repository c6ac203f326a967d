import { TouchstoneError } from "../core/errors.js";
import type { RunView } from "./run-view.js";

/** Keeps what was worked out from a run, or what the run lacks for it, until the run has grown. */
export class KeptForRun<Value> {
  readonly #kept = new WeakMap<
    RunView,
    { readonly version: number; readonly value: Promise<Value> }
  >();

  async of(view: RunView, work: () => Promise<Value>): Promise<Value> {
    const { version } = view.index;
    const known = this.#kept.get(view);
    if (known?.version === version) return known.value;
    const value = work();
    this.#kept.set(view, { version, value });
    value.catch((error: unknown) => {
      // A file that could not be read, which has a cause, may be readable the next time.
      const isLack = error instanceof TouchstoneError && error.cause === undefined;
      if (!isLack) this.#kept.delete(view);
    });
    return value;
  }
}
