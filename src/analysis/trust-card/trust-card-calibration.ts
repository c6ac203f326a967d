import { type Random, randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import { confidenceBin } from "../../stats/reliability-bins.js";
import { shareAfterNone } from "../../stats/share-interval.js";
import { calibration } from "../calibration/calibration.js";
import { type IntervalOptions, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import {
  type CardFigure,
  type CardSubject,
  type FigureStatus,
  judged,
} from "./trust-card-figure.js";
import { behind, madeBy, missing, named } from "./trust-card-line.js";
import {
  type CardRow,
  isAnswered,
  labelledPairs,
  preferenceOf,
  probabilityRows,
} from "./trust-card-rows.js";

const wellCalibrated = { high: 0.05, text: "< 5 points" };

const heads = [
  { id: "calibration", title: "calibration error", of: "answers" },
  { id: "overconfidence", title: "overconfidence", of: "answers" },
] as const;

/**
 * Whether its probabilities can be believed: the expected calibration error, in which errors to either
 * side add up, and overconfidence, in which they cancel and which is therefore only shown.
 */
export function calibrationFigures(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure[] {
  if (subject.isProbability === false) {
    return heads.map((head) => ({
      ...missing(head, subject, []),
      status: "not-applicable",
      sentence: "Its scores are no probabilities.",
    }));
  }
  const choices = labelledPairs(rows).map((row) => ({
    ...row,
    probability: isAnswered(row) ? preferenceOf(row) : null,
  }));
  const used = [...probabilityRows(rows), ...choices];
  if (used.length === 0) {
    return heads.map((head) => missing(head, subject, ["score", "label", "probability"]));
  }
  const { interval, ...others } = options;
  const answers = used.map(({ id, prompt, label = null, probability = null }) => ({
    id,
    prompt,
    label,
    probability,
  }));
  const { n, unscored, intervalsOf, intervals } = calibration(answers, {
    ...others,
    interval: interval === "bca" ? "bca" : "percentile",
  });
  const { brier } = intervalsOf;
  const { ece, overconfidence, accuracy } = withAccuracyBounds(intervalsOf, intervals.clusters);
  const chance = errorByChance(
    answers.flatMap(({ label, probability, ...row }) =>
      label === null || probability === null ? [] : [{ ...row, probability }],
    ),
    {
      draws: intervals.resamples ?? 2000,
      random: randomFrom(intervals.seed ?? 0, "calibration error by chance"),
    },
  );
  const status = judgedError(ece, chance, intervals.clusters);
  const [error, over] = heads;
  const shared = { n, unscored, ...madeBy(intervals), behind: behind(subject, used) };
  return [
    {
      ...error,
      ...shared,
      status,
      sentence: errorSentence(ece, status),
      estimate: named(ece, "expected calibration error, ten bins", "points"),
      expectation: wellCalibrated,
      further: {
        chance: named(chance, "by chance alone, if perfectly calibrated", "points"),
        ece: named(ece, "expected calibration error, ten bins", "share"),
        brier: named(brier, "Brier score", "number"),
        accuracy: named(accuracy, "accuracy at 0.5", "share"),
      },
      beside: ["chance"],
    },
    {
      ...over,
      ...shared,
      status: overconfidence.value === null ? "not-measured" : "measured",
      sentence: overSentence(overconfidence),
      estimate: named(overconfidence, "mean confidence minus accuracy", "points"),
      further: {},
    },
  ];
}

/**
 * Chance lifts the error and its resamples alike, so that an interval below the bar says enough and one
 * above it does not: to fail, the error must also exceed the bar by more than chance does. (Of each bin
 * the gap is at most the true one plus chance's.)
 */
function judgedError(ece: Estimate, chance: Estimate, clusters: number): FigureStatus {
  const status = judged(ece, wellCalibrated, clusters);
  const isBeyondChance =
    (ece.value ?? 0) - (chance.high ?? chance.value ?? 1) > wellCalibrated.high;
  return status === "fails" && !isBeyondChance ? "undecided" : status;
}

/** Bound of an accuracy that is all right or all wrong, where resamples have no spread. */
function withAccuracyBounds(
  {
    ece,
    overconfidence,
    accuracy,
  }: Readonly<Record<"ece" | "overconfidence" | "accuracy", Estimate>>,
  clusters: number,
): Readonly<Record<"ece" | "overconfidence" | "accuracy", Estimate>> {
  const { value: over } = overconfidence;
  if (over === null || ece.value === null || (accuracy.value !== 0 && accuracy.value !== 1)) {
    return { ece, overconfidence, accuracy };
  }
  const width = shareAfterNone(clusters);
  const [low, high] = accuracy.value === 1 ? [over, over + width] : [over - width, over];
  const least = low <= 0 && high >= 0 ? 0 : Math.min(Math.abs(low), Math.abs(high));
  const most = Math.max(Math.abs(low), Math.abs(high));
  const oneSided = { low: Math.min(ece.value, least), high: Math.max(ece.value, most) };
  return {
    ece: { ...ece, oneSided },
    overconfidence: { ...overconfidence, oneSided: { low, high } },
    accuracy: {
      ...accuracy,
      oneSided: accuracy.value === 1 ? { low: 1 - width, high: 1 } : { low: 0, high: width },
    },
  };
}

function errorSentence({ value, reason }: Estimate, status: FigureStatus): string {
  if (value === null) return `Undefined: ${reason ?? "no answer has a label and a probability"}.`;
  const said = "of how often it is right, at each level of confidence";
  const found =
    status === "holds"
      ? `Its confidence is within 5 points ${said}.`
      : status === "fails"
        ? `Its confidence is further than 5 points ${said}, and than chance would have it.`
        : `Not shown to be within 5 points ${said}.`;
  return `${found} Of finite data the error is above 0 even where calibration is perfect: see what chance alone makes of that.`;
}

function overSentence({ value, low, high, oneSided, reason }: Estimate): string {
  if (value === null) return `Undefined: ${reason ?? "no answer has a label and a probability"}.`;
  const from = oneSided?.low ?? low;
  const to = oneSided?.high ?? high;
  const found =
    from !== null && from > 0
      ? "Surer of itself than it is right."
      : to !== null && to < 0
        ? "Less sure of itself than it is right."
        : "Shown neither surer nor less sure of itself than it is right.";
  return `${found} Here errors to either side cancel; in the calibration error they add up.`;
}

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
function errorByChance(
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
