import { metricRanks } from "../analysis/trust-card/metric-ranks.js";
import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

type Indexed = Pick<RunIndex, "rows" | "tables">;

/** Metrics were asked about other texts, too, of which no image is ranked. */
const isRanking = ({ against }: ScoreTable) => against === "prompt" || against === "own";

/** The distance between the highest and the lowest rank that metrics give each image; NaN with fewer than two. */
export function metricSpreads(index: Indexed): Float64Array {
  const steps = spreadsByMetric(index);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, with a pause after each metric for whoever has other work. */
export function* spreadsByMetric({ rows, tables }: Indexed): Generator<undefined, Float64Array> {
  const ranks: Float64Array[] = [];
  for (const table of tables.filter((one) => isRanking(one) && !one.isByPeople)) {
    ranks.push(ranksOf(rows.length, table));
    yield;
  }
  const spreads = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    let [ranked, lowest, highest] = [0, 1, 0];
    for (const column of ranks) {
      const rank = column[at] ?? Number.NaN;
      if (Number.isNaN(rank)) continue;
      ranked++;
      lowest = Math.min(lowest, rank);
      highest = Math.max(highest, rank);
    }
    spreads[at] = ranked < 2 ? Number.NaN : highest - lowest;
  }
  return spreads;
}

/**
 * The largest distance between the rank of each image by a metric and that by people. People rate a
 * sample: the metric ranks the images that they rated and no other.
 */
export function peopleGaps({ rows, tables }: Indexed, metric: ScoreTable): Float64Array {
  if (metric.isByPeople || !isRanking(metric))
    return new Float64Array(rows.length).fill(Number.NaN);
  const byPeople = tables.filter((table) => isRanking(table) && table.isByPeople);
  return furthest(
    byPeople.map((people) => {
      const isShared = (at: number) => !Number.isNaN(people.value(at) + metric.value(at));
      const theirs = ranksOf(rows.length, people, isShared);
      return ranksOf(rows.length, metric, isShared).map((rank, at) =>
        Math.abs((theirs[at] ?? Number.NaN) - rank),
      );
    }),
    rows.length,
  );
}

/** The largest of each image's distances; NaN where all are. */
export function furthest(
  distances: readonly Float64Array[],
  length = distances[0]?.length ?? 0,
): Float64Array {
  const found = new Float64Array(length).fill(Number.NaN);
  for (const column of distances) {
    for (let at = 0; at < length; at++) {
      const distance = column[at] ?? Number.NaN;
      if (!((found[at] ?? Number.NaN) >= distance) && !Number.isNaN(distance)) found[at] = distance;
    }
  }
  return found;
}

function ranksOf(
  images: number,
  table: ScoreTable,
  isCounted: (at: number) => boolean = () => true,
): Float64Array {
  const scores = new Float64Array(images);
  for (let at = 0; at < images; at++) scores[at] = isCounted(at) ? table.value(at) : Number.NaN;
  return metricRanks(scores, table.direction);
}
