import type { Forecast } from "../core/forecast.js";
import type { CallMeter } from "../models/prices/call-meter.js";

/** So many tasks, evenly spaced, stand for all; where others work on them, too, fewer. */
const mostTried = { alone: 100, mixed: 5 };

/** How many of so many tasks are tried: every `every`th from the first. */
export const everyOf = (wanted: number, { isMixed = false }: { isMixed?: boolean } = {}): number =>
  Math.max(1, Math.ceil(wanted / (isMixed ? mostTried.mixed : mostTried.alone)));

/**
 * Forecasts what tasks will ask, by trying some of them without a call.
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
  for await (const task of tasks) {
    const counted = await meter.count(task);
    sum.tried++;
    sum.calls += counted.calls;
    sum.cost += counted.cost;
    sum.isExact &&= counted.isExact;
    sum.dearest = Math.max(sum.dearest, counted.cost);
    sum.mostCalls = Math.max(sum.mostCalls, counted.calls);
    for (const name of counted.unpriced) unpriced.add(name);
    for (const from of counted.prices) prices.add(from);
  }
  const share = sum.tried === 0 ? 0 : wanted / sum.tried;
  return {
    calls: Math.round(sum.calls * share),
    cost: unpriced.size > 0 ? undefined : sum.cost * share,
    unpriced: [...unpriced],
    prices: [...prices],
    dearest: sum.dearest,
    isExact: sum.isExact,
    mostCalls: sum.mostCalls,
  };
}
