import {
  isAnsweredByBoth,
  itemAgreement,
  judgeAgreement,
} from "../../analysis/agreement/judge-agreement.js";
import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import { auditCorrection } from "../../analysis/stereotypes/audit-correction.js";
import { auditExperts } from "../../analysis/stereotypes/audit-experts.js";
import { auditTruth, besideTruth } from "../../analysis/stereotypes/audit-truth.js";
import { auditedRows } from "../../analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { InputError } from "../../core/errors.js";
import { type ImageEmbedder, placed } from "../../core/models.js";
import { loadStereotypeClaims } from "../paper-claims.js";
import { provenanceOf } from "../provenance.js";
import type { ReportedRun } from "../run-records.js";
import { diversityOf } from "./audit-diversity.js";
import { alignmentsOf, auditNumbers, shortened, shortGenerators } from "./audit-numbers.js";
import { readCards } from "./audit-sets.js";
import type { AuditExperts, AuditReport } from "./conclusion.js";
import { expertRows, type KeptLabel } from "./expert-labels.js";
import { stereotypeFindings } from "./findings.js";
import { loadNotice } from "./packaged.js";
import { loadPublishedStereotypes } from "./published.js";
import { type ReadAuditRecords, readAuditRecords } from "./read-audit-records.js";

/**
 * Draws the conclusions from a stereotype audit and gathers the records and images that they cite.
 *
 * @param labels the answers of experts that the run keeps
 * @param truth the true answers under the names of `auditedRows`, where somebody knows them.
 * @param embedder by whom images are compared within a set; without one only copies are counted.
 * @throws InputError where the run holds no audited images.
 */
export async function concludeAudit({
  run,
  name,
  labels = [],
  truth,
  embedder,
  resamples,
}: {
  readonly run: ReportedRun;
  readonly name: string;
  readonly labels?: readonly KeptLabel[];
  readonly truth?: readonly StereotypeRow[] | undefined;
  readonly embedder?: ImageEmbedder | undefined;
  readonly resamples?: number | undefined;
}): Promise<AuditReport> {
  const records = await readAuditRecords(run);
  const { audits } = records;
  if (audits.length === 0) {
    throw new InputError(
      `Expected a run with audited images but received ${run.place}, which has none`,
      { hint: "Audit a generator: touchstone audit CONFIG --run DIR" },
    );
  }
  const options: IntervalOptions = { seed: run.recipe.seed, resamples };
  const short = shortGenerators(records);
  const rows = shortened(auditedRows(records), short);
  const numbers = auditNumbers(records, options);
  const known = truth === undefined ? [] : besideTruth(rows, shortened(truth, short));
  const { paper, claims } = loadStereotypeClaims();
  const findings = stereotypeFindings(claims, {
    rows,
    known: known.filter(isAnsweredByBoth),
    alignments: alignmentsOf(records, short).map(({ metric, model, ...alignment }) => ({
      ...alignment,
      metric: `${metric} (${model})`,
    })),
    seed: run.recipe.seed,
    resamples,
  });
  return {
    ...numbers,
    ...(labels.length === 0 ? {} : { experts: expertsOf(records, { labels, short, options }) }),
    name,
    notice: loadNotice().text,
    diversity: await diversityOf(audits, { run, embedder, short, options }),
    ...(truth === undefined || truth.length === 0
      ? {}
      : { truth: auditTruth(rows, shortened(truth, short), options) }),
    claims: { paper, findings },
    published: loadPublishedStereotypes(),
    cards: await readCards(records, { run, short }),
    provenance: provenance(run, { name, records, intervals: numbers.conclusion.intervals.text }),
  };
}

function expertsOf(
  records: ReadAuditRecords,
  {
    labels,
    short,
    options,
  }: {
    readonly labels: readonly KeptLabel[];
    readonly short: (name: string) => string;
    readonly options: IntervalOptions;
  },
): AuditExperts {
  const { rows: labelled, names } = expertRows(records, labels);
  const { rows, experts: between } = auditExperts(shortened(labelled, short), names, options);
  return {
    between,
    judge: judgeAgreement(rows, options),
    items: itemAgreement(rows, options),
    correction: auditCorrection(rows, options),
  };
}

const noOthers = { prompts: [], descriptions: [] };

function provenance(
  run: ReportedRun,
  {
    name,
    records: { queries, images, audits, refinements, scores },
    intervals,
  }: { readonly name: string; readonly records: ReadAuditRecords; readonly intervals: string },
): AuditReport["provenance"] {
  const base = provenanceOf({ run, name, records: { ...noOthers, images, scores }, intervals });
  const counted = (type: string, list: readonly { readonly status: string }[]) => {
    const done = list.filter(({ status }) => status === "done").length;
    return { type, done, leftOut: 0, unscored: list.length - done };
  };
  const asked = new Map<string, Set<string>>();
  for (const record of [...refinements, ...audits]) {
    asked.set(placed(record), (asked.get(placed(record)) ?? new Set()).add(record.step));
  }
  return {
    ...base,
    models: [
      ...base.models.filter(({ name: model }) => !asked.has(model)),
      ...[...asked].map(([model, steps]) => ({ name: model, steps: [...steps] })),
    ],
    records: [
      counted("query", queries),
      ...base.records,
      counted("refinement", refinements),
      counted("audit", audits),
    ],
  };
}
