import { acrossSets, type MetricAcrossSets } from "../analysis/evidence/across-sets.js";
import { type QuestionKind, questionKinds } from "../analysis/evidence/evidence-table.js";
import { otherRules } from "../analysis/evidence/other-rules.js";
import type { QuestionFound } from "../conclusions/evidence/view.js";
import type { ShippedSet } from "./shipped-figures.js";

/** What sets with figures come to, for one question. */
export function foundFor(asked: QuestionKind, sets: readonly ShippedSet[]): QuestionFound {
  const own = sets.filter((set) => set.asked === asked && hasMetrics(set));
  return {
    asked,
    metrics: acrossSets(own, asked),
    sources: [...new Set(own.map(({ repository }) => repository))],
    sets: own.length,
    otherRules: otherRules(own),
  };
}

const hasMetrics = ({ metrics, judges }: ShippedSet) =>
  Object.keys(metrics).length + Object.keys(judges).length > 0;

/** One metric for each question that it was measured for. */
export const metricFound = (
  metric: string,
  sets: readonly ShippedSet[],
): { readonly asked: QuestionKind; readonly found: MetricAcrossSets }[] =>
  questionKinds.flatMap((asked) => {
    const found = foundFor(asked, sets).metrics.find((one) => one.metric === metric);
    return found === undefined ? [] : [{ asked, found }];
  });
