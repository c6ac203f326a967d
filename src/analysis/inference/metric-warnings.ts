import { listText } from "../../core/phrases.js";

/** Caveats of one metric's numbers. */
export interface MetricWarning {
  readonly metric: string;
  readonly text: string;
}

/**
 * A sentence for each text, after the metrics that it is about, in the order of the first.
 *
 * @example metricWarnings([{ metric: "a", text: "is odd" }, { metric: "b", text: "is odd" }])
 *   // ["a and b: is odd"]
 */
export function metricWarnings(warnings: readonly MetricWarning[]): string[] {
  const metricsOf = new Map<string, string[]>();
  for (const { metric, text } of warnings) {
    metricsOf.set(text, [...(metricsOf.get(text) ?? []), metric]);
  }
  return [...metricsOf].map(([text, metrics]) => `${listText(metrics)}: ${text}`);
}
