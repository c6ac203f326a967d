import type { StepTrace } from "../runs/run-status.js";
import type { StepProgress } from "./api.js";
import type { RunIndex } from "./run-index.js";

/** How far each step of a run is, by its records and its trace. */
export const stepsOf = (
  { steps }: Pick<RunIndex, "steps">,
  traces: ReadonlyMap<string, StepTrace>,
): readonly StepProgress[] =>
  steps.map((step) => {
    const { planned = null, rate = null, cost = null } = traces.get(step.step) ?? {};
    return { ...step, planned, rate, cost };
  });
