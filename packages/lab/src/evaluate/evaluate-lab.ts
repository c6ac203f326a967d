import type * as OnnxRuntime from "onnxruntime-web/wasm";
import { loadDescriptions } from "touchstone-t2i/internal/benchmarks/attribute-confusion/descriptions.js";
import { evaluatedModelNames, type LabModelName } from "../models/lab-model.js";
import { packageOf } from "../models/runtime.js";
import { weightsDirectory } from "../models/weights.js";
import { everyQuestionType, type QuestionType } from "../world/questions.js";
import {
  chosenModel,
  evaluateModel,
  isAnswerer,
  isDualEncoder,
  type ModelEvaluation,
} from "./evaluate-model.js";
import { type HeldOutPicture, heldOutPath, paintHeldOut } from "./held-out.js";
import { paintPreferencePairs } from "./preference-pictures.js";
import { paintPrototypePairs } from "./prototype-pairs.js";
import { resamples } from "./question-answering.js";
import { gallerySize } from "./retrieval.js";
import type { Clock } from "./stopwatch.js";
import { paintSwaps } from "./swapping.js";

export interface LabEvaluationOptions {
  /** How many pictures, and how many pairs of pictures for the dual encoders. Default 400. */
  readonly scenes?: number;
  readonly seed?: number;
  /** The share of the pictures that shows people or clothes. Default 0.5. */
  readonly people?: number;
  readonly models?: readonly LabModelName[];
  /** Types of questions for question answerers; every type if not given. */
  readonly types?: readonly QuestionType[] | undefined;
  /** Where the models' folders lie; those of the package if not given. */
  readonly weights?: URL;
  readonly clock: Clock;
  /** Begins a stretch of work; what it gives is told how much of `total` is done. */
  readonly progress?: (doing: string, total: number) => (done: number) => void;
  readonly signal?: AbortSignal;
}

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
  /** Descriptions, each with its attributes swapped, for question answerers. */
  readonly swaps: number;
  readonly gallerySize: number;
  /** How the intervals were made. */
  readonly intervals: string;
  readonly models: readonly ModelEvaluation[];
  /** Bytes of all models' weights together. */
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
  people = 0.5,
  models = evaluatedModelNames,
  types = everyQuestionType,
  weights,
  clock,
  progress = () => () => {},
  signal,
}: LabEvaluationOptions): Promise<LabEvaluation> {
  const rest = signal === undefined ? {} : { signal };
  // Weights that are not there are said before any work.
  const chosen = models.map((name) => chosenModel(name, weights ?? weightsDirectory));
  const painted = await paintHeldOut({
    scenes,
    seed,
    people,
    onPainted: progress("Painting", scenes),
    ...rest,
  });
  const pictures = painted.map((picture) => ({
    ...picture,
    questions: picture.questions.filter(({ type }) => types.includes(type)),
  }));
  const pairs = chosen.some(({ model }) => isDualEncoder(model))
    ? await paintPrototypePairs({
        scenes,
        seed,
        people,
        onPainted: progress("Painting pairs", scenes),
        ...rest,
      })
    : [];
  const preferences = chosen.some(({ name }) => name === "judge")
    ? await paintPreferencePairs({
        captions: scenes,
        seed,
        onPainted: progress("Painting for preferences", scenes),
        ...rest,
      })
    : [];
  const swaps =
    people > 0 && chosen.some(({ model }) => isAnswerer(model))
      ? await paintSwaps({
          count: scenes,
          seed,
          onPicture: progress("Painting descriptions", Math.min(scenes, loadDescriptions().length)),
          ...rest,
        })
      : [];
  const materials = { pictures, pairs, preferences, swaps, seed, clock, progress, ...rest };
  const evaluations: ModelEvaluation[] = [];
  for (const one of chosen) evaluations.push(await evaluateModel(one, materials));
  const onnx: typeof OnnxRuntime = await import(packageOf.wasm);
  return {
    scenes,
    seed,
    people,
    heldOut:
      `Scenes are drawn along the seed path "${heldOutPath}", ${seed}, ...; those of the ` +
      'training along "train", ...: from the same world, by other random numbers.',
    styles: countByStyle(pictures),
    questions: pictures.reduce((sum, { questions }) => sum + questions.length, 0),
    pairs: pairs.length,
    preferencePairs: preferences.length,
    swaps: swaps.length,
    gallerySize,
    intervals:
      "Shares have Wilson's 95 % interval, for as many answers as tell as much where answers about " +
      "one picture are right or wrong together; ECE, Brier score " +
      `and mean IoU a 95 % percentile bootstrap of whole pictures, ${resamples} resamples, seed ${seed}; ` +
      "what a judge says of pairs one of whole pairs.",
    models: evaluations,
    bytes: evaluations.reduce((sum, { bytes }) => sum + bytes.total, 0),
    onnxruntime: onnx.env.versions.web ?? "unknown",
    threads: 1,
    warnings: warningsOf(scenes, pairs.length),
  };
}

/** How many pictures there are of each style. */
function countByStyle(pictures: readonly HeldOutPicture[]): Record<string, number> {
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
