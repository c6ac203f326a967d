import type { AuditRecords } from "../../analysis/stereotypes/audited-rows.js";
import type { RecordOf, RecordType } from "../../core/records.js";
import type { ReportedRun } from "../run-records.js";

/** The records of a stereotype audit, all at once: some 2 kB each. */
export interface ReadAuditRecords extends AuditRecords {
  readonly scores: readonly RecordOf<"score">[];
}

export async function readAuditRecords(
  run: Pick<ReportedRun, "ofType">,
): Promise<ReadAuditRecords> {
  const all = async <Type extends RecordType>(type: Type) => {
    const found: RecordOf<Type>[] = [];
    for await (const record of run.ofType(type)) found.push(record);
    return found;
  };
  return {
    queries: await all("query"),
    images: await all("image"),
    refinements: await all("refinement"),
    audits: await all("audit"),
    scores: await all("score"),
  };
}
