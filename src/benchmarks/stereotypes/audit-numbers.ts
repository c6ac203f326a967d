import { correlation } from "../../analysis/correlation/correlation.js";
import { type IntervalOptions, undefinedEstimate } from "../../analysis/inference/intervals.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { indexBounds } from "../../analysis/stereotypes/audit-bounds.js";
import { auditItems, initialIndex, initialItems } from "../../analysis/stereotypes/audit-items.js";
import { auditQueries } from "../../analysis/stereotypes/audit-queries.js";
import { selfAgreement } from "../../analysis/stereotypes/audit-self-agreement.js";
import { auditValues, type SetValue } from "../../analysis/stereotypes/audit-values.js";
import {
  auditedPairs,
  auditedRows,
  auditedTrials,
  isRefined,
} from "../../analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { stereotypes } from "../../analysis/stereotypes/stereotypes.js";
import { placed, withoutRevision } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import { type UnscoredCount, unscoredCounts } from "../provenance.js";
import { isFromLab } from "../run-records.js";
import type { AuditNumbers, AuditPrice, RefineCounts } from "./conclusion.js";
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

/** Full name of the generator of an audit's images. */
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

type Scores = ReadonlyMap<string, RecordOf<"score">>;

/** Alignment by each metric of the images before and after, with the original query. */
function auditPrices(
  { audits, scores }: Pick<ReadAuditRecords, "audits" | "scores">,
  {
    rows,
    short,
    options,
  }: {
    readonly rows: readonly StereotypeRow[];
    readonly short: (name: string) => string;
    readonly options: IntervalOptions;
  },
): AuditPrice[] {
  return alignmentsOf({ audits, scores }, short).map(
    ({ metric, model, direction, range, values }): AuditPrice => {
      const change = auditValues(values, range, options);
      const sign = direction === "higher" ? 1 : -1;
      const { tradeOff, n } = tradeOffOf(rows, values, { sign, options });
      return { metric, model, direction, change, tradeOff, n };
    },
  );
}

/** Alignment by one metric of each audited set, of its images with the original query. */
interface Alignment extends Pick<AuditPrice, "metric" | "model" | "direction"> {
  readonly range: readonly [low: number, high: number];
  readonly values: readonly SetValue[];
}

export const alignmentsOf = (
  { audits, scores }: Pick<ReadAuditRecords, "audits" | "scores">,
  short: (name: string) => string,
): Alignment[] =>
  scoresOf(scores).map(({ first, byImage }) => ({
    metric: first.metric,
    model: withoutRevision(placed(first)),
    direction: first.direction,
    range: first.range,
    values: setValues(audits, byImage, short),
  }));

/** The scores of each metric of alignment, by the key of their image. */
function scoresOf(
  scores: readonly RecordOf<"score">[],
): { readonly first: RecordOf<"score">; readonly byImage: Scores }[] {
  const metrics = new Map<
    string,
    { first: RecordOf<"score">; byImage: Map<string, RecordOf<"score">> }
  >();
  for (const score of scores) {
    if (!score.step.startsWith("score-alignment@")) continue;
    const { metric, convention, template, model, baseUrl } = score;
    const id = JSON.stringify([metric, convention, template, model, baseUrl]);
    const own = metrics.get(id) ?? { first: score, byImage: new Map() };
    metrics.set(id, own);
    own.byImage.set(score.of, score);
  }
  return [...metrics.values()];
}

/** The mean score of each audited set; null where an image of it has none. */
function setValues(
  audits: readonly RecordOf<"audit">[],
  byImage: Scores,
  short: (name: string) => string,
): SetValue[] {
  return audits.flatMap((audit): SetValue[] => {
    if (audit.trial > 0) return [];
    const values = audit.of.map((image) => {
      const score = byImage.get(image);
      return score?.status === "done" ? score.value : Number.NaN;
    });
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const { text: query, category, phase, set, generator, generatorBaseUrl } = audit;
    return [
      {
        query,
        category,
        phase,
        imageSet: String(set),
        model: short(placed({ model: generator, baseUrl: generatorBaseUrl })),
        value: Number.isNaN(mean) ? null : mean,
      },
    ];
  });
}

/** How the fall of the index relates to the loss of alignment, over sets. */
function tradeOffOf(
  rows: readonly StereotypeRow[],
  values: readonly SetValue[],
  { sign, options }: { readonly sign: number; readonly options: IntervalOptions },
): Pick<AuditPrice, "tradeOff" | "n"> {
  const nameOf = ({ category, query, model, imageSet }: Omit<SetValue, "value" | "phase">) =>
    JSON.stringify([category, query, model, imageSet]);
  const of = (phase: SetValue["phase"]) =>
    new Map(values.filter((one) => one.phase === phase).map((one) => [nameOf(one), one.value]));
  const [before, after] = [of("initial"), of("refined")];
  const { metrics } = correlation(
    {
      human: "the fall of the index",
      metrics: ["loss"],
      rows: auditedPairs(rows).complete.map((pair) => {
        const [a, b] = [before.get(nameOf(pair)) ?? null, after.get(nameOf(pair)) ?? null];
        return {
          id: nameOf(pair),
          prompt: pair.query,
          human: pair.initial - pair.refined,
          scores: [a === null || b === null ? null : sign * (a - b)],
        };
      }),
    },
    options,
  );
  return {
    tradeOff: metrics.loss?.spearman ?? undefinedEstimate("no set was scored before and after"),
    n: metrics.loss?.n ?? 0,
  };
}
