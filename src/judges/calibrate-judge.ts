import { append } from "../core/arrays.js";
import { randomFrom } from "../core/random.js";
import { toTheEnd } from "../ensembles/choose-weights.js";
import type { AnswerModel } from "../ensembles/fewer-calls-forecast.js";
import {
  drawnGroups,
  type LabelSplit,
  type SplittableItem,
  splitLabels,
} from "../ensembles/label-split.js";
import {
  type Certified,
  certify,
  type NotCertified,
  type ThresholdCount,
} from "../ensembles/selective-certificate.js";
import { type MeasuredCalibration, twoAnswers } from "./answer-kind.js";
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
  type FittingItems,
  type FittingOptions,
  fittingJudge,
} from "./calibrate-fit.js";

/** How the threshold is set. */
export const certificationMethods = ["split", "cross-fitted", "none"] as const;
export type CertificationMethod = (typeof certificationMethods)[number];

export interface CalibratingOptions extends FittingOptions {
  /** At most this share of the accepted may be wrong. */
  readonly target: number;
  readonly confidence: number;
  /** As `Assurance` has it. */
  readonly tries?: number | undefined;
  readonly fitting?: number | undefined;
  readonly everyLabel?: boolean;
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
  readonly calibration: MeasuredCalibration | undefined;
  /** How answers hang together, for approximate asking; not known of ratings. */
  readonly forecast: AnswerModel | undefined;
  readonly fewerCalls:
    | {
        readonly exact: FewerCallsMeasured;
        readonly approximate: FewerCallsMeasured | undefined;
      }
    | undefined;
}

/** Parts of cross-fitting, to which labels are assigned, groups whole. */
const parts = 5;

/**
 * Which labels fit, which decide, and which do neither, so that nobody need be asked about them; all
 * drawn ones fit where they are not parted.
 */
export function splitOf(
  labelled: readonly SplittableItem[],
  options: Omit<CalibratingOptions, keyof FittingOptions> & Pick<CalibratingOptions, "seed">,
): LabelSplit {
  const split = splitLabels(labelled, options);
  if (options.certification === "split" && split.deciding.length > 0) return split;
  const numbers = [...labelled.keys()];
  const isDrawn = (at: number) => labelled[at]?.isReviewed === false;
  return {
    ...split,
    fitting: numbers.filter(isDrawn),
    deciding: [],
    idle: numbers.filter((at) => !isDrawn(at)),
  };
}

/**
 * Fits a judge and sets its threshold.
 *
 * - `split`: some labels fit, others decide. Exact: what is judged later meets the very judge that
 *   was counted.
 * - `cross-fitted`: every label decides, by a judge that was fitted to the other parts, and the judge
 *   that is kept is fitted to all. Near only: five judges were counted, and a sixth is used, which
 *   has seen more labels and may put other confidences on them.
 */
export const calibrateJudge = (
  labelled: readonly SplittableItem[],
  items: FittingItems,
  options: CalibratingOptions,
): CalibratedJudge => toTheEnd(calibratingJudge(labelled, items, options));

