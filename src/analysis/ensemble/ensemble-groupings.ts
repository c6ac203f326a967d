import { randomFrom } from "../../core/random.js";
import { softMembership } from "../../ensembles/membership.js";
import { type Clustering, sphericalKMeans } from "../../ensembles/spherical-k-means.js";
import type { EnsembleData } from "./ensemble-rows.js";

/** Numbers of groups to try where none is given. */
const clustersTried = [1, 4, 8, 16] as const;
/** Temperatures to try where none is given. */
const temperaturesTried = [0.03, 0.1, 0.3] as const;
/** The fewest images for each group, where the number of groups is chosen. */
const fewestInGroup = 4;

/** Groups of images, and to which the labelled rows belong. */
export interface EnsembleGrouping {
  readonly clusters: number;
  /** Null of one group, and where the membership was given. */
  readonly temperature: number | null;
  /** Memberships of the validation rows, rows x clusters. */
  readonly membership: Float64Array;
  /** Memberships of the test rows. */
  readonly testMembership: Float64Array;
  /** Null where nothing was clustered. */
  readonly clustering: Clustering | null;
}

/**
 * The ways to group images that are to be tried, from one group on: those given, or all of a short
 * list that the images are enough for.
 *
 * @throws RangeError where more clusters are wanted than there are embeddings.
 */
export function ensembleGroupings(
  data: EnsembleData,
  {
    clusters,
    temperature,
    restarts,
    seed,
  }: {
    readonly clusters: number | undefined;
    readonly temperature: number | undefined;
    readonly restarts: number;
    readonly seed: number;
  },
): EnsembleGrouping[] {
  const { validation, test, dimensions, groups } = data;
  if (validation.membership !== null && test.membership !== null) {
    const given = { membership: validation.membership, testMembership: test.membership };
    return [{ clusters: groups, temperature: null, clustering: null, ...given }];
  }
  const points = clusteredPoints(data);
  const images = dimensions === 0 ? 0 : points.length / dimensions;
  const counts =
    clusters === undefined
      ? clustersTried.filter((count) => count === 1 || count * fewestInGroup <= images)
      : [clusters];
  const temperatures = temperature === undefined ? temperaturesTried : [temperature];
  return counts.flatMap((count): EnsembleGrouping[] => {
    if (count === 1) return [oneGroup(data)];
    const random = randomFrom(seed, "spherical k-means", count);
    const clustering = sphericalKMeans({ points, dimensions, clusters: count, restarts, random });
    return temperatures.map((each) => {
      const of = (rows: Float64Array) =>
        softMembership({
          points: rows,
          dimensions,
          temperature: each,
          centroids: clustering.centroids,
        });
      return {
        clusters: count,
        temperature: each,
        clustering,
        membership: of(validation.points),
        testMembership: of(test.points),
      };
    });
  });
}

/** Rows to cluster: the support rows, where there are none the validation rows. */
function clusteredPoints({ support, validation }: EnsembleData): Float64Array {
  return support.length > 0 ? support : validation.points;
}

function oneGroup({ validation, test }: EnsembleData): EnsembleGrouping {
  return {
    clusters: 1,
    temperature: null,
    clustering: null,
    membership: new Float64Array(validation.rows).fill(1),
    testMembership: new Float64Array(test.rows).fill(1),
  };
}
