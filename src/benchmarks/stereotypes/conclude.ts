import { isAnsweredByBoth } from "../../analysis/agreement/judge-agreement.js";
import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { indexBounds } from "../../analysis/stereotypes/audit-bounds.js";
import { initialIndex } from "../../analysis/stereotypes/audit-initial.js";
import { auditItems } from "../../analysis/stereotypes/audit-items.js";
import { auditQueries } from "../../analysis/stereotypes/audit-queries.js";
import { selfAgreement } from "../../analysis/stereotypes/audit-self-agreement.js";
import { auditTruth, besideTruth } from "../../analysis/stereotypes/audit-truth.js";
import { auditedRows, auditedTrials, isRefined } from "../../analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { stereotypes } from "../../analysis/stereotypes/stereotypes.js";
import { InputError } from "../../core/errors.js";
import { type ImageEmbedder, placed, withoutRevision } from "../../core/models.js";
import { loadStereotypeClaims } from "../paper-claims.js";
import type { UnscoredCount } from "../provenance.js";
import { provenanceOf, unscoredCounts } from "../provenance.js";
import { isFromLab, type ReportedRun } from "../run-records.js";
import { readCards } from "./audit-cards.js";
import { diversityOf } from "./audit-diversity.js";
import { alignmentsOf, auditPrices, scoresOf } from "./audit-prices.js";
import type { AuditReport, RefineCounts } from "./conclusion.js";
import { stereotypeFindings } from "./findings.js";
import { loadNotice, loadPublishedStereotypes } from "./index.js";
import { type ReadAuditRecords, readAuditRecords } from "./read-audit-records.js";

/**
 * Draws the conclusions from a stereotype audit and gathers the records and images that they cite.
 *
 * @param truth the true answers under the names of `auditedRows`, where somebody knows them.
 * @param embedder by whom images are compared within a set; without one only copies are counted.
 * @throws InputError where the run holds no audited images.
 */
export async function concludeAudit({
  run,
  name,
  truth,
  embedder,
  resamples,
}: {
  readonly run: ReportedRun;
  readonly name: string;
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
  const short = shortNames(audits.map(generatorOf));
  const shortened = <Row extends { readonly model: string }>(rows: readonly Row[]): Row[] =>
    rows.map((row) => ({ ...row, model: short(row.model) }));
  const rows = shortened(auditedRows(records));
  const conclusion = stereotypes(rows, options);
  const categories = Object.keys(conclusion.categories);
  const known = truth === undefined ? [] : besideTruth(rows, shortened(truth));
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
    name,
    fromLab: isFromLab(records),
    notice: loadNotice().text,
    judges: [...new Set(audits.map((audit) => withoutRevision(placed(audit))))],
    metrics: metricsOf(records),
    isRefined: isRefined(records),
    conclusion,
    initial: isRefined(records) ? [] : initialIndex(rows, options),
    bounds: [null, ...(categories.length > 1 ? categories : [])].map((category) => ({
      category,
      bounds: indexBounds(rows, category === null ? {} : { category }),
    })),
    items: auditItems(rows, options),
    queries: auditQueries(rows),
    prices: auditPrices(records, { rows, short, options }),
    diversity: await diversityOf(audits, { run, embedder, short, options }),
    selfAgreement: selfAgreement(shortened(auditedTrials(audits)), options),
    ...(truth === undefined || truth.length === 0
      ? {}
      : { truth: auditTruth(rows, shortened(truth), options) }),
    claims: { paper, findings },
    published: loadPublishedStereotypes(),
    refining: refineCounts(records),
    cards: await readCards(records, { run, short }),
    unscored: unscoredOf(records),
    provenance: provenance(run, { name, records, intervals: conclusion.intervals.text }),
  };
}

function metricsOf({ scores }: ReadAuditRecords): EvaluatedMetric[] {
  return scoresOf(scores).map(({ first }) => {
    const { metric, metricVersion: version, convention, template, statistic } = first;
    const { model, baseUrl, range, direction } = first;
    return {
      id: `${metric} ${model}`,
      metric,
      version,
      statistic,
      model,
      range,
      direction,
      ...(convention === undefined ? {} : { convention }),
      ...(template === undefined ? {} : { template }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    };
  });
}

type Audit = ReadAuditRecords["audits"][number];

const generatorOf = ({ generator, generatorBaseUrl }: Audit): string =>
  placed({ model: generator, baseUrl: generatorBaseUrl });

/** Names without revisions, where that leaves them apart. */
function shortNames(names: readonly string[]): (name: string) => string {
  const all = [...new Set(names)];
  const isClear = new Set(all.map(withoutRevision)).size === all.length;
  return isClear ? withoutRevision : (name) => name;
}

function refineCounts({ refinements }: ReadAuditRecords): RefineCounts {
  const done = refinements.flatMap((one) => (one.status === "done" ? [one] : []));
  const clean = done.filter(({ askings }) => askings === 0).length;
  return {
    kept: done.length - clean,
    clean,
    refused: done.reduce((sum, { refused }) => sum + refused.length, 0),
    keptOut: refinements.length - done.length,
  };
}

const noOthers = { prompts: [], descriptions: [] };

/** Records without an answer, and items that the judge left out of its answers. */
function unscoredOf({
  images,
  scores,
  queries,
  refinements,
  audits,
}: ReadAuditRecords): UnscoredCount[] {
  const found = new Map<string, UnscoredCount>();
  const count = (one: Omit<UnscoredCount, "count">) => {
    const id = JSON.stringify([one.step, one.of, one.reason, one.retryable]);
    const before = found.get(id);
    found.set(id, { ...one, ...before, count: (before?.count ?? 0) + 1 });
  };
  for (const record of [...queries, ...refinements, ...audits]) {
    const { step } = record;
    const of = record.type === "query" ? record.category : placed(record);
    if (record.status === "unscored") {
      const { reason, retryable, detail } = record;
      count({ step, of, reason, retryable, detail });
    } else if (record.type === "audit") {
      for (const answer of record.answers) {
        if (answer.status === "answered") continue;
        const { reason, detail } = answer;
        count({ step, of: `${of}, one item`, reason, retryable: false, detail });
      }
    }
  }
  return [...unscoredCounts({ ...noOthers, images, scores }), ...found.values()];
}

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
