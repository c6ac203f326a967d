import { modelsBehind } from "../../../core/metric.js";
import type { Forecast } from "../../../core/step.js";
import { openPictureFile } from "../../../images/picture-file.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import { forecast, triedOf } from "../../../runs/step-forecast.js";
import type { ChosenMetric } from "./metric-choice.js";
import { isOwnMetric } from "./named-metric.js";
import type { ScoreItem } from "./score-item.js";

/**
 * Forecasts scoring's calls to models that can be metered, without a call; `undefined` where it
 * asks none. Metrics of the user's own are not tried: what they do is theirs.
 */
export async function foreseeScores(
  items: readonly ScoreItem[],
  {
    chosen,
    meter,
    signal,
  }: {
    readonly chosen: readonly ChosenMetric[];
    readonly meter: CallMeter;
    readonly signal: AbortSignal;
  },
): Promise<Forecast | undefined> {
  const sound = items.filter(({ problem }) => problem === undefined);
  const each: Forecast[] = [];
  for (const { name, metric } of chosen) {
    const models = modelsBehind(metric);
    const watched = models.filter((model) => meter.watches(model));
    if (isOwnMetric(name) || watched.length === 0) continue;
    const isTried = triedOf(sound.length, { isMixed: watched.length < models.length });
    const tasks = sound
      .filter((_, at) => isTried(at))
      .map(({ path, image, text, structure }) => async () => {
        signal.throwIfAborted();
        const picture = await openPictureFile(path, image);
        const described = structure === undefined ? {} : { structure };
        return metric.score({ image: picture, text, ...described }, { signal });
      });
    each.push(await forecast(meter, tasks, sound.length));
  }
  return each.length === 0 ? undefined : each.reduce(together);
}

/** Two forecasts as one. */
export const together = (one: Forecast, other: Forecast): Forecast => ({
  calls: one.calls + other.calls,
  cost: one.cost === undefined || other.cost === undefined ? undefined : one.cost + other.cost,
  unpriced: [...new Set([...one.unpriced, ...other.unpriced])],
  prices: [...new Set([...one.prices, ...other.prices])],
  dearest: Math.max(one.dearest, other.dearest),
  mostCalls: Math.max(one.mostCalls, other.mostCalls),
  isExact: one.isExact && other.isExact,
});
