import type { RunEvent } from "../../../core/step.js";
import type { Output } from "../../terminal/output.js";
import type { WorkerCounts } from "./worker-counts.js";

/** One time that a worker goes over a run. */
export class RunPass {
  /** Records that were answered. */
  answered = 0;
  /** Whether an item has no answer that may come when it is asked again. */
  isUnanswered = false;
  /** How its commands speak. Gone over again, it is silent until something is answered. */
  readonly output: Output;
  readonly #counts: WorkerCounts;
  readonly #onAnswer: () => void;

  constructor({
    name,
    output,
    counts,
    isAgain,
  }: {
    readonly name: string;
    readonly output: Output;
    readonly counts: WorkerCounts;
    /** Whether it is gone over again after it was left. */
    readonly isAgain: boolean;
  }) {
    this.#counts = counts;
    this.#onAnswer = () => {
      if (isAgain) output.note(`${name} is gone on with.`);
    };
    const isSilent = () => isAgain && this.answered === 0;
    this.output = {
      ...output,
      result() {},
      resultJson() {},
      nextCommand() {},
      note: (text) => isSilent() || output.note(text),
      warn: (text) => isSilent() || output.warn(text),
      progress: (line) => isSilent() || output.progress(line),
    };
  }

  take(event: RunEvent): void {
    this.#counts.take(event);
    if (event.kind !== "record") return;
    const { record } = event;
    if (record.status === "unscored") this.isUnanswered ||= record.retryable;
    else if (this.answered++ === 0) this.#onAnswer();
  }
}
