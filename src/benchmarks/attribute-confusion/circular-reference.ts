import { z } from "zod";
import { isByPeople, unknownLocalizer, withoutRevision } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import type { LocalizedMetric } from "./localized-metrics.js";

/** A metric for which people's answers are no reference. */
export interface CircularMetric {
  readonly metric: LocalizedMetric["metric"];
  /** The model that says where it looks, and said what people were shown. */
  readonly localizer: string;
}

const shown = z.object({ localizers: z.array(z.string()) });

/**
 * The metrics that look where a model says which also chose what people were shown of an entity: by
 * these answers they would agree with people wherever it looks. Of answers that were taken over before
 * that was noted, all metrics that look at entities one by one.
 */
export function circularMetrics(
  localized: readonly LocalizedMetric[],
  scores: readonly RecordOf<"score">[],
): CircularMetric[] {
  const named = new Set(
    scores.flatMap((score) => {
      if (!score.step.startsWith("check-attributes@") || !isByPeople(score)) return [];
      if (score.status !== "done") return [];
      const noted = shown.safeParse(score.details);
      return noted.success ? noted.data.localizers.map(withoutRevision) : [unknownLocalizer];
    }),
  );
  return localized.flatMap(({ metric, localizer }) =>
    localizer !== "" && (named.has(localizer) || named.has(unknownLocalizer))
      ? [{ metric, localizer }]
      : [],
  );
}
