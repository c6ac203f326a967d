import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import { asJson, type Json, type JsonObject } from "../../../core/json.js";
import { keyOf } from "../../../core/keys.js";
import { isProbability, type Metric, metricFacts } from "../../../core/metric.js";
import { scorePicture } from "../../../metrics/score-picture.js";
import { inParallel } from "../../../runs/in-parallel.js";
import { Spending } from "../score/spending.js";
import type { Ask, AskedRow } from "./card-asks.js";
import type { KeptRows } from "./kept-rows.js";

export interface Measuring {
  readonly metric: Metric;
  readonly asked: readonly AskedRow[];
  /** Answers of before, and where new ones are kept. */
  readonly kept: KeptRows;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly rowsAtATime: number;
  readonly signal: AbortSignal;
  readonly onDone: (done: number, unscored: number) => void;
}

/**
 * Asks the metric for every row of its card that is not known yet; rows come back in the order of
 * `asked`. No answer is null. A row that has a retryable one is not kept: it is asked again next time.
 */
export async function measureCard({
  metric,
  asked,
  kept,
  clock,
  rowsAtATime,
  signal,
  onDone,
}: Measuring): Promise<CardRow[]> {
  const answered = async (one: AskedRow, key: string): Promise<CardRow> => {
    const start = clock();
    const spending = new Spending();
    let isRetryable = false;
    const answer = async ({ picture, text, trial }: Ask) => {
      const result = await scorePicture(metric, await picture(), text, {
        signal,
        trace: spending.note,
        ...(trial === undefined ? {} : { trial }),
      });
      if (result.status === "scored") return result.value;
      isRetryable ||= result.retryable;
      return null;
    };
    const found: { score?: number | null; correct?: number | null; adversarial?: number | null } =
      {};
    for (const [column, ask] of Object.entries(one.asks)) {
      found[column as keyof typeof one.asks] = await answer(ask);
    }
    const { calls, cost } = spending.toJSON();
    const row: CardRow = {
      ...one.row,
      ...found,
      ...(isProbability(metric) && one.row.label !== undefined
        ? { probability: found.score ?? null }
        : {}),
      ...(one.isTimed === true && typeof found.score === "number"
        ? { seconds: (clock() - start) / 1000 }
        : {}),
      ...(one.isTimed === true && calls > 0 && cost !== null ? { cost } : {}),
    };
    if (!isRetryable) await kept.add(key, row);
    return row;
  };
  // The first answer loads the model, which is no part of the time per image.
  const [first] = Object.values(asked.find(({ isTimed }) => isTimed)?.asks ?? {});
  if (first !== undefined && kept.size === 0) {
    await scorePicture(metric, await first.picture(), first.text, { signal, trace: () => {} });
  }
  const rows: CardRow[] = [];
  let done = 0;
  let unscored = 0;
  await inParallel(asked.entries(), {
    concurrency: rowsAtATime,
    signal,
    async work([at, one]) {
      const key = keyOfRow(metric, one);
      const row = kept.find(key) ?? (await answered(one, key));
      rows[at] = row;
      unscored += [row.score, row.correct, row.adversarial].includes(null) ? 1 : 0;
      onDone(++done, unscored);
    },
  });
  signal.throwIfAborted();
  return rows;
}

/** The first question that was not answered before; undefined where all were. */
export function firstUnasked(
  metric: Metric,
  { asked, kept }: Pick<Measuring, "asked" | "kept">,
): Ask | undefined {
  const row = asked.find((one) => kept.find(keyOfRow(metric, one)) === undefined);
  return Object.values(row?.asks ?? {})[0];
}

const keyOfRow = (metric: Metric, one: AskedRow) =>
  keyOf({ ...asJson(metricFacts(metric)), ...askedFacts(one) });

/** Describes what is asked, without the pictures. */
function askedFacts({ row, asks }: AskedRow): JsonObject {
  const texts = Object.entries(asks).map(
    ([column, { shown, text, trial = 0 }]): Json => [column, shown, text, trial],
  );
  return { row: JSON.parse(JSON.stringify(row)), texts };
}
