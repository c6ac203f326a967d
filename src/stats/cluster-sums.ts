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
  const byCluster = rowsByCluster(cluster, clusters);
  const start = new Int32Array(clusters + 1);
  const groupOfCell = new Int32Array(cluster.length);
  const sums = new Float64Array(cluster.length * width);
  // The newest cell of each group; it is this cluster's own if it lies at or behind its start.
  const newest = new Int32Array(groups).fill(-1);
  let cells = 0;
  let last = -1;
  for (const row of byCluster) {
    const current = cluster[row] ?? 0;
    while (last < current) {
      last += 1;
      start[last] = cells;
    }
    const rowGroup = group[row] ?? 0;
    let cell = newest[rowGroup] ?? -1;
    if (cell < (start[current] ?? 0)) {
      cell = cells;
      cells += 1;
      newest[rowGroup] = cell;
      groupOfCell[cell] = rowGroup;
    }
    for (let column = 0; column < width; column++) {
      const at = cell * width + column;
      sums[at] = (sums[at] ?? 0) + (columns[column]?.[row] ?? 0);
    }
  }
  start.fill(cells, last + 1);
  return {
    clusters,
    groups,
    width,
    start,
    group: groupOfCell.slice(0, cells),
    sums: sums.slice(0, cells * width),
  };
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

/** Row numbers in the order of their clusters (a counting sort; rows of a cluster keep order). */
function rowsByCluster(cluster: Int32Array, clusters: number): Int32Array {
  const next = new Int32Array(clusters + 1);
  for (const one of cluster) next[one + 1] = (next[one + 1] ?? 0) + 1;
  for (let one = 0; one < clusters; one++) next[one + 1] = (next[one + 1] ?? 0) + (next[one] ?? 0);
  const rows = new Int32Array(cluster.length);
  for (let row = 0; row < cluster.length; row++) {
    const one = cluster[row] ?? 0;
    const place = next[one] ?? 0;
    rows[place] = row;
    next[one] = place + 1;
  }
  return rows;
}
