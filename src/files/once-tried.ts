import type { JsonObject } from "../core/json.js";
import { anyRecord } from "../core/records.js";

/** How often a record was tried until it was as it is kept. */
export type Tried = JsonObject & { readonly kind: "tried"; readonly attempts: number };

/**
 * The line of a record that was tried several times as a finished step keeps it: as tried once, since
 * how often something failed before differs between two runs. What is left out goes to the trace.
 */
export function onceTried(line: string): { readonly text: string; readonly tried: Tried } {
  const record = anyRecord.parse(JSON.parse(line));
  const { key, step, attempt } = record;
  return {
    text: JSON.stringify({ ...record, attempt: 1 }),
    tried: { kind: "tried", key, step, attempts: attempt },
  };
}
