import { questionKinds } from "../analysis/evidence/evidence-table.js";
import { asJson, type Json } from "../core/json.js";
import { foundFor } from "./found.js";
import type { ShippedSet } from "./shipped-figures.js";

/** The figures over sets of every metric and question. */
export function evidenceJson(sets: readonly ShippedSet[], version: number, verdict: string) {
  const metrics: Record<string, Record<string, Json>> = {};
  for (const asked of questionKinds) {
    for (const { metric, each, tau2, prediction, ...found } of foundFor(asked, sets).metrics) {
      metrics[metric] = {
        ...metrics[metric],
        [asked]: asJson({
          ...found,
          tau2,
          prediction,
          each: each.map(({ set, figures, leftOut }) => ({
            set,
            n: figures.n,
            unscored: figures.unscored,
            accuracyWithin: figures.accuracyWithin,
            ...(leftOut !== undefined && { leftOut }),
          })),
        }),
      };
    }
  }
  const rules = Object.fromEntries(
    questionKinds.map((asked) => [asked, asJson(foundFor(asked, sets).otherRules)]),
  );
  return { version, sets: sets.map(({ name }) => name), metrics, otherRules: rules, verdict };
}
