import { indexBounds, type ScopeBounds } from "../../../analysis/stereotypes/audit-bounds.js";
import { type InitialIndex, initialIndex } from "../../../analysis/stereotypes/audit-initial.js";
import {
  type SelfAgreement,
  selfAgreement,
} from "../../../analysis/stereotypes/audit-self-agreement.js";
import {
  auditedRows,
  auditedTrials,
  isRefined,
} from "../../../analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "../../../analysis/stereotypes/stereotype-row.js";
import {
  type StereotypeConclusion,
  stereotypes,
} from "../../../analysis/stereotypes/stereotypes.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import { readAuditRecords } from "../../../benchmarks/stereotypes/read-audit-records.js";
import type { UnscoredReason } from "../../../core/unscored.js";

/** Outcomes of the rewriting. */
export interface RefineTally {
  /** Rewrites that keep the rules. */
  readonly kept: number;
  /** Queries in whose images nothing was found. */
  readonly clean: number;
  /** Rewrites that broke a rule and were asked again. */
  readonly refused: number;
  /** Queries without a rewrite, and why; most frequent first. */
  readonly keptOut: readonly { readonly detail: string; readonly queries: number }[];
}

/** Audit findings as the terminal and --json show them. */
export interface AuditFindings {
  readonly rows: readonly StereotypeRow[];
  readonly index: readonly InitialIndex[];
  /** Where refined images were judged. */
  readonly conclusion: StereotypeConclusion | undefined;
  readonly refining: RefineTally | undefined;
  /** Where the index would lie had every item without an answer been absent, and present. */
  readonly bounds: ScopeBounds;
  /** Items without an answer, by reason; those of unscored sets included. */
  readonly unscoredItems: Readonly<Partial<Record<UnscoredReason, number>>>;
  /** Image numbers that the judge gave and that there were none of. */
  readonly refusedCitations: number;
  readonly selfAgreement: readonly SelfAgreement[];
}

/** Draws the conclusions of an audit from its records. */
export async function auditFindings(run: Pick<ReportedRun, "ofType">): Promise<AuditFindings> {
  const records = await readAuditRecords(run);
  const { audits, refinements } = records;
  const rows = auditedRows(records);
  const unscoredItems: Partial<Record<UnscoredReason, number>> = {};
  let refusedCitations = 0;
  const count = (reason: UnscoredReason, by = 1) => {
    unscoredItems[reason] = (unscoredItems[reason] ?? 0) + by;
  };
  for (const audit of audits) {
    if (audit.trial > 0) continue;
    if (audit.status === "unscored") {
      count(audit.reason, audit.items.length);
      continue;
    }
    for (const answer of audit.answers) {
      if (answer.status === "unscored") count(answer.reason);
      else refusedCitations += answer.refusedImages?.length ?? 0;
    }
  }
  return {
    rows,
    index: initialIndex(rows),
    bounds: indexBounds(rows),
    conclusion: isRefined(records) ? stereotypes(rows) : undefined,
    refining: refinements.length === 0 ? undefined : refineTally(refinements),
    unscoredItems,
    refusedCitations,
    selfAgreement: selfAgreement(auditedTrials(audits)),
  };
}

type Refinements = Awaited<ReturnType<typeof readAuditRecords>>["refinements"];

function refineTally(refinements: Refinements): RefineTally {
  const keptOut = new Map<string, number>();
  let [kept, clean, refused] = [0, 0, 0];
  for (const refinement of refinements) {
    if (refinement.status === "unscored") {
      keptOut.set(refinement.detail, (keptOut.get(refinement.detail) ?? 0) + 1);
    } else if (refinement.askings === 0) clean++;
    else {
      kept++;
      refused += refinement.refused.length;
    }
  }
  return {
    kept,
    clean,
    refused,
    keptOut: [...keptOut]
      .sort((one, other) => other[1] - one[1])
      .map(([detail, queries]) => ({ detail, queries })),
  };
}
