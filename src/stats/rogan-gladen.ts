/**
 * Sums of a judge's answers, and of an expert's to some of the same. Of the labelled answers only
 * those count below that have a judge's answer as well; weights may make the sums uneven numbers.
 */
export interface JudgedCounts {
  /** All of the judge's answers, and those that say yes. */
  readonly answers: number;
  readonly flagged: number;
  /** Labelled answers where the expert says yes, and those of them where the judge does, too. */
  readonly present: number;
  readonly hits: number;
  /** Labelled answers where the expert says no, and those of them where the judge does, too. */
  readonly absent: number;
  readonly rejections: number;
}

export interface CorrectedShare {
  /** The corrected share in [0, 1]; NaN where the counts define none. */
  readonly value: number;
  /** Before it was cut at 0 and 1. */
  readonly raw: number;
  /** flagged / answers */
  readonly apparent: number;
  /** hits / present */
  readonly sensitivity: number;
  /** rejections / absent */
  readonly specificity: number;
}

/**
 * The share of answers that an expert would call present, from a judge whose errors were measured:
 * (apparent + specificity - 1) / (sensitivity + specificity - 1), cut at 0 and 1. Rogan and Gladen,
 * "Estimating Prevalence from the Results of a Screening Test" (1978), equation 1.
 *
 * @returns NaN for `value` and `raw` without answers, without a label of either kind, and where
 *   sensitivity + specificity <= 1: such a judge says nothing of what the expert sees.
 * @example
 * roganGladen({ answers: 1000, flagged: 300, present: 50, hits: 45, absent: 100, rejections: 90 })
 *   .value // 0.25
 */
export function roganGladen(counts: JudgedCounts): CorrectedShare {
  const apparent = counts.flagged / counts.answers;
  const sensitivity = counts.hits / counts.present;
  const specificity = counts.rejections / counts.absent;
  const informed = sensitivity + specificity - 1;
  // A judge that is no better than chance may come out a hair above it by rounding.
  const raw = informed > 1e-12 ? (apparent + specificity - 1) / informed : Number.NaN;
  const value = Math.min(1, Math.max(0, raw));
  return { value, raw, apparent, sensitivity, specificity };
}

/**
 * How far each cluster moves the corrected share, before it is cut: with J = sensitivity +
 * specificity - 1 and p the share, (d apparent + (1 - p) d specificity - p d sensitivity) / J. The sum of
 * their squares is the delta method's variance; of answers that are all clusters of their own and labels
 * from elsewhere it is that of Rogan and Gladen (1978), equation 2.
 *
 * @returns one number for each cluster; NaN where the share is undefined.
 */
export function roganGladenInfluence(clusters: readonly JudgedCounts[]): Float64Array {
  const all = totalCounts(clusters);
  const { raw, apparent, sensitivity, specificity } = roganGladen(all);
  const informed = sensitivity + specificity - 1;
  const part = (above: number, rate: number, below: number, whole: number) =>
    (above - rate * below) / whole;
  return Float64Array.from(
    clusters,
    ({ answers, flagged, present, hits, absent, rejections }) =>
      (part(flagged, apparent, answers, all.answers) +
        (1 - raw) * part(rejections, specificity, absent, all.absent) -
        raw * part(hits, sensitivity, present, all.present)) /
      informed,
  );
}

/** The sums over clusters, each as often as `times` says; once by default. */
export function totalCounts(
  clusters: readonly JudgedCounts[],
  times?: ArrayLike<number>,
): JudgedCounts {
  const all = { answers: 0, flagged: 0, present: 0, hits: 0, absent: 0, rejections: 0 };
  clusters.forEach((counts, at) => {
    const often = times === undefined ? 1 : (times[at] ?? 0);
    all.answers += often * counts.answers;
    all.flagged += often * counts.flagged;
    all.present += often * counts.present;
    all.hits += often * counts.hits;
    all.absent += often * counts.absent;
    all.rejections += often * counts.rejections;
  });
  return all;
}
