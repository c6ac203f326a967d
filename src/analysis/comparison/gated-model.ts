import type { Estimate } from "../../stats/estimate.js";
import type { PairedPrompts } from "./model-change.js";

export interface GatedModel {
  readonly model: string;
  readonly mean: Estimate;
  /** Its mean before; null without a baseline. */
  readonly baseline: number | null;
  /** Change for the better, whatever the direction; undefined without a baseline. */
  readonly change?: Estimate;
  /** Prompts with a score before and now, and only then; undefined where prompts are not paired. */
  readonly prompts?: PairedPrompts;
  /** True if its whole interval lies below the gate. */
  readonly isSure: boolean;
  readonly passed: boolean;
  /** Why nothing can be said of it; it then fails. */
  readonly unjudged?: string;
}
