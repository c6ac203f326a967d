import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { indexBounds } from "../../analysis/stereotypes/audit-bounds.js";
import { initialIndex } from "../../analysis/stereotypes/audit-initial.js";
import { auditItems, initialItems } from "../../analysis/stereotypes/audit-items.js";
import { auditQueries } from "../../analysis/stereotypes/audit-queries.js";
import { selfAgreement } from "../../analysis/stereotypes/audit-self-agreement.js";
import { auditedRows, auditedTrials, isRefined } from "../../analysis/stereotypes/audited-rows.js";
import { stereotypes } from "../../analysis/stereotypes/stereotypes.js";
import { placed, withoutRevision } from "../../core/models.js";
import { type UnscoredCount, unscoredCounts } from "../provenance.js";
import { isFromLab } from "../run-records.js";
import { auditPrices, scoresOf } from "./audit-prices.js";
import type { AuditNumbers, RefineCounts } from "./conclusion.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

/** Concludes from the records of a stereotype audit, before its refined images are there, too. Pure. */
export function auditNumbers(records: ReadAuditRecords, options: IntervalOptions): AuditNumbers {
  const { audits } = records;
  const short = shortGenerators(records);
  const rows = shortened(auditedRows(records), short);
  const conclusion = stereotypes(rows, options);
  const categories = Object.keys(conclusion.categories);
  const wasRefined = isRefined(records);
  return {
    fromLab: isFromLab(records),
    judges: [...new Set(audits.map((audit) => withoutRevision(placed(audit))))],
    metrics: metricsOf(records),
    isRefined: wasRefined,
    conclusion,
    initial: wasRefined ? [] : initialIndex(rows, options),
    bounds: [null, ...(categories.length > 1 ? categories : [])].map((category) => ({
      category,
      bounds: indexBounds(rows, category === null ? {} : { category }),
    })),
    items: wasRefined ? auditItems(rows, options) : initialItems(rows, options),
    queries: auditQueries(rows),
    prices: auditPrices(records, { rows, short, options }),
    selfAgreement: selfAgreement(shortened(auditedTrials(audits), short), options),
    refining: refineCounts(records),
    unscored: unscoredOf(records),
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

/** Rows whose generators go by short names. */
export const shortened = <Row extends { readonly model: string }>(
  rows: readonly Row[],
  short: (name: string) => string,
): Row[] => rows.map((row) => ({ ...row, model: short(row.model) }));

/** Names generators without revisions, where that leaves them apart. */
export function shortGenerators({
  audits,
}: Pick<ReadAuditRecords, "audits">): (name: string) => string {
  const all = [...new Set(audits.map(generatorOf))];
  const isClear = new Set(all.map(withoutRevision)).size === all.length;
  return isClear ? withoutRevision : (name) => name;
}

/** Who painted the images of an audit, by the whole name. */
export const generatorOf = ({
  generator,
  generatorBaseUrl,
}: ReadAuditRecords["audits"][number]): string =>
  placed({ model: generator, baseUrl: generatorBaseUrl });

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
  return [...unscoredCounts({ prompts: [], descriptions: [], images, scores }), ...found.values()];
}
