import type { RecordStore } from "../../../core/record-store.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import { commonestReason } from "../score/nothing-scored.js";

/** Detail of the first record of a step that is unscored for its commonest reason. */
export async function unscoredExample(
  store: RecordStore,
  { step, unscored }: Pick<StepSummary, "step" | "unscored">,
): Promise<string | undefined> {
  const reason = commonestReason(unscored);
  if (reason === undefined) return undefined;
  for await (const record of store.ofStep(step)) {
    if (record.status === "unscored" && record.reason === reason) return record.detail;
  }
  return undefined;
}
