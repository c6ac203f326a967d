import type { Random } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import { confidenceBin } from "../../stats/reliability-bins.js";
import { undefinedEstimate, withInterval } from "../inference/intervals.js";
import { promptClusters } from "../inference/prompt-clusters.js";

const bins = 10;

/**
 * The expected calibration error that answers with these probabilities would show if they were
 * perfectly calibrated: chance alone keeps it above 0. Each draw makes every answer right with its own
 * confidence; answers of one prompt are right or wrong together, which is never too little chance.
 *
 * @returns the mean over draws, and between what 95 % of them lie.
 * @example
 * errorByChance([{ id: "1", probability: 1 }], { draws: 100, random: randomFrom(0) }).value
 * // 0: it is right in every draw
 */
export function errorByChance(
  rows: readonly {
    readonly id: string;
    readonly prompt?: string | undefined;
    readonly probability: number;
  }[],
  { draws, random }: { readonly draws: number; readonly random: Random },
): Estimate {
  if (rows.length === 0) return undefinedEstimate("no answer has a label and a probability");
  const { cluster, count } = promptClusters(rows);
  const answers = rows
    .map(({ probability }, at) => {
      const confidence = Math.max(probability, 1 - probability);
      return { confidence, cluster: cluster[at] ?? 0, bin: confidenceBin(confidence, bins) };
    })
    // Sums then have the same last digits whatever the order of the rows.
    .sort((a, b) => a.cluster - b.cluster || a.confidence - b.confidence);
  const luck = new Float64Array(count);
  const errors = Float64Array.from({ length: draws }, () => {
    luck.forEach((_, at) => {
      luck[at] = random.next();
    });
    const gaps = new Float64Array(bins);
    for (const { confidence, cluster: of, bin } of answers) {
      const isRight = (luck[of] ?? 0) < confidence;
      gaps[bin] = (gaps[bin] ?? 0) + (isRight ? 1 : 0) - confidence;
    }
    return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / answers.length;
  });
  const value = errors.reduce((sum, error) => sum + error, 0) / draws;
  return withInterval(value, percentileInterval(errors), { whenNone: "nothing was drawn" });
}
