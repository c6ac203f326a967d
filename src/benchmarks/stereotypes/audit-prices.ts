import { correlation } from "../../analysis/correlation/correlation.js";
import { type IntervalOptions, undefinedEstimate } from "../../analysis/inference/intervals.js";
import { auditValues, type SetValue } from "../../analysis/stereotypes/audit-values.js";
import { auditedPairs } from "../../analysis/stereotypes/audited-pairs.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { placed, withoutRevision } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import type { AuditPrice } from "./conclusion.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

type Scores = ReadonlyMap<string, RecordOf<"score">>;

/** Alignment by each metric of the images before and after, with the original query. */
export function auditPrices(
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
export function scoresOf(
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

/** How the fall of the index goes with what is lost of the alignment, over sets. */
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
