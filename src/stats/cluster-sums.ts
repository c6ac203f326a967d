import { picked, rowsByCode } from "../core/row-codes.js";
import { exactSum } from "./exact-sum.js";

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
 * Sums `columns` (each with one number for each row) by cluster and group, in time linear in rows. Each sum is rounded
 * once (`exactSum`) and cells go by cluster and group, so that the order of the rows changes nothing.
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
  const byGroup = groups === 1 ? undefined : rowsByCode({ codes: group, count: groups }).rows;
  const codes = byGroup === undefined ? cluster : picked(cluster, byGroup);
  const places = rowsByCode({ codes, count: clusters }).rows;
  const rows = byGroup === undefined ? places : picked(byGroup, places);
  const start = new Int32Array(clusters + 1);
  const groupOfCell = new Int32Array(rows.length);
  const first = new Int32Array(rows.length + 1);
  let cells = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const last = rows[at - 1] ?? 0;
    const its = cluster[row] ?? 0;
    if (at === 0 || its !== cluster[last] || group[row] !== group[last]) {
      first[cells] = at;
      groupOfCell[cells] = group[row] ?? 0;
      cells += 1;
    }
    start[its + 1] = cells;
  }
  first[cells] = rows.length;
  for (let one = 0; one < clusters; one++) {
    start[one + 1] = Math.max(start[one + 1] ?? 0, start[one] ?? 0);
  }
  const sums = new Float64Array(cells * width);
  for (const [at, column] of columns.entries()) {
    const values = picked(column, rows);
    for (let cell = 0; cell < cells; cell++) {
      sums[cell * width + at] = exactSum(values, first[cell], first[cell + 1]);
    }
  }
  return { clusters, groups, width, start, group: groupOfCell.slice(0, cells), sums };
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
