import type { Sanity } from "../../../analysis/sanity/sanity-text.js";
import { sightsOf } from "../../../models/sight/sights.js";
import { Budget } from "../../../runs/budget.js";
import { lookFirst } from "../../../runs/look-first.js";
import type { Hosting } from "../../models/hosting.js";

/**
 * Checks the sight of models that a card is about to ask.
 *
 * @param options.names the models, as `modelsBehind` has them
 * @param options.ask asks the first question that was not answered before; undefined where all were
 * @returns sight by the name of each model
 * @throws InputError where one is blind
 */
export async function lookBefore(
  { meter }: Hosting,
  {
    names,
    ask,
    signal,
  }: {
    readonly names: readonly string[];
    readonly ask: (() => Promise<unknown>) | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Sanity["models"]> {
  if (ask !== undefined) {
    // Counted, it asks nothing and tells which images the models are shown.
    if (names.some((name) => meter.watches(name))) await meter.count(ask);
    await lookFirst(meter, { names, budget: new Budget({}), signal, trace: () => {} });
  }
  await meter.sights?.recall(names);
  return sightsOf(names, meter.sights);
}
