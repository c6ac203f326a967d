import { randomFrom } from "../core/random.js";
import type { Forecast } from "../core/step.js";
import type { CallMeter } from "../models/prices/call-meter.js";

/** At most so many tasks stand for all; where models on this machine work on them, too, fewer. */
const mostTried = { alone: 1000, mixed: 5 };

/**
 * Chooses tasks to try by their number from 0: all, or one of each run of so many in a row, drawn, since
 * requests come again in a rhythm.
 */
export function triedOf(
  wanted: number,
  { isMixed = false }: { isMixed?: boolean } = {},
): (at: number) => boolean {
  const every = Math.max(1, Math.ceil(wanted / (isMixed ? mostTried.mixed : mostTried.alone)));
  const places = new Uint32Array(Math.ceil(wanted / every));
  randomFrom("tasks to try", wanted).integers(every, places);
  return (at) => at % every === places[Math.floor(at / every)];
}

/**
 * Forecasts what tasks will ask, by trying some of them without a call. A request that comes again counts
 * once; how many distinct ones the tasks not tried would add is estimated from how many came once
 * and twice: exact where all are tried, all distinct, or each comes often.
 *
 * Source: Chao and Lin (2012), Nonparametric lower bounds for species richness and shared species richness under
 * sampling without replacement, Biometrics 68.
 *
 * @param tasks those that are tried
 * @param wanted how many they stand for
 */
export async function forecast(
  meter: CallMeter,
  tasks: AsyncIterable<() => Promise<unknown>> | Iterable<() => Promise<unknown>>,
  wanted: number,
): Promise<Forecast> {
  const sum = { tried: 0, calls: 0, cost: 0, dearest: 0, isExact: true, mostCalls: 0 };
  const unpriced = new Set<string>();
  const prices = new Set<string>();
  const times = new Map<string, number>();
  for await (const task of tasks) {
    const counted = await meter.count(task);
    sum.tried++;
    sum.calls += counted.calls;
    sum.cost += counted.cost;
    sum.isExact &&= counted.isExact;
    sum.dearest = Math.max(sum.dearest, counted.cost);
    sum.mostCalls = Math.max(sum.mostCalls, counted.calls);
    for (const key of counted.first) times.set(key, 1);
    for (const key of counted.again) {
      const before = times.get(key);
      // One that an earlier forecast counted is none of these.
      if (before !== undefined) times.set(key, before + 1);
    }
    for (const name of counted.unpriced) unpriced.add(name);
    for (const from of counted.prices) prices.add(from);
  }
  const sight = await countSight(meter);
  const counts = [...times.values()];
  const often = (count: number) => counts.filter((one) => one === count).length;
  const requests = sum.calls - counts.length + counts.reduce((all, one) => all + one, 0);
  const share =
    sum.calls === 0
      ? 0
      : 1 +
        notTried({
          once: sum.calls - counts.length + often(1),
          twice: often(2),
          requests,
          share: sum.tried / wanted,
        }) /
          sum.calls;
  return {
    calls: Math.round(sum.calls * share) + sight.calls,
    cost: unpriced.size > 0 ? undefined : sum.cost * share + sight.cost,
    unpriced: [...unpriced],
    prices: [...prices],
    dearest: sum.dearest,
    isExact: sum.isExact,
    mostCalls: sum.mostCalls,
  };
}

/** Counts the calls that check the sight of models before they are shown the first image. */
async function countSight(meter: CallMeter): Promise<{ calls: number; cost: number }> {
  const { sights } = meter;
  const sum = { calls: 0, cost: 0 };
  for (const look of (await sights?.unknown(meter.looks())) ?? []) {
    const { calls, cost } = await meter.count(() => sights?.check(look) ?? Promise.resolve());
    sum.calls += calls;
    sum.cost += cost;
  }
  return sum;
}

/** Distinct requests that are not among those tried, estimated. */
function notTried({
  once,
  twice,
  requests,
  share,
}: Readonly<Record<"once" | "twice" | "requests" | "share", number>>): number {
  if (once === 0 || share >= 1) return 0;
  return (
    once ** 2 / ((requests / Math.max(1, requests - 1)) * 2 * twice + (share / (1 - share)) * once)
  );
}
