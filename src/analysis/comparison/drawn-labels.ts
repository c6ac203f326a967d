import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { type LabelDraws, plannedMean } from "../../stats/planned-mean.js";
import { type LabelledSample, predictionPoweredMean } from "../../stats/prediction-powered.js";
import { areDrawnTogether, type Duels, type Samples } from "./comparison-samples.js";
import { whyNotRandom } from "./comparison-warnings.js";

/** How the rows with a label were picked, as the user says. */
export const labelSamplings = ["random", "chosen"] as const;
export type LabelSampling = (typeof labelSamplings)[number];

/**
 * How labels were drawn, by their places among the scores. Labels that were not drawn count as a random sample of all,
 * drawn first; where they are said to be chosen, each stands for itself.
 *
 * @returns undefined where no row was drawn.
 */
export function drawsAt(
  { draws, weights }: Samples,
  places: readonly number[],
  { sampling, of }: { readonly sampling: LabelSampling; readonly of: number },
): LabelDraws | undefined {
  if (draws === undefined) return undefined;
  const isDrawn = (at: number) => !Number.isNaN(draws.weight[at] ?? Number.NaN);
  const first = places.filter((at) => !isDrawn(at)).length;
  const share = sampling === "chosen" || weights !== undefined ? Number.NaN : of / first;
  return {
    weight: places.map((at) => (isDrawn(at) ? (draws.weight[at] ?? 1) : share)),
    round: places.map((at) => (isDrawn(at) ? (draws.round[at] ?? 1) : 0)),
    stratum: places.map((at) => (isDrawn(at) ? (draws.stratum[at] ?? 0) : -1)),
  };
}

/** The estimate from labels as they were drawn; without scores of the others where the table lacks these. */
export const estimated = (sample: LabelledSample, draws: LabelDraws | undefined) =>
  draws === undefined ? predictionPoweredMean(sample) : plannedMean({ ...sample, ...draws });

/** Why labels that were drawn can't tell; undefined where they can. */
export function whyNotDrawn(
  samples: Samples,
  { cells: [ones, others] }: Duels,
  labelled: readonly number[],
): string | undefined {
  const isTogether = labelled.every((at) =>
    areDrawnTogether(samples, ones[at] ?? 0, others[at] ?? 0),
  );
  return isTogether
    ? whyNotRandom(labelled.length, [])
    : "the two models' images were drawn apart; label plan --for compare draws them together";
}

/** How many more labels it takes if widths go on shrinking as 1 / sqrt(labels); null where there are not so many. */
export function plannedNeeded(
  { value, low }: Estimate,
  { from, labels, of }: { readonly from: number; readonly labels: number; readonly of: number },
): number | null {
  const [margin, distance] = [(value ?? 0) - (low ?? 0), Math.abs((value ?? 0) - from)];
  const all =
    distance === 0 ? Number.POSITIVE_INFINITY : Math.ceil(labels * square(margin / distance));
  return all > of ? null : Math.max(0, all - labels);
}
