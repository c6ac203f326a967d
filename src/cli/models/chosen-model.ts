import type { Model } from "../../core/models.js";

/** A model that was chosen on the command line, and what metrics should know of it. */
export interface ChosenModel {
  readonly model: Model;
  /** Whether it can judge real photographs. */
  readonly judgesPhotographs: boolean;
  /** How many calls it takes at once, where they go over the network. */
  readonly callsAtOnce?: number;
  /** Loads it now, so that what is missing is said before any work is done. */
  load(): Promise<void>;
}
