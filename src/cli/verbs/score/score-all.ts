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
  /** Who answered, by the servers' own word: empty for the models asked, not given where nobody did. */
  readonly answeredBy?: string;
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
      const answerers = new Set<string>();
      const result =
        opened instanceof NoAnswer
          ? unscoredBecause(metric, opened)
          : await scorePicture(metric, opened, item.text, {
              signal,
              trace(entry) {
                if (entry.kind === "model-call") answerers.add(String(entry.answeredBy ?? ""));
                trace(entry);
              },
              structure: item.structure,
            });
      const others = [...answerers].filter(Boolean).sort();
      results.push({
        item,
        metric,
        result: withAnswerers(result, others),
        ...(answerers.size === 0 ? {} : { answeredBy: others.join(", ") }),
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

/** The models that answered in place of the one asked stand among the parts of a score. */
const withAnswerers = (result: ScoreResult, answeredBy: readonly string[]): ScoreResult =>
  answeredBy.length === 0 || result.status === "unscored"
    ? result
    : { ...result, details: { ...result.details, answeredBy } };

async function openItem({ path, image, problem }: ScoreItem) {
  if (problem !== undefined) return new NoAnswer("bad-input", problem);
  try {
    return await openPictureFile(path, image);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return thrown;
    throw thrown;
  }
}
