import type { IntervalMethod } from "./intervals.js";

const enough = 20;

/**
 * What to mind where intervals come from few clusters: a sentence, or none.
 *
 * @example fewClusters({ clusters: 2, clusteredBy: "row" })
 *   // ["intervals from 2 rows are narrower than they ought to be"]
 */
export function fewClusters({
  clusters,
  clusteredBy,
}: Pick<IntervalMethod, "clusters" | "clusteredBy">): string[] {
  return clusters === 0 || clusters >= enough
    ? []
    : [
        `intervals from ${clusters} ${clusteredBy}${clusters === 1 ? "" : "s"} are narrower than ` +
          "they ought to be",
      ];
}
