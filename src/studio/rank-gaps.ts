import { metricRanks } from "../analysis/trust-card/disagreement.js";
import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

type Indexed = Pick<RunIndex, "rows" | "tables">;
type Ranks = readonly (number | null)[];

/** Metrics were asked about other texts, too, of which no image is ranked. */
const isRanking = ({ against }: ScoreTable) => against === "prompt" || against === "own";

/** The distance between the highest and the lowest rank that metrics give each image; NaN with fewer than two. */
export function metricSpreads({ rows, tables }: Indexed): Float64Array {
  const ranks = tables
    .filter((table) => isRanking(table) && !table.isByPeople)
    .map((table) => ranksOf(rows.length, table));
  return Float64Array.from(rows, (_, at) => {
    const own = ranks.map((column) => column[at] ?? null).filter((rank) => rank !== null);
    return own.length < 2 ? Number.NaN : Math.max(...own) - Math.min(...own);
  });
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
      const [theirs, its] = [people, metric].map((table) => ranksOf(rows.length, table, isShared));
      for (const [at, rank] of (theirs ?? []).entries()) {
        const other = its?.[at] ?? null;
        if (rank === null || other === null) continue;
        const known = gaps[at] ?? Number.NaN;
        const gap = Math.abs(rank - other);
        if (!(known >= gap)) gaps[at] = gap;
      }
    }
  }
  return gaps;
}

const ranksOf = (
  images: number,
  table: ScoreTable,
  isCounted: (at: number) => boolean = () => true,
): Ranks =>
  metricRanks(
    Array.from({ length: images }, (_, at) =>
      isCounted(at) ? (table.get(at)?.value ?? null) : null,
    ),
    table.direction,
  );
