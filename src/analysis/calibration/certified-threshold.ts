import { largestOf } from "../../core/arrays.js";
import { randomFrom } from "../../core/random.js";
import { splitLabels } from "../../ensembles/label-split.js";
import {
  type Certified,
  certify,
  countsAtThresholds,
  type NotCertified,
  type ThresholdCount,
  thresholdDecimals,
  triedThresholds,
} from "../../ensembles/selective-certificate.js";

/** From which confidence on answers may stand, as a saved judge's certification has it, or why nothing is said. */
export type ThresholdCertification = { readonly target: number; readonly confidence: number } & (
  | { readonly reason: string }
  | {
      /** none: too few labels to hold any out. */
      readonly method: "split" | "none";
      readonly labels: Readonly<Record<"n" | "fitting" | "deciding" | "couldDecide", number>>;
      /** Outcomes of thresholds on held-out rows, in the order in which they are tested. */
      readonly counts: readonly ThresholdCount[];
      readonly certificate: Certified | NotCertified;
    }
);

const confidence = 0.95;
/** Of more clusters so many are drawn: further ones hardly lower a bound, and take memory. */
const mostClusters = 100_000;

/**
 * As `calibrate` does it of a judge: some rows only say which thresholds to try, one of each other cluster
 * decides. 1 is said where the probability is at least 0.5.
 *
 * @param rows in an order that does not depend on what they are called.
 */
export function certifiedThreshold(
  {
    labels,
    probabilities,
    cluster,
    weights,
  }: Readonly<Record<"labels" | "probabilities", Float64Array>> & {
    readonly cluster: Int32Array;
    readonly weights: Float64Array | undefined;
  },
  target: number,
  seed: number,
): ThresholdCertification {
  const promise = { target, confidence };
  if (weights?.some((weight) => weight !== weights[0])) {
    const reason =
      "the bound is for rows drawn with equal probability, and these have other weights";
    return { ...promise, reason };
  }
  const clusters = 1 + largestOf(cluster);
  const random = randomFrom(seed, "clusters that certify");
  // What is not drawn neither fits nor decides, as a label from review.
  const idle = { group: "", isReviewed: true };
  const items = Array.from({ length: clusters }, (_, one) =>
    clusters > mostClusters && !random.chance(mostClusters / clusters)
      ? idle
      : { group: String(one), isReviewed: false },
  );
  const { fitting, deciding, couldDecide } = splitLabels(
    Array.from(cluster, (one) => items[one] ?? idle),
    { ...promise, seed },
  );
  const sure = (row: number): number => {
    const p = probabilities[row] ?? Number.NaN;
    // 0.34 of label 1 is as sure as 0.66, whatever 1 - 0.34 is in binary.
    return Math.round(Math.max(p, 1 - p) * 1e12) / 1e12;
  };
  // Rounded as they are printed, so that who accepts from the printed one on has the promise.
  const tried = triedThresholds(fitting.map(sure)).map(({ threshold, ...rest }) => ({
    ...rest,
    threshold: Number(threshold.toFixed(thresholdDecimals(threshold))),
  }));
  const decisions = deciding.map((row) => ({
    confidence: sure(row),
    isWrong: Number((probabilities[row] ?? Number.NaN) >= 0.5) !== labels[row],
  }));
  const method = deciding.length === 0 ? "none" : "split";
  const counts = method === "none" ? [] : countsAtThresholds(decisions, tried);
  return {
    ...promise,
    method,
    labels: {
      n: labels.length,
      fitting: fitting.length,
      deciding: deciding.length,
      couldDecide,
    },
    counts,
    certificate: certify(counts, deciding.length, promise),
  };
}
