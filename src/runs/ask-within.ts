import type { JsonObject } from "../core/json.js";
import type { CallOptions } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import type { Budget } from "./budget.js";
import { CallCosts } from "./call-costs.js";

/**
 * Asks as far as the budget goes, and takes from it what the calls cost.
 *
 * @throws NoAnswer with the reason `budget` where a limit was met.
 */
export async function askWithin<Answer>(
  budget: Budget,
  options: CallOptions,
  ask: (traced: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  if (!(await budget.take())) {
    throw new NoAnswer("budget", `Not asked: the limit of ${budget.over} was met`);
  }
  const costs = new CallCosts();
  const trace = (entry: JsonObject) => {
    costs.note(entry);
    options.trace?.(entry);
  };
  try {
    return await ask({ ...options, trace });
  } finally {
    budget.put(costs.spent);
  }
}

/**
 * Checks the sight of the models that are about to be shown images and were not checked yet.
 *
 * @param names the models that are asked, as steps and metrics name them
 * @throws InputError where one is blind; see `Sights.look`
 */
export async function lookFirst(
  meter: CallMeter | undefined,
  {
    names,
    budget,
    signal,
    trace,
  }: {
    readonly names: readonly string[];
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly trace: (entry: JsonObject) => void;
  },
): Promise<void> {
  const { sights } = meter ?? {};
  if (meter === undefined || sights === undefined) return;
  for (const look of await sights.unknown(meter.looks(names))) {
    const { cost, isExact, unpriced } = await meter.count(() => sights.check(look));
    budget.expect({
      cost: unpriced.size > 0 ? undefined : cost,
      dearest: cost,
      isExact,
      mostCalls: 4,
    });
    await askWithin(budget, { signal, trace }, (options) => sights.look(look, options)).catch(
      (error: unknown) => {
        // Where a limit was met nothing else is asked, either.
        if (!(error instanceof NoAnswer)) throw error;
      },
    );
  }
  sights.refuseBlind();
}
