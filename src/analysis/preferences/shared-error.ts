import { type Clustering, twoWayError } from "../../stats/two-way-error.js";
import type { ComparedCell, PreferenceClusters } from "./preference-cells.js";

/** The standard error of a statistic, from by how much it moves with each cell. */
export type SharedError = (influence: Float64Array) => number;

/** The standard error of what cells that share annotators and prompts give; undefined where none do. */
export function sharedError(
  { ways, cluster, clusters }: PreferenceClusters,
  cells: readonly ComparedCell[],
): SharedError | undefined {
  if (ways === undefined) return undefined;
  const both = { cluster: Int32Array.from(cells, (cell) => cell.cluster), clusters };
  const ofCells = (way: Clustering): Clustering => {
    const own = new Int32Array(clusters);
    for (const [row, place] of cluster.entries()) own[place] = way.cluster[row] ?? 0;
    return { cluster: both.cluster.map((place) => own[place] ?? 0), clusters: way.clusters };
  };
  const [one, other] = [ofCells(ways.annotator), ofCells(ways.prompt)];
  return (influence) => twoWayError(influence, { one, other, both });
}
