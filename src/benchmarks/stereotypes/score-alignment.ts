import type { Key } from "../../core/keys.js";
import type { Metric } from "../../core/metric.js";
import type { Step } from "../../core/step.js";
import { metricSteps } from "../score-step.js";

/**
 * The steps that measure the price of refining: each metric scores each image, of queries and of
 * rewrites alike, against the query.
 */
export const scoreAlignment = ({
  metrics,
}: {
  readonly metrics: readonly Metric[];
}): Step<"score">[] =>
  metricSteps({
    name: "score-alignment",
    metrics,
    plan: {
      parameters: { textOf: "query" },
      async *tasks(records) {
        const queries = new Map<Key, string>();
        for await (const query of records.ofType("query")) {
          if (query.status === "done") queries.set(query.key, query.text);
        }
        for await (const { key, query } of records.ofType("refinement")) {
          const text = queries.get(query);
          if (text !== undefined) queries.set(key, text);
        }
        for await (const image of records.ofType("image")) {
          const text = queries.get(image.prompt);
          if (image.status !== "done" || text === undefined) continue;
          yield { of: image.key, image: image.image, text };
        }
      },
    },
  });
