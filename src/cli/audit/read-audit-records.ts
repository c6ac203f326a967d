import type { AuditRecords } from "../../analysis/audited-rows.js";
import type { RecordOf, RecordType } from "../../core/records.js";
import type { Records } from "../../core/step.js";

/** Everything that an audit collected but scores. */
export async function readAuditRecords(run: Records): Promise<AuditRecords> {
  const [queries, images, refinements, audits] = await Promise.all([
    all(run, "query"),
    all(run, "image"),
    all(run, "refinement"),
    all(run, "audit"),
  ]);
  return { queries, images, refinements, audits };
}

async function all<Type extends RecordType>(run: Records, type: Type): Promise<RecordOf<Type>[]> {
  const found: RecordOf<Type>[] = [];
  for await (const record of run.ofType(type)) found.push(record);
  return found;
}
