import {
  isNotable,
  type SoughtEntities,
  soughtEntities,
  unfoundText,
} from "../../../analysis/confusion/sought-entities.js";
import { decidedByFew, fewClusters } from "../../../analysis/inference/few-clusters.js";
import { metricWarnings } from "../../../analysis/inference/metric-warnings.js";
import {
  type ScoreRow,
  type ScoreSummary,
  scoreSummary,
} from "../../../analysis/pairs/score-summary.js";
import { AnswererCounts, answererOf } from "../../../core/answered-by.js";
import type { JsonObject } from "../../../core/json.js";
import { type Metric, metricFacts } from "../../../core/metric.js";
import { UnscoredDetails, type UnscoredReason, unscoredReasons } from "../../../core/unscored.js";
import { estimate3 } from "../../terminal/numbers.js";
import type { ItemResult } from "./item-results.js";

/** Summary of one metric's results. */
export interface MetricSummary {
  readonly metric: Metric;
  readonly summary: ScoreSummary;
  /** The commonest detail for each reason. */
  readonly details: Readonly<Partial<Record<UnscoredReason, string>>>;
  /** For metrics that look at entities one by one: how many were looked for, and not found. */
  readonly entities: SoughtEntities;
  /** The same for each model that answered, where several did in the place of one; else none. */
  readonly answerers: readonly AnswererSummary[];
}

export interface AnswererSummary {
  /** Empty for the model that was asked. */
  readonly name: string;
  readonly summary: ScoreSummary;
}

type Row = ScoreRow & { readonly answerer?: string };

/** Collects results for the summary: a number for each, not the result. */
export class Tally {
  private readonly rows = new Map<Metric, Row[]>();
  private readonly details = new Map<Metric, UnscoredDetails>();
  readonly answerers = new AnswererCounts();
  private readonly entities = new Map<Metric, SoughtEntities>();
  private unscoredSoFar = 0;
  private allSoFar = 0;

  get unscored(): number {
    return this.unscoredSoFar;
  }

  get all(): number {
    return this.allSoFar;
  }

  add({ metric, item: { text }, result, answerer }: ItemResult): void {
    const rows = this.rows.get(metric) ?? [];
    this.rows.set(metric, rows);
    const who = answerer === undefined ? {} : { answerer: answererOf(answerer) };
    if (answerer !== undefined) this.answerers.note({ ...metricFacts(metric), ...answerer });
    const base = { id: String(rows.length), prompt: text, ...who };
    this.allSoFar += 1;
    if (result.status === "scored") {
      rows.push({ ...base, value: result.value });
      this.entities.set(metric, sum(this.entitiesOf(metric), soughtEntities([result.details])));
      return;
    }
    this.unscoredSoFar += 1;
    rows.push({ ...base, value: null, reason: result.reason });
    const details = this.details.get(metric) ?? new UnscoredDetails();
    this.details.set(metric, details);
    details.add(result.reason, result.detail);
  }

  summaries(): MetricSummary[] {
    return [...this.rows].map(([metric, rows]) => ({
      metric,
      summary: scoreSummary(rows, { range: metric.range }),
      details: this.detailsOf(metric),
      entities: this.entitiesOf(metric),
      answerers: answerersOf(rows, metric),
    }));
  }

  private detailsOf(metric: Metric): MetricSummary["details"] {
    const details = this.details.get(metric);
    return Object.fromEntries(
      unscoredReasons.flatMap((reason) => {
        const detail = details?.commonest(reason)?.detail;
        return detail === undefined ? [] : [[reason, detail]];
      }),
    );
  }

  private entitiesOf(metric: Metric): SoughtEntities {
    return this.entities.get(metric) ?? { all: 0, notFound: 0 };
  }
}

function answerersOf(rows: readonly Row[], { range }: Metric): AnswererSummary[] {
  const names = new Set(rows.flatMap(({ value, answerer }) => (value === null ? [] : answerer)));
  if (names.size < 2) return [];
  // In order of name, the model that was asked first: replies come in any.
  return [...names].sort().flatMap((name) =>
    name === undefined
      ? []
      : {
          name,
          summary: scoreSummary(
            rows.filter(({ answerer }) => answerer === name),
            { range },
          ),
        },
  );
}

/** A metric's model, and who answered in its place. */
export const answererName = ({ model }: Metric, { name }: AnswererSummary): string =>
  name === "" ? model : `${model} (answered by ${name})`;

const sum = (one: SoughtEntities, other: SoughtEntities): SoughtEntities => ({
  all: one.all + other.all,
  notFound: one.notFound + other.notFound,
});

/** The summaries' caveats, a sentence each. */
export function summaryWarnings(summaries: readonly MetricSummary[]): string[] {
  const texts = summaries.flatMap(({ metric, summary: { mean, intervals } }) =>
    mean.low === null
      ? []
      : [
          ...fewClusters(intervals),
          ...decidedByFew([{ name: `the mean of ${metric.name}`, estimate: mean }], intervals),
        ],
  );
  const unfound = summaries
    .filter(({ entities }) => isNotable(entities))
    .map(({ metric, entities }) => ({
      metric: hasNamesake(metric, summaries) ? `${metric.name} with ${metric.model}` : metric.name,
      text: unfoundText(entities),
    }));
  const mixed = summaries.flatMap(({ metric, answerers }) => {
    if (answerers.length === 0) return [];
    const each = answerers.map(
      (one) => `${answererName(metric, one)} ${estimate3(one.summary.mean)} (n ${one.summary.n})`,
    );
    return [`${metric.name}: several models answered: ${each.join(", ")}; their mean is of none`];
  });
  return [...mixed, ...new Set(texts), ...metricWarnings(unfound)];
}

const hasNamesake = ({ name }: Metric, summaries: readonly MetricSummary[]) =>
  summaries.filter(({ metric }) => metric.name === name).length > 1;

/** A metric's summary as `--json` gives it. */
export function summaryJson({
  metric,
  summary,
  details,
  entities,
  answerers,
}: MetricSummary): JsonObject {
  const { mean, reasons, intervals, ...counts } = summary;
  return {
    ...metricFacts(metric),
    ...counts,
    reasons: { ...reasons },
    details: { ...details },
    ...(entities.all === 0 ? {} : { entities: { ...entities } }),
    mean: { ...mean },
    intervals: { ...intervals },
    ...(answerers.length === 0
      ? {}
      : {
          answerers: answerers.map(({ name, summary: of }) => ({
            answeredBy: name === "" ? null : name,
            n: of.n,
            unscored: of.unscored,
            mean: { ...of.mean },
          })),
        }),
  };
}
