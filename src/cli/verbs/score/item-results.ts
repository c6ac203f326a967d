import { type Answerer, answererOf } from "../../../core/answered-by.js";
import type { Hash } from "../../../core/keys.js";
import { type Metric, metricFacts, modelsBehind } from "../../../core/metric.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { RecordOf } from "../../../core/records.js";
import { NoAnswer } from "../../../core/unscored.js";
import { type ScoreResult, unscoredBecause } from "../../../metrics/score-picture.js";
import { type MetricOfStep, soundItems } from "./item-steps.js";
import type { ScoreItem } from "./score-item.js";

type Score = RecordOf<"score">;

export interface ItemResult {
  readonly item: ScoreItem;
  readonly metric: Metric;
  readonly result: ScoreResult;
  /** Who answered; not given where nobody did. */
  readonly answerer?: Answerer;
}

/**
 * The results of items by metrics from the run that holds them, in the order of the items and the metrics.
 *
 * @param options.limit the limit that was met, where items without a record were not asked about
 */
export async function* itemResults(
  items: readonly ScoreItem[],
  {
    run,
    steps,
    limit,
  }: {
    readonly run: RecordStore;
    readonly steps: readonly MetricOfStep[];
    readonly limit: string | undefined;
  },
): AsyncGenerator<ItemResult> {
  const notAsked =
    limit === undefined
      ? new NoAnswer("bad-input", "The image changed while it was scored")
      : new NoAnswer("budget", `Not asked: the limit of ${limit} was met`);
  const scores = steps.map(({ metric, id }) => ({
    metric,
    found: new ScoresInOrder(run.ofStep(id)),
  }));
  const sound = soundItems(items).values();
  let next = sound.next();
  try {
    for (const item of items) {
      const at = next.done !== true && next.value.item === item ? next.value : undefined;
      if (at !== undefined) next = sound.next();
      for (const { metric, found } of scores) {
        const record = at && (await found.take(at));
        const missing =
          at === undefined ? new NoAnswer("bad-input", item.problem ?? "Not scored") : notAsked;
        yield record === undefined
          ? { item, metric, result: unscoredBecause(metric, missing) }
          : { item, metric, ...resultOf(record, metric) };
      }
    }
  } finally {
    for (const { found } of scores) await found.close();
  }
}

/** Takes scores one by one; of an unfinished step they come in the order in which they were answered. */
class ScoresInOrder {
  readonly #records: AsyncIterator<{ readonly type: string }>;
  readonly #early = new Map<string, Score>();

  constructor(records: AsyncIterable<{ readonly type: string }>) {
    this.#records = records[Symbol.asyncIterator]();
  }

  async take(asked: { item: ScoreItem; image: Hash; trial: number }): Promise<Score | undefined> {
    const { image, trial, item } = asked;
    const wanted = { image, trial, text: item.text };
    const early = this.#early.size === 0 ? undefined : this.#early.get(nameOf(wanted));
    if (early !== undefined) {
      this.#early.delete(nameOf(wanted));
      return early;
    }
    for (;;) {
      const { done, value } = await this.#records.next();
      if (done === true) return undefined;
      const score = value as Score;
      if (score.image === image && score.trial === trial && score.text === item.text) return score;
      this.#early.set(nameOf(score), score);
    }
  }

  async close(): Promise<void> {
    await this.#records.return?.();
  }
}

const nameOf = ({ image, trial, text }: Pick<Score, "image" | "trial" | "text">) =>
  `${image} ${trial} ${text}`;

/** A record as a result: whoever answered under another name than was asked stands among the parts of a score. */
function resultOf(record: Score, metric: Metric): Pick<ItemResult, "result" | "answerer"> {
  const { answeredBy = [], snapshots = [] } = record;
  const answerer = { answeredBy, snapshots };
  const wasAnswered = record.status === "done" || answererOf(answerer) !== "";
  const said = wasAnswered && modelsBehind(metric).length > 0 ? { answerer } : {};
  if (record.status === "unscored") {
    const { status, reason, retryable, detail } = record;
    return { result: { status, reason, retryable, detail, ...metricFacts(metric) }, ...said };
  }
  const { value, question, details } = record;
  const names = Object.fromEntries(Object.entries(answerer).filter(([, each]) => each.length > 0));
  const parts = { ...details, ...names };
  return {
    result: {
      status: "scored",
      value,
      ...metricFacts(metric),
      ...(question === undefined ? {} : { question }),
      ...(details === undefined && Object.keys(names).length === 0 ? {} : { details: parts }),
    },
    ...said,
  };
}
