import {
  isNotable,
  type SoughtEntities,
  soughtEntities,
  unfoundText,
} from "../../../analysis/confusion/sought-entities.js";
import { decidedByFew, fewClusters } from "../../../analysis/inference/few-clusters.js";
import { mostClustersToResample } from "../../../analysis/inference/intervals.js";
import { metricWarnings } from "../../../analysis/inference/metric-warnings.js";
import { numberedClusters } from "../../../analysis/inference/prompt-clusters.js";
import { type ScoreSummary, summaryOfScores } from "../../../analysis/pairs/score-summary.js";
import { AnswererCounts, answererOf } from "../../../core/answered-by.js";
import type { JsonObject } from "../../../core/json.js";
import { type Metric, metricFacts } from "../../../core/metric.js";
import { GrowingNumbers } from "../../../core/number-lists.js";
import { UnscoredDetails, type UnscoredReason, unscoredReasons } from "../../../core/unscored.js";
import type { ScoreResult } from "../../../metrics/score-picture.js";
import { estimate3 } from "../../terminal/numbers.js";
import type { ItemList } from "./item-list.js";
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

/** Collects results for the summary: a few numbers for each, not the result. */
export class Tally {
  readonly answerers = new AnswererCounts();
  readonly #items: Pick<ItemList, "promptText">;
  readonly #metrics = new Map<Metric, MetricRows>();
  #unscored = 0;
  #all = 0;

  /** @param items whose results are collected */
  constructor(items: Pick<ItemList, "promptText">) {
    this.#items = items;
  }

  get unscored(): number {
    return this.#unscored;
  }

  get all(): number {
    return this.#all;
  }

  add({ metric, item: { prompt }, result, answerer }: ItemResult): void {
    const rows = this.#metrics.get(metric) ?? new MetricRows(metric, this.#items);
    this.#metrics.set(metric, rows);
    if (answerer !== undefined) this.answerers.note({ ...metricFacts(metric), ...answerer });
    this.#all += 1;
    if (result.status === "unscored") this.#unscored += 1;
    rows.add(prompt, result, answerer === undefined ? undefined : answererOf(answerer));
  }

  summaries(): MetricSummary[] {
    return [...this.#metrics.values()].map((rows) => rows.summary());
  }
}

/** The results of one metric. */
class MetricRows {
  readonly #metric: Metric;
  readonly #items: Pick<ItemList, "promptText">;
  readonly #details = new UnscoredDetails();
  /** Who answered: "" for the model that was asked; undefined where nobody did. */
  readonly #names: (string | undefined)[] = [];
  #entities: SoughtEntities = { all: 0, notFound: 0 };
  /** NaN where unscored. */
  readonly #value = new GrowingNumbers(Float64Array);
  readonly #prompt = new GrowingNumbers(Int32Array);
  /** 16 × index of the answerer + index of the reason (0 if scored). */
  readonly #how = new GrowingNumbers(Int32Array);

  constructor(metric: Metric, items: Pick<ItemList, "promptText">) {
    this.#metric = metric;
    this.#items = items;
  }

  add(prompt: number, result: ScoreResult, answerer: string | undefined): void {
    const isScored = result.status === "scored";
    this.#value.push(isScored ? result.value : Number.NaN);
    this.#prompt.push(prompt);
    const reason = isScored ? 0 : unscoredReasons.indexOf(result.reason);
    this.#how.push(16 * this.#whoIs(answerer) + reason);
    if (!isScored) this.#details.add(result.reason, result.detail);
    else if (result.details !== undefined) {
      this.#entities = sum(this.#entities, soughtEntities([result.details]));
    }
  }

  summary(): MetricSummary {
    const details = unscoredReasons.flatMap((reason) => {
      const detail = this.#details.commonest(reason)?.detail;
      return detail === undefined ? [] : [[reason, detail]];
    });
    return {
      metric: this.#metric,
      summary: this.#summary(),
      details: Object.fromEntries(details),
      entities: this.#entities,
      answerers: this.#answerers(),
    };
  }

  #answerers(): AnswererSummary[] {
    const scored = new Set<number>();
    for (let row = 0; row < this.#value.length; row++) {
      if (!Number.isNaN(this.#value.at(row))) scored.add(this.#how.at(row) >> 4);
    }
    if (scored.size < 2) return [];
    // In order of name, the model that was asked first: replies come in any.
    return [...scored]
      .flatMap((who) => {
        const name = this.#names[who];
        return name === undefined ? [] : [{ name, who }];
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, who }) => ({ name, summary: this.#summary(who) }));
  }

  /** @param who of one answerer's rows alone */
  #summary(who?: number): ScoreSummary {
    const values = new Float64Array(this.#value.length);
    const prompts = new Int32Array(values.length);
    const reasons: Partial<Record<UnscoredReason, number>> = {};
    let n = 0;
    let unscored = 0;
    for (let row = 0; row < values.length; row++) {
      const how = this.#how.at(row);
      if (who !== undefined && how >> 4 !== who) continue;
      const value = this.#value.at(row);
      const reason = unscoredReasons[how & 15];
      if (!Number.isNaN(value)) {
        values[n] = value;
        prompts[n++] = this.#prompt.at(row);
      } else if (reason !== undefined) {
        unscored++;
        reasons[reason] = (reasons[reason] ?? 0) + 1;
      }
    }
    return summaryOfScores(
      {
        values: values.subarray(0, n),
        clusters: numberedClusters(prompts.subarray(0, n), {
          nameOf: this.#items.promptText,
          mostInOrder: mostClustersToResample,
        }),
        clusteredBy: "prompt",
        unscored,
        reasons,
      },
      { range: this.#metric.range },
    );
  }

  #whoIs(name: string | undefined): number {
    const known = this.#names.indexOf(name);
    return known < 0 ? this.#names.push(name) - 1 : known;
  }
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
