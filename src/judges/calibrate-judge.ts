import { type CalibrationConclusion, calibration } from "../analysis/calibration.js";
import { randomFrom } from "../core/random.js";
import type { AnswerModel } from "../ensembles/fewer-calls-forecast.js";
import { type Certified, certify, type NotCertified } from "../ensembles/selective-certificate.js";
import type { ThresholdCount } from "../ensembles/selective-counts.js";
import {
  answersOf,
  type Counted,
  countDecisions,
  type FewerCallsMeasured,
  measureFewerCalls,
  risk,
  thresholdsOf,
} from "./calibrate-certify.js";
import {
  ensembleAnswers,
  type FittedJudge,
  type FittingOptions,
  type FittingPairs,
  fitJudge,
} from "./calibrate-fit.js";
import { type LabelSplit, type SplittablePair, splitLabels } from "./calibrate-split.js";

/** How the threshold is set. */
export const certificationMethods = ["split", "cross-fitted", "none"] as const;
export type CertificationMethod = (typeof certificationMethods)[number];

export interface CalibratingOptions extends FittingOptions {
  /** At most this share of the accepted may be wrong. */
  readonly target: number;
  readonly confidence: number;
  readonly fitting?: number | undefined;
  readonly everyPair?: boolean;
  readonly certification: Exclude<CertificationMethod, "none">;
}

/** A judge, how well it did on labels that it was not fitted to, and what is sure of it. */
export interface CalibratedJudge {
  readonly fit: FittedJudge;
  readonly split: LabelSplit;
  readonly method: CertificationMethod;
  readonly counted: Counted;
  /** Labels that were counted. */
  readonly n: number;
  readonly certificate: Certified | NotCertified;
  readonly approximate: Certified | NotCertified;
  readonly calibration: CalibrationConclusion | undefined;
  readonly forecast: AnswerModel;
  readonly fewerCalls:
    | { readonly exact: FewerCallsMeasured; readonly approximate: FewerCallsMeasured }
    | undefined;
}

/** Of cross-fitting: labels are dealt to so many parts, captions whole. */
const parts = 5;

/**
 * Fits a judge and sets its threshold.
 *
 * - `split`: some labels fit, others decide. Exact: what is judged later meets the very judge that
 *   was counted.
 * - `cross-fitted`: every label decides, by a judge that was fitted to the other parts, and the judge
 *   that is kept is fitted to all. Near only: five judges were counted, and a sixth is used, which
 *   has seen more labels and may put other confidences on them.
 */
export function calibrateJudge(
  labelled: readonly SplittablePair[],
  pairs: FittingPairs,
  options: CalibratingOptions,
): CalibratedJudge {
  const { target, confidence, seed, certification } = options;
  const split = splitLabels(labelled, options);
  const isSplit = certification === "split" && split.deciding.length > 0;
  const fitting = isSplit ? some(pairs, split.fitting) : pairs;
  const fit = fitJudge(fitting, options);
  const forecast = answersOf(fitting);
  const shared = { fit, forecast };
  const done = (
    method: CertificationMethod,
    counted: Counted,
    decided: { readonly labels: readonly number[]; readonly probabilities: Float64Array },
  ): CalibratedJudge => {
    const n = decided.labels.length;
    const certified = (counts: readonly ThresholdCount[]) =>
      certify(counts, n, { target, confidence });
    const certificate = certified(counted.counts);
    return {
      ...shared,
      split: isSplit ? split : { ...split, fitting: labelled.map((_, at) => at), deciding: [] },
      ...{ method, counted, n, certificate },
      approximate: certified(counted.approximate),
      calibration: n === 0 ? undefined : calibration(calibrationRows(decided), { seed }),
      fewerCalls: undefined,
    };
  };
  if (certification === "cross-fitted") return crossFitted();
  if (!isSplit) {
    return done(
      "none",
      { counts: [], approximate: [] },
      { labels: [], probabilities: new Float64Array() },
    );
  }
  const deciding = some(pairs, split.deciding);
  const counted = countDecisions(fit, deciding, thresholdsOf(fit, fitting), forecast);
  const calibrated = done("split", counted, {
    labels: deciding.labels,
    probabilities: ensembleAnswers(fit, deciding),
  });
  const threshold = calibrated.certificate.threshold ?? 0.5;
  return {
    ...calibrated,
    fewerCalls: {
      exact: measureFewerCalls(fit, deciding, threshold),
      approximate: measureFewerCalls(fit, deciding, threshold, { model: forecast, risk }),
    },
  };

  function crossFitted(): CalibratedJudge {
    const tried = thresholdsOf(fit, pairs);
    const labels: number[] = [];
    const probabilities: number[] = [];
    const sums: Counted[] = [];
    for (const { left, kept } of captionParts(labelled, options)) {
      const others = some(pairs, kept);
      const own = fitJudge(others, options);
      const decides = some(pairs, left);
      sums.push(countDecisions(own, decides, tried, answersOf(others)));
      labels.push(...decides.labels);
      probabilities.push(...ensembleAnswers(own, decides));
    }
    const counted = {
      counts: added(sums.map(({ counts }) => counts)),
      approximate: added(sums.map(({ approximate }) => approximate)),
    };
    return done("cross-fitted", counted, {
      labels,
      probabilities: Float64Array.from(probabilities),
    });
  }
}

/** Some of the pairs, in the order of their numbers. */
function some({ labels, answers, prompts, embeddings }: FittingPairs, numbers: readonly number[]) {
  const rows = new Float64Array(numbers.length * prompts);
  numbers.forEach((number, at) => {
    rows.set(answers.subarray(number * prompts, (number + 1) * prompts), at * prompts);
  });
  return {
    labels: numbers.map((number) => labels[number] ?? 0),
    answers: rows,
    prompts,
    embeddings:
      embeddings === undefined
        ? undefined
        : numbers.map((number) => embeddings[number] ?? new Float64Array()),
  };
}

/** Captions dealt to parts; of each caption one pair decides. What came from review only fits. */
function captionParts(
  labelled: readonly SplittablePair[],
  { seed, everyPair = false }: CalibratingOptions,
) {
  const captions = [...new Set(labelled.map(({ caption }) => caption))].sort();
  const random = randomFrom(seed, "parts of labels");
  const partOf = new Map(random.shuffle(captions).map((caption, at) => [caption, at % parts]));
  const shuffled = random.shuffle([...labelled.keys()]);
  const first = new Map(shuffled.map((at) => [labelled[at]?.caption, at]));
  return Array.from({ length: parts }, (_, part) => {
    const numbers = [...labelled.keys()];
    const isIn = (at: number) => partOf.get(labelled[at]?.caption ?? "") === part;
    return {
      kept: numbers.filter((at) => !isIn(at)),
      left: numbers.filter(
        (at) =>
          isIn(at) &&
          labelled[at]?.isReviewed === false &&
          (everyPair || first.get(labelled[at]?.caption) === at),
      ),
    };
  });
}

function added(all: readonly (readonly ThresholdCount[])[]): ThresholdCount[] {
  return (all[0] ?? []).map((one, at) => ({
    ...one,
    accepted: all.reduce((sum, counts) => sum + (counts[at]?.accepted ?? 0), 0),
    wrong: all.reduce((sum, counts) => sum + (counts[at]?.wrong ?? 0), 0),
  }));
}

const calibrationRows = ({
  labels,
  probabilities,
}: {
  readonly labels: readonly number[];
  readonly probabilities: Float64Array;
}) =>
  labels.map((label, at) => {
    const probability = probabilities[at] ?? Number.NaN;
    return { id: String(at), label, probability: Number.isNaN(probability) ? null : probability };
  });