/** The same, a little at a time: yields the share of the fitting that is done. */
export function* calibratingJudge(
  labelled: readonly SplittableItem[],
  items: FittingItems,
  options: CalibratingOptions,
): Generator<number, CalibratedJudge> {
  const { target, confidence, tries, seed, certification } = options;
  const { kind = twoAnswers } = items;
  const split = splitOf(labelled, options);
  const isSplit = split.deciding.length > 0;
  const fitting = some(items, split.fitting);
  const fits = certification === "cross-fitted" ? 1 + parts : 1;
  const fit = yield* sharesOf(0, fits, fittingJudge(fitting, options));
  const forecast = answersOf(fitting);
  const shared = { fit, forecast };
  const done = (
    method: CertificationMethod,
    counted: Counted,
    decided: readonly { readonly label: number; readonly shares: Float64Array }[],
  ): CalibratedJudge => {
    const n = decided.length;
    const certified = (counts: readonly ThresholdCount[]) =>
      certify(counts, n, { target, confidence, tries });
    const certificate = certified(counted.counts);
    return {
      ...shared,
      split,
      method,
      counted,
      n,
      certificate,
      approximate: certified(counted.approximate),
      calibration: n === 0 ? undefined : kind.measure(decided, { seed }),
      fewerCalls: undefined,
    };
  };
  if (certification === "cross-fitted") return yield* crossFitted();
  if (!isSplit) return done("none", { counts: [], approximate: [] }, []);
  const deciding = some(items, split.deciding);
  const counted = countDecisions(fit, deciding, thresholdsOf(fit, fitting), forecast);
  const calibrated = done("split", counted, decidedBy(fit, deciding));
  const threshold = calibrated.certificate.threshold ?? kind.leastConfidence;
  return {
    ...calibrated,
    fewerCalls: {
      exact: measureFewerCalls(fit, deciding, threshold),
      approximate:
        forecast && measureFewerCalls(fit, deciding, threshold, { model: forecast, risk }),
    },
  };

  function* crossFitted(): Generator<number, CalibratedJudge> {
    const tried = thresholdsOf(fit, fitting);
    const decided: ReturnType<typeof decidedBy> = [];
    const sums: Counted[] = [];
    for (const [part, { left, kept }] of groupParts(labelled, options).entries()) {
      const others = some(items, kept);
      const own = yield* sharesOf(1 + part, fits, fittingJudge(others, options));
      const decides = some(items, left);
      sums.push(countDecisions(own, decides, tried, answersOf(others)));
      append(decided, decidedBy(own, decides));
    }
    const counted = {
      counts: added(sums.map(({ counts }) => counts)),
      approximate: added(sums.map(({ approximate }) => approximate)),
    };
    return done("cross-fitted", counted, decided);
  }
}

/** Yields the share of all work, of which this is one part of many as large. */
function* sharesOf<Result>(
  before: number,
  all: number,
  work: Generator<number, Result>,
): Generator<number, Result> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) yield (before + step.value) / all;
  return step.value;
}

/** Pairs people's label with the judge's answer, item by item. */
const decidedBy = (judge: FittedJudge, items: FittingItems) =>
  ensembleAnswers(judge, items).map((shares, at) => ({
    label: items.labels[at] ?? Number.NaN,
    shares,
  }));

/** Some of the items, in the order of their numbers. */
function some(items: FittingItems, numbers: readonly number[]): FittingItems {
  const { labels, answers, prompts, embeddings, support, kind = twoAnswers } = items;
  const length = prompts * kind.width;
  const rows = new Float64Array(numbers.length * length);
  numbers.forEach((number, at) => {
    rows.set(answers.subarray(number * length, (number + 1) * length), at * length);
  });
  return {
    prompts,
    kind,
    support,
    answers: rows,
    labels: numbers.map((number) => labels[number] ?? Number.NaN),
    embeddings:
      embeddings === undefined
        ? undefined
        : numbers.map((number) => embeddings[number] ?? new Float64Array()),
  };
}

/** Groups of drawn items dealt to parts, of each of which one item decides. */
function groupParts(
  labelled: readonly SplittableItem[],
  { seed, everyLabel = false }: CalibratingOptions,
) {
  const groups = drawnGroups(labelled);
  const random = randomFrom(seed, "parts of labels");
  const partOf = new Map(
    random.shuffle([...groups.keys()]).map((group, at) => [group, at % parts]),
  );
  const drawn = [...groups.values()].flat().sort((a, b) => a - b);
  const first = new Map(random.shuffle(drawn).map((at) => [labelled[at]?.group, at]));
  return Array.from({ length: parts }, (_, part) => {
    const isIn = (at: number) => partOf.get(labelled[at]?.group ?? "") === part;
    return {
      kept: drawn.filter((at) => !isIn(at)),
      left: drawn.filter((at) => isIn(at) && (everyLabel || first.get(labelled[at]?.group) === at)),
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
