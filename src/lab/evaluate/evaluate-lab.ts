import { env } from "onnxruntime-web/wasm";
import { type LabModelName, type LabModels, labModel, labModelNames } from "../models/lab-model.js";
import { weightsDirectory } from "../models/weights.js";
import { type DualEncodingReport, evaluateDualEncoder } from "./dual-encoding.js";
import { gallerySize } from "./gallery.js";
import { type HeldOutPicture, heldOutPath, paintHeldOut } from "./held-out.js";
import { evaluateJudging, type JudgingReport } from "./judging.js";
import { evaluateLocalizing, type LocalizingReport } from "./localizing.js";
import { paintPreferencePairs } from "./preference-pictures.js";
import { paintPrototypePairs } from "./prototype-pairs.js";
import { type AnsweringReport, evaluateAnswering, resamples } from "./question-answering.js";
import { evaluateRating, type RatingReport } from "./rating.js";
import type { Clock } from "./stopwatch.js";
import { unseenBy } from "./unseen-styles.js";
import { type WeightSizes, weightSizes } from "./weight-sizes.js";

export interface LabEvaluationOptions {
  /** How many pictures, and how many pairs of pictures for the dual encoders. Default 400. */
  readonly scenes?: number;
  readonly seed?: number;
  /** The share of the pictures that shows people or clothes. Default 0. */
  readonly people?: number;
  readonly models?: readonly LabModelName[];
  /** Where the models' folders lie; those of the package if not given. */
  readonly weights?: URL;
  readonly clock: Clock;
  /** Begins a stretch of work; what it gives is told how much of `total` is done. */
  readonly progress?: (doing: string, total: number) => (done: number) => void;
  readonly signal?: AbortSignal;
}

export type ModelEvaluation = {
  readonly name: LabModelName;
  readonly revision: string;
  readonly bytes: WeightSizes;
  /** The styles that its training had no pictures of, where it says which it had. */
  readonly unseenStyles: readonly string[];
} & (AnsweringReport | DualEncodingReport | JudgingReport | LocalizingReport | RatingReport);

export interface LabEvaluation {
  readonly scenes: number;
  readonly seed: number;
  readonly people: number;
  /** How the pictures were kept apart from those of the training. */
  readonly heldOut: string;
  /** How many pictures there are of each style. */
  readonly styles: Readonly<Record<string, number>>;
  readonly questions: number;
  readonly pairs: number;
  /** Pairs of one caption of which one is better, for a judge of pairs. */
  readonly preferencePairs: number;
  readonly gallerySize: number;
  /** How the intervals were made. */
  readonly intervals: string;
  readonly models: readonly ModelEvaluation[];
  /** Of all models' weights together. */
  readonly bytes: number;
  readonly onnxruntime: string;
  readonly threads: 1;
  readonly warnings: readonly string[];
}

/**
 * Measures the lab's models on pictures that they were not trained on. Pictures, questions and
 * captions are made once, and every model gets the same.
 *
 * @throws InputError for a name that is none of the lab's.
 */
export async function evaluateLab({
  scenes = 400,
  seed = 0,
  people = 0,
  models = labModelNames,
  weights,
  clock,
  progress = () => () => {},
  signal,
}: LabEvaluationOptions): Promise<LabEvaluation> {
  const rest = signal === undefined ? {} : { signal };
  const chosen = models.map((name) => {
    const model = labModel(name, weights === undefined ? {} : { weights });
    // Weights that are not there are said before any work.
    return { name, model, revision: model.identity.revision ?? "" };
  });
  const pictures = await paintHeldOut({
    scenes,
    seed,
    people,
    onPainted: progress("Painting", scenes),
    ...rest,
  });
  const pairs = chosen.some(({ model }) => isDualEncoder(model))
    ? await paintPrototypePairs({
        ...{ scenes, seed, people },
        onPainted: progress("Painting pairs", scenes),
        ...rest,
      })
    : [];
  const preferences = chosen.some(({ name }) => name === "judge")
    ? await paintPreferencePairs({
        ...{ captions: scenes, seed },
        onPainted: progress("Painting for preferences", scenes),
        ...rest,
      })
    : [];
  const evaluations: ModelEvaluation[] = [];
  for (const { name, model, revision } of chosen) {
    const shared = { pictures, clock, ...rest };
    const asking = (total: number) => progress(`Asking lab:${name}`, total);
    const report = isDualEncoder(model)
      ? await evaluateDualEncoder(model, {
          ...shared,
          pairs,
          onDone: asking(pairs.length + pictures.length),
        })
      : "localize" in model
        ? await evaluateLocalizing(model, { ...shared, seed, onPicture: asking(pictures.length) })
        : "chat" in model && name === "judge"
          ? await evaluateJudging(model, {
              ...{ pairs: preferences, clock, seed },
              onPair: asking(preferences.length),
              ...rest,
            })
          : "chat" in model
            ? await evaluateRating(model, { ...shared, onPicture: asking(pictures.length) })
            : await evaluateAnswering(model, {
                ...shared,
                seed,
                onPicture: asking(pictures.length),
              });
    const directory = new URL(`${name}/`, weights ?? weightsDirectory);
    const bytes = await weightSizes(directory);
    const unseenStyles = await unseenBy(directory, Object.keys(stylesOf(pictures)));
    evaluations.push({
      ...{ name, revision, bytes, unseenStyles },
      ...report,
    });
  }
  return {
    scenes,
    seed,
    people,
    heldOut:
      `Scenes are drawn along the seed path "${heldOutPath}", ${seed}, ...; those of the ` +
      'training along "train", ...: from the same world, by other random numbers.',
    styles: stylesOf(pictures),
    questions: pictures.reduce((sum, { questions }) => sum + questions.length, 0),
    pairs: pairs.length,
    preferencePairs: preferences.length,
    gallerySize,
    intervals:
      "Shares have Wilson's 95 % interval, as if answers were independent; ECE, Brier score " +
      `and mean IoU a 95 % percentile bootstrap of whole pictures, ${resamples} resamples, seed ${seed}; ` +
      "what a judge says of pairs one of whole pairs.",
    models: evaluations,
    bytes: evaluations.reduce((sum, { bytes }) => sum + bytes.total, 0),
    onnxruntime: env.versions.web ?? "unknown",
    threads: 1,
    warnings: warningsOf(scenes, pairs.length),
  };
}

type AnyLabModel = LabModels[LabModelName];

const isDualEncoder = (model: AnyLabModel): model is LabModels["dual-encoder-skewed"] =>
  "embedImage" in model;

/** How many pictures there are of each style. */
function stylesOf(pictures: readonly HeldOutPicture[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { style } of pictures) counts[style] = (counts[style] ?? 0) + 1;
  return counts;
}

function warningsOf(scenes: number, pairs: number): string[] {
  const left = scenes % gallerySize;
  if (pairs === 0 || left === 0) return [];
  return [
    scenes < gallerySize
      ? `Retrieval@1 of ${gallerySize} needs ${gallerySize} scenes, and there are ${scenes}`
      : `The last ${left} of ${scenes} scenes fill no gallery of ${gallerySize}: retrieval is without them`,
  ];
}
