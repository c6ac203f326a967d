import type { RunEvent } from "../../../core/step.js";

/** Counts of a worker since it began. */
export class WorkerCounts {
  readonly began: Date;
  records = 0;
  unscored = 0;
  /** US dollars, as far as models said. */
  cost = 0;
  stepsFinished = 0;
  /** Runs that it could not work on. */
  refused = 0;

  constructor(now: () => Date) {
    this.began = now();
  }

  take(event: RunEvent): void {
    if (event.kind === "step-finished") this.stepsFinished++;
    if (event.kind !== "record") return;
    this.records++;
    if (event.record.status === "unscored") this.unscored++;
    this.cost += event.cost ?? 0;
  }
}
