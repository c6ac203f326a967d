import { type Answerer, answererOf } from "../../../core/answered-by.js";
import type { Key } from "../../../core/keys.js";
import { type Metric, metricFacts, modelsBehind } from "../../../core/metric.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { RecordOf } from "../../../core/records.js";
import { partsOf } from "../../../core/score-parts.js";
import { NoAnswer } from "../../../core/unscored.js";
import { type ScoreResult, unscoredBecause } from "../../../metrics/score-picture.js";
import { type ItemList, isSound, type ListedItem } from "./item-list.js";
import { type MetricOfStep, RecordsInOrder } from "./item-steps.js";

type Score = RecordOf<"score">;

export interface ItemResult {
  readonly item: ListedItem;
  readonly metric: Metric;
  readonly result: ScoreResult;
  /** Of its record; not given where it was not asked about. */
  readonly key?: Key;
  /** Who answered; not given where nobody did. */
  readonly answerer?: Answerer;
}

/**
 * The results of items by metrics from the run that holds them, in the order of the items and the metrics, some
 * together.
 *
 * @param options.limit the limit that was met, where items without a record were not asked about
 */
export async function* itemResults(
  items: ItemList,
  {
    run,
    steps,
    limit,
  }: {
    readonly run: RecordStore;
    readonly steps: readonly MetricOfStep[];
    readonly limit: string | undefined;
  },
): AsyncGenerator<readonly ItemResult[]> {
  const notAsked =
    limit === undefined
      ? new NoAnswer("bad-input", "The image changed while it was scored")
      : new NoAnswer("budget", `Not asked: the limit of ${limit} was met`);
  const scores = steps.map(({ metric, id }) => ({
    metric,
    isAsking: modelsBehind(metric).length > 0,
    found: new RecordsInOrder(run.ofStep(id), (record) =>
      record.type === "score" ? nameOf(record) : "",
    ),
  }));
  try {
    for await (const batch of items.batches()) {
      const results: ItemResult[] = [];
      for (const item of batch) {
        const { text, trial, problem = "Not scored" } = item;
        const name = isSound(item) ? nameOf({ image: item.hash, text, trial }) : undefined;
        for (const { metric, isAsking, found } of scores) {
          const record = name === undefined ? undefined : await found.take(name);
          const missing = name === undefined ? new NoAnswer("bad-input", problem) : notAsked;
          results.push(
            record?.type !== "score"
              ? { item, metric, result: unscoredBecause(metric, missing) }
              : resultOf(record, { item, metric, key: record.key, isAsking }),
          );
        }
      }
      yield results;
    }
  } finally {
    for (const { found } of scores) await found.close();
  }
}

const nameOf = ({ image, trial, text }: Pick<Score, "image" | "trial" | "text">) =>
  `${image} ${trial} ${text}`;

/** A record as a result: whoever answered under another name than was asked stands among the parts of a score. */
function resultOf(
  record: Score,
  { isAsking, ...of }: Pick<ItemResult, "item" | "metric" | "key"> & { readonly isAsking: boolean },
): ItemResult {
  const { metric } = of;
  const { answeredBy = [], snapshots = [] } = record;
  const answerer = { answeredBy, snapshots };
  const wasAnswered = record.status === "done" || answererOf(answerer) !== "";
  const said = wasAnswered && isAsking ? { answerer } : {};
  if (record.status === "unscored") {
    const { status, reason, retryable, detail } = record;
    return {
      ...of,
      result: { status, reason, retryable, detail, ...metricFacts(metric) },
      ...said,
    };
  }
  const isNamed = answeredBy.length + snapshots.length > 0;
  const names = {
    ...(answeredBy.length === 0 ? {} : { answeredBy }),
    ...(snapshots.length === 0 ? {} : { snapshots }),
  };
  const parts = partsOf(record);
  return {
    ...of,
    result: {
      status: "scored",
      value: record.value,
      ...metricFacts(metric),
      ...parts,
      ...(isNamed && { details: { ...parts.details, ...names } }),
    },
    ...said,
  };
}
