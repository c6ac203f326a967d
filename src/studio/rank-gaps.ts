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
 * The largest distance between the rank of each image by people and that by a metric. People rate a
 * sample: a metric ranks the images that they rated and no other.
 *
 * @param only the one metric that is asked about; all if not given
 */
export function peopleGaps({ rows, tables }: Indexed, only?: ScoreTable): Float64Array {
  const gaps = new Float64Array(rows.length).fill(Number.NaN);
  const metrics = tables.filter(
    (table) => isRanking(table) && !table.isByPeople && (only === undefined || only === table),
  );
  for (const people of tables.filter((table) => isRanking(table) && table.isByPeople)) {
    for (const metric of metrics) {
      const isShared = (at: number) => !Number.isNaN(people.value(at) + metric.value(at));
      const theirs = ranksOf(rows.length, people, isShared);
      const its = ranksOf(rows.length, metric, isShared);
      for (let at = 0; at < gaps.length; at++) {
        const gap = Math.abs((theirs[at] ?? Number.NaN) - (its[at] ?? Number.NaN));
        // Also where no other metric has one.
        if (!Number.isNaN(gap) && !((gaps[at] ?? Number.NaN) >= gap)) gaps[at] = gap;
      }
    }
  }
  return gaps;
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
