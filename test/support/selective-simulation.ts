import { type Random, randomFrom } from "../../src/core/random.js";
import {
  type Assurance,
  type CheckedDecision,
  certify,
  countsAtThresholds,
  triedThresholds,
} from "../../src/ensembles/selective-certificate.js";

/** Outcomes of many calibrations with a known truth. */
export interface SimulatedCertificates {
  /** How many calibrations certified a threshold. */
  readonly certified: number;
  /** How many certified one whose true error rate is above the target; at most 1 - confidence is promised. */
  readonly exceeded: number;
  /** The certified thresholds; `null` where a calibration certified none. */
  readonly thresholds: readonly (number | null)[];
}

/**
 * Calibrates again and again on fresh labels of a made-up judge and counts how often the promise was
 * broken: the error rate among accepted decisions, which is known here, is above the target.
 *
 * @param options.draw one decision of the judge.
 * @param options.errorAt the true error rate among decisions at or above a threshold.
 * @param options.fitting how many labels the thresholds to try are read from.
 * @param options.deciding how many labels decide.
 */
export function simulateCertificates({
  draw,
  errorAt,
  calibrations,
  fitting,
  deciding,
  seed,
  ...assurance
}: {
  readonly draw: (random: Random) => CheckedDecision;
  readonly errorAt: (threshold: number) => number;
  readonly calibrations: number;
  readonly fitting: number;
  readonly deciding: number;
  readonly seed: number;
} & Assurance): SimulatedCertificates {
  const thresholds: (number | null)[] = [];
  for (let calibration = 0; calibration < calibrations; calibration++) {
    const random = randomFrom(seed, "certificate", calibration);
    const drawn = (count: number) => Array.from({ length: count }, () => draw(random));
    const tried = triedThresholds(drawn(fitting).map(({ confidence }) => confidence));
    const counts = countsAtThresholds(drawn(deciding), tried);
    thresholds.push(certify(counts, deciding, assurance).threshold);
  }
  const certified = thresholds.filter((threshold) => threshold !== null);
  const exceeded = certified.filter((threshold) => errorAt(threshold) > assurance.target).length;
  return { certified: certified.length, exceeded, thresholds };
}
