/**
 * Rows summed by cluster and group, the form in which a clustered interval needs them: a cluster
 * (all rows of one prompt) is drawn or left whole; a group (a domain) is reported apart. A cell is
 * one group within one cluster; most clusters have one.
 */
export interface ClusterSums {
  readonly clusters: number;
  readonly groups: number;
  /** How many sums a cell has. */
  readonly width: number;
  /** Cluster c has the cells start[c] up to, but not with, start[c + 1]. */
  readonly start: Int32Array;
  /** The group of each cell. */
  readonly group: Int32Array;
  /** Cell by cell, `width` sums each. */
  readonly sums: Float64Array;
}

/**
 * Sums `columns` (each with one number for each row) by cluster and group, in time linear in rows.
 *
 * @param cluster of each row, 0 to clusters - 1.
 * @param group of each row, 0 to groups - 1.
 */
export function clusterSums({
  cluster,
  group,
  columns,
  clusters,
  groups,
}: {
  readonly cluster: Int32Array;
  readonly group: Int32Array;
  readonly columns: readonly Float64Array[];
  readonly clusters: number;
  readonly groups: number;
}): ClusterSums {
  const width = columns.length;
  const { rows, first } = rowsByCluster(cluster, clusters);
  const start = new Int32Array(clusters + 1);
  const groupOfCell = new Int32Array(cluster.length);
  const cellOfRow = new Int32Array(cluster.length);
  // The newest cell of each group; it is this cluster's own if it lies at or behind its start.
  const newest = new Int32Array(groups).fill(-1);
  let cells = 0;
  for (let current = 0; current < clusters; current++) {
    const startsAt = cells;
    start[current] = startsAt;
    for (let at = first[current] ?? 0; at < (first[current + 1] ?? 0); at++) {
      const row = rows[at] ?? 0;
      const rowGroup = group[row] ?? 0;
      let cell = newest[rowGroup] ?? -1;
      if (cell < startsAt) {
        cell = cells;
        cells += 1;
        newest[rowGroup] = cell;
        groupOfCell[cell] = rowGroup;
      }
      cellOfRow[row] = cell;
    }
  }
  start[clusters] = cells;
  const sums = new Float64Array(cells * width);
  for (const [at, column] of columns.entries()) addColumn(column, { cellOfRow, sums, width, at });
  return {
    clusters,
    groups,
    width,
    start,
    group: groupOfCell.slice(0, cells),
    sums,
  };
}

function addColumn(
  column: Float64Array,
  {
    cellOfRow,
    sums,
    width,
    at,
  }: { cellOfRow: Int32Array; sums: Float64Array; width: number; at: number },
): void {
  for (let row = 0; row < cellOfRow.length; row++) {
    const place = (cellOfRow[row] ?? 0) * width + at;
    sums[place] = (sums[place] ?? 0) + (column[row] ?? 0);
  }
}

/** The totals over all clusters: group by group, `width` sums each. */
export function groupTotals({ groups, width, group, sums }: ClusterSums): Float64Array {
  const totals = new Float64Array(groups * width);
  for (let cell = 0; cell < group.length; cell++) {
    const base = (group[cell] ?? 0) * width;
    for (let column = 0; column < width; column++) {
      const at = base + column;
      totals[at] = (totals[at] ?? 0) + (sums[cell * width + column] ?? 0);
    }
  }
  return totals;
}

/**
 * Row numbers in the order of their clusters (a counting sort; rows of a cluster keep order), and where
 * those of each cluster begin.
 */
function rowsByCluster(
  cluster: Int32Array,
  clusters: number,
): { rows: Int32Array; first: Int32Array } {
  const first = new Int32Array(clusters + 1);
  for (const one of cluster) first[one + 1] = (first[one + 1] ?? 0) + 1;
  for (let one = 0; one < clusters; one++) {
    first[one + 1] = (first[one + 1] ?? 0) + (first[one] ?? 0);
  }
  const next = first.slice();
  const rows = new Int32Array(cluster.length);
  for (let row = 0; row < cluster.length; row++) {
    const one = cluster[row] ?? 0;
    const place = next[one] ?? 0;
    rows[place] = row;
    next[one] = place + 1;
  }
  return { rows, first };
}
