import { readdir, readFile, stat } from "node:fs/promises";
import { z } from "zod";
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

const training = z.object({
  settings: z.object({ seed: z.int() }).optional(),
  // Earlier programs wrote one set of scenes here, and no styles.
  data: z
    .array(z.object({ styles: z.array(z.string()), people: z.number().optional() }))
    .optional()
    .catch(undefined),
});

/** A model's training by the training.json in its folder; empty without that file. */
export interface Training {
  readonly seed?: number;
  /** Evaluated styles without pictures in its training; empty where training.json lists no styles. */
  readonly unseenStyles: readonly string[];
  /**
   * Styles whose training pictures had no people and no clothes; without those for which a folder does
   * not state its share of people.
   */
  readonly unseenWithPeople: readonly string[];
}

export async function trainingOf(directory: URL, styles: readonly string[]): Promise<Training> {
  const text = await readFile(new URL("training.json", directory), "utf8").catch(() => "{}");
  const report = training.safeParse(JSON.parse(text));
  const { settings, data } = report.data ?? {};
  const peopleIn = (style: string) =>
    data?.flatMap(({ styles, people = null }) => (styles.includes(style) ? [people] : []));
  return {
    ...(settings === undefined ? {} : { seed: settings.seed }),
    unseenStyles: styles.filter((style) => peopleIn(style)?.length === 0),
    unseenWithPeople: styles.filter((style) => {
      const shares = peopleIn(style) ?? [];
      return shares.length > 0 && shares.every((people) => people === 0);
    }),
  };
}

/** Sizes of the files in a model's folder. */
export interface WeightSizes {
  /** Bytes by path within the folder, such as "onnx/vision_model.onnx". */
  readonly files: Readonly<Record<string, number>>;
  readonly total: number;
}

async function weightSizes(directory: URL): Promise<WeightSizes> {
  const entries = await readdir(directory, { recursive: true, encoding: "utf8" });
  const files: Record<string, number> = {};
  for (const name of entries.map((entry) => entry.replaceAll("\\", "/")).sort()) {
    const found = await stat(new URL(name, directory));
    if (found.isFile()) files[name] = found.size;
  }
  const total = Object.values(files).reduce((sum, size) => sum + size, 0);
  return { files, total };
}
