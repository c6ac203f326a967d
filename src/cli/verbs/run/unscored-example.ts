import type { RecordStore } from "../../../core/record-store.js";
import { UnscoredDetails } from "../../../core/unscored.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import { printable } from "../../../views/printable.js";
import { wrap } from "../../terminal/wrap.js";
import { commonestReason } from "../score/mostly-unscored.js";

/** The commonest detail of a step's records that are unscored for the commonest reason. */
export async function unscoredExample(
  store: RecordStore,
  { step, unscored }: Pick<StepSummary, "step" | "unscored">,
): Promise<string | undefined> {
  const reason = commonestReason(unscored);
  if (reason === undefined) return undefined;
  const details = new UnscoredDetails();
  for await (const record of store.ofStep(step)) {
    if (record.status === "unscored") details.add(record.reason, record.detail);
  }
  return details.commonest(reason)?.detail;
}

/** Says under a table of steps why most of what a step lacks is unscored; nothing where nothing is. */
export const unscoredLines = (
  step: string,
  detail: string | null | undefined,
  width: number,
): string[] =>
  detail == null ? [] : [wrap(`${step}: unscored mostly because: ${printable(detail)}`, width)];
