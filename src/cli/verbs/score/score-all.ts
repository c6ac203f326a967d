import { type Answerer, Answerers } from "../../../core/answered-by.js";
import type { Metric } from "../../../core/metric.js";
import type { CallOptions } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { type ScoreResult, scorePicture, unscoredBecause } from "../../../metrics/score-picture.js";
import { inOrder } from "./in-order.js";
import type { ScoreItem } from "./score-item.js";

export interface ItemResult {
  readonly item: ScoreItem;
  readonly metric: Metric;
  readonly result: ScoreResult;
  /** Who answered; not given where nobody did. */
  readonly answerer?: Answerer;
}

export interface Calling extends Required<Pick<CallOptions, "signal" | "trace">> {
  readonly imagesAtATime: number;
}

/**
 * Scores items with metrics: each image opened once, its metrics one after another, a few images
 * at a time; results come in the order of the items and the metrics.
 */
export async function* scoreAll(
  items: readonly ScoreItem[],
  metrics: readonly Metric[],
  { signal, trace, imagesAtATime }: Calling,
): AsyncGenerator<ItemResult> {
  let failure: { readonly error: unknown } | undefined;
  const scoreItem = async (item: ScoreItem) => {
    signal.throwIfAborted();
    const opened = await openItem(item);
    const results: ItemResult[] = [];
    for (const metric of metrics) {
      const answerers = new Answerers();
      let wasAnswered = false;
      const result =
        opened instanceof NoAnswer
          ? unscoredBecause(metric, opened)
          : await scorePicture(metric, opened, item.text, {
              signal,
              trace(entry) {
                wasAnswered ||= entry.kind === "model-call";
                answerers.note(entry);
                trace(entry);
              },
              structure: item.structure,
            });
      const { found } = answerers;
      results.push({
        item,
        metric,
        result: withAnswerer(result, found),
        ...(wasAnswered ? { answerer: found } : {}),
      });
    }
    return results;
  };
  const orEnd = (item: ScoreItem) =>
    scoreItem(item).catch((error: unknown) => {
      failure ??= { error };
      throw failure.error;
    });
  for await (const results of inOrder(items, imagesAtATime, orEnd)) yield* results;
}

/** Whoever answered under another name than was asked stands among the parts of a score. */
function withAnswerer(result: ScoreResult, answerer: Answerer): ScoreResult {
  const named = Object.entries(answerer).filter(([, names]) => names.length > 0);
  return named.length === 0 || result.status === "unscored"
    ? result
    : { ...result, details: { ...result.details, ...Object.fromEntries(named) } };
}

async function openItem({ path, image, problem }: ScoreItem) {
  if (problem !== undefined) return new NoAnswer("bad-input", problem);
  try {
    return await openPictureFile(path, image);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return thrown;
    throw thrown;
  }
}
