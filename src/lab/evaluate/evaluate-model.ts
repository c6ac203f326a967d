import { type LabModelName, type LabModels, labModel } from "../models/lab-model.js";
import { evaluateRating, type RatingReport } from "./chat-ratings.js";
import { type DualEncodingReport, evaluateDualEncoder } from "./dual-encoding.js";
import type { HeldOutPicture } from "./held-out.js";
import { evaluateJudging, type JudgingReport } from "./judging.js";
import { evaluateLocalizing, type LocalizingReport } from "./localizing.js";
import type { PreferencePair } from "./preference-pictures.js";
import type { PrototypePair } from "./prototype-pairs.js";
import { type AnsweringReport, evaluateAnswering } from "./question-answering.js";
import type { Clock } from "./stopwatch.js";
import type { SwapPicture } from "./swapping.js";
import { trainingOf } from "./training.js";
import { type WeightSizes, weightSizes } from "./weight-sizes.js";

export type ModelEvaluation = {
  readonly name: LabModelName;
  readonly revision: string;
  /** The seed of its training, where its folder says which. */
  readonly trainingSeed?: number;
  readonly bytes: WeightSizes;
  /** The styles that its training had no pictures of, where it says which it had. */
  readonly unseenStyles: readonly string[];
  /** The styles that it had pictures of, but, as it says, none with people or clothes. */
  readonly unseenWithPeople: readonly string[];
} & (AnsweringReport | DualEncodingReport | JudgingReport | LocalizingReport | RatingReport);

/** A model whose weights are there. */
export interface ChosenModel {
  readonly name: LabModelName;
  readonly model: LabModels[LabModelName];
  readonly revision: string;
  readonly directory: URL;
}

/** Held-out materials that every model is measured on, made once. */
export interface HeldOutMaterials {
  readonly pictures: readonly HeldOutPicture[];
  readonly pairs: readonly PrototypePair[];
  readonly preferences: readonly PreferencePair[];
  readonly swaps: readonly SwapPicture[];
  readonly seed: number;
  readonly clock: Clock;
  readonly progress: (doing: string, total: number) => (done: number) => void;
  readonly signal?: AbortSignal;
}

/** @throws InputError for a name that is none of the lab's, or without weights in the folder. */
export function chosenModel(name: LabModelName, weights: URL): ChosenModel {
  const model = labModel(name, { weights });
  const revision = model.identity.revision ?? "";
  return { name, model, revision, directory: new URL(`${name}/`, weights) };
}

/** Measures a model of the lab's by what its kind is for. */
export async function evaluateModel(
  { name, model, revision, directory }: ChosenModel,
  materials: HeldOutMaterials,
): Promise<ModelEvaluation> {
  const styles = [...new Set(materials.pictures.map(({ style }) => style))];
  const { seed, ...unseen } = await trainingOf(directory, styles);
  return {
    name,
    revision,
    ...(seed === undefined ? {} : { trainingSeed: seed }),
    bytes: await weightSizes(directory),
    ...unseen,
    ...(await reportOn(name, model, materials)),
  };
}

function reportOn(
  name: LabModelName,
  model: LabModels[LabModelName],
  { pictures, pairs, preferences, swaps, seed, clock, progress, signal }: HeldOutMaterials,
) {
  const shared = { clock, ...(signal === undefined ? {} : { signal }) };
  const asking = (total: number) => progress(`Asking lab:${name}`, total);
  if (isDualEncoder(model)) {
    const onDone = asking(pairs.length + pictures.length);
    return evaluateDualEncoder(model, { ...shared, pictures, pairs, onDone });
  }
  if ("chat" in model && name === "judge") {
    const onPair = asking(preferences.length);
    return evaluateJudging(model, { ...shared, pairs: preferences, seed, onPair });
  }
  if (isAnswerer(model)) {
    const onDone = asking(pictures.length + swaps.length);
    return evaluateAnswering(model, { ...shared, pictures, swaps, seed, onDone });
  }
  const onPicture = asking(pictures.length);
  return "localize" in model
    ? evaluateLocalizing(model, { ...shared, pictures, seed, onPicture })
    : evaluateRating(model, { ...shared, pictures, onPicture });
}

export const isAnswerer = (model: LabModels[LabModelName]): model is LabModels["vqa"] =>
  "probabilityOfYes" in model;

export const isDualEncoder = (
  model: LabModels[LabModelName],
): model is LabModels["dual-encoder-skewed"] => "embedImage" in model;
