import { withInterval } from "touchstone-t2i/internal/analysis/inference/intervals.js";
import type { VisualQuestionAnswering } from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { expectedCalibrationError } from "touchstone-t2i/internal/stats/calibration-error.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { brierScore } from "touchstone-t2i/internal/stats/losses.js";
import { bootstrapInterval } from "touchstone-t2i/internal/stats/percentile-interval.js";
import {
  type ReliabilityBin,
  reliabilityBins,
} from "touchstone-t2i/internal/stats/reliability-bins.js";
import { everyQuestionType, type QuestionType } from "../world/questions.js";
import type { HeldOutPicture } from "./held-out.js";
import { answerOrNone, type Share, shareOf } from "./share.js";
import { type Clock, type MedianTime, Stopwatch } from "./stopwatch.js";
import { evaluateSwaps, type SwapPicture, type SwapReport } from "./swapping.js";

/** How good a question answerer is, and whether it knows how good it is. */
export interface AnsweringReport {
  readonly kind: "question-answerer";
  readonly accuracy: {
    readonly overall: Share;
    readonly types: Readonly<Record<string, Share>>;
    readonly styles: Readonly<Record<string, Share>>;
  };
  /** How often it said yes, and how often yes was right, over the questions it answered. */
  readonly yes: { readonly said: Share; readonly right: Share };
  readonly calibration: {
    readonly n: number;
    readonly ece: Estimate;
    readonly brier: Estimate;
    readonly bins: readonly ReliabilityBin[];
  };
  /** The swap test of L-VQAScore, by VQAScore on the whole picture. */
  readonly swaps: SwapReport;
  readonly milliseconds: { readonly image: MedianTime; readonly question: MedianTime };
}

interface Answer {
  readonly picture: number;
  readonly type: QuestionType;
  readonly style: string;
  readonly label: 0 | 1;
  /** P(yes); undefined where the model had no answer. */
  readonly probability: number | undefined;
}

export interface AnsweringOptions {
  readonly pictures: readonly HeldOutPicture[];
  readonly swaps: readonly SwapPicture[];
  readonly clock: Clock;
  /** Seed of the intervals' resamples. */
  readonly seed: number;
  /** Receives how many of `pictures` and `swaps` are done, together. */
  readonly onDone?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** Asks a model every question about every picture, one question at a time. */
export async function evaluateAnswering(
  model: VisualQuestionAnswering,
  options: AnsweringOptions,
): Promise<AnsweringReport> {
  const imageTime = new Stopwatch(options.clock);
  const questionTime = new Stopwatch(options.clock);
  const answers: Answer[] = [];
  await warmUp(model, options.pictures);
  for (const [index, { bytes, style, questions }] of options.pictures.entries()) {
    options.signal?.throwIfAborted();
    const picture = await openPicture(bytes);
    // Decoding is no part of the model's time, and neither is the image of a question's.
    await picture.pixels();
    await imageTime.time(() => answerOrNone(model.probabilityOfYes(picture, [])));
    for (const { type, text, answer } of questions) {
      const said = await questionTime.time(() =>
        answerOrNone(model.probabilityOfYes(picture, [text])),
      );
      answers.push({ picture: index, type, style, label: answer ? 1 : 0, probability: said?.[0] });
    }
    options.onDone?.(index + 1);
  }
  const { pictures, swaps, signal, onDone } = options;
  const swapReport = await evaluateSwaps(model, swaps, {
    ...(signal === undefined ? {} : { signal }),
    onPicture: (done) => onDone?.(pictures.length + done),
  });
  return {
    kind: "question-answerer",
    ...summary(answers, options.seed),
    swaps: swapReport,
    milliseconds: { image: imageTime.median(), question: questionTime.median() },
  };
}

/** A model loads its weights when it is first asked; it keeps no picture but the last. */
async function warmUp(model: VisualQuestionAnswering, pictures: readonly HeldOutPicture[]) {
  const last = pictures.at(-1);
  const [question] = last?.questions ?? [];
  if (last === undefined || question === undefined) return;
  await answerOrNone(model.probabilityOfYes(await openPicture(last.bytes), [question.text]));
}

const saysYes = (probability: number): boolean => probability >= 0.5;

function summary(answers: readonly Answer[], seed: number) {
  const accuracyOf = (some: readonly Answer[]) =>
    shareOf(
      some.map(({ label, probability }) =>
        probability === undefined ? undefined : saysYes(probability) === (label === 1),
      ),
      some.map(({ picture }) => picture),
    );
  const styles = [...new Set(answers.map(({ style }) => style))];
  const asked = everyQuestionType.filter((type) => answers.some((one) => one.type === type));
  const byType = asked.map(
    (type) => [type, accuracyOf(answers.filter((one) => one.type === type))] as const,
  );
  const byStyle = styles.map(
    (style) => [style, accuracyOf(answers.filter((one) => one.style === style))] as const,
  );
  const yesOf = (isYes: (label: 0 | 1, probability: number) => boolean) =>
    shareOf(
      answers.map(({ label, probability }) =>
        probability === undefined ? undefined : isYes(label, probability),
      ),
      answers.map(({ picture }) => picture),
    );
  return {
    accuracy: {
      overall: accuracyOf(answers),
      types: Object.fromEntries(byType),
      styles: Object.fromEntries(byStyle),
    },
    yes: {
      said: yesOf((_, probability) => saysYes(probability)),
      right: yesOf((label) => label === 1),
    },
    calibration: calibrationOf(answers, seed),
  };
}

/** Intervals draw whole pictures: answers about one picture are right or wrong together. */
function calibrationOf(answers: readonly Answer[], seed: number) {
  const answered = answers.flatMap(({ picture, label, probability }) =>
    probability === undefined ? [] : [{ picture, label, probability }],
  );
  const pictures = [...new Set(answered.map(({ picture }) => picture))];
  const byPicture = pictures.map((picture) => answered.filter((one) => one.picture === picture));
  const measures = {
    ece: (labels: readonly number[], probabilities: readonly number[]) =>
      expectedCalibrationError(reliabilityBins(labels, probabilities)),
    brier: brierScore,
  };
  const labels = answered.map(({ label }) => label);
  const probabilities = answered.map(({ probability }) => probability);
  const estimate = (name: keyof typeof measures): Estimate => {
    const value = measures[name](labels, probabilities);
    if (Number.isNaN(value)) {
      return { value: null, low: null, high: null, reason: "there are none" };
    }
    const interval = bootstrapInterval({
      units: byPicture.length,
      statistic: (drawn) => {
        const rows = [...drawn].flatMap((unit) => byPicture[unit] ?? []);
        return measures[name](
          rows.map(({ label }) => label),
          rows.map(({ probability }) => probability),
        );
      },
      resamples,
      random: randomFrom(seed, "lab evaluate", "calibration"),
    });
    return withInterval(value, interval, { whenNone: "no interval from one picture" });
  };
  return {
    n: answered.length,
    ece: estimate("ece"),
    brier: estimate("brier"),
    bins: reliabilityBins(labels, probabilities),
  };
}

/** Resamples of the calibration's intervals. */
export const resamples = 2000;
