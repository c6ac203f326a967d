import { allEnded } from "../../core/all-ended.js";
import {
  type CallOptions,
  type ImageEmbedder,
  type Model,
  modelName,
  type Picture,
  type TextEmbedder,
} from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { NoAnswer } from "../../core/unscored.js";
import { keeps } from "../contracts.js";
import { colourNames, plainColourImage, type Shape } from "./colour-images.js";
import { notLooked, type Sight } from "./sight.js";

/** How well each text fits an image, higher for better. */
type Fit = (image: Picture, texts: readonly string[]) => Promise<readonly number[]>;

/** Of ten comparisons chance gets so many right 5 times in 100. */
const enough = 8;

/**
 * Checks the sight of a model without words by the order of its scores: each of two images of one colour must
 * fit "a red image", "a blue image" and so on best for its own colour. It is `blind` where the image changes
 * nothing, else at worst `unclear`.
 *
 * @returns `exempt` for a model that compares no images with texts.
 */
export async function checkSightByOrder(
  model: Model,
  {
    seed,
    shape = { width: 512, height: 512, mediaType: "image/png" },
    signal,
    trace,
  }: CallOptions & { readonly seed: string | number; readonly shape?: Shape },
): Promise<Sight> {
  const likeness = fitOf(model, { ...(signal && { signal }), ...(trace && { trace }) });
  if (likeness === undefined) return notLooked("exempt");
  const random = randomFrom("sight", seed, modelName(model.identity));
  const drawn = random.shuffle(colourNames).slice(0, 2);
  const texts = colourNames.map((colour) => `a ${colour} image`);
  try {
    const fits = await allEnded(
      drawn.map(async (colour) => likeness(await plainColourImage(colour, shape), texts)),
    );
    const right = fits.reduce((sum, values, at) => {
      const own = values[colourNames.indexOf(drawn[at] ?? "red")] ?? 0;
      return sum + values.filter((value) => value < own).length;
    }, 0);
    const said = fits.map((values) =>
      values.map((value) => Number(value.toPrecision(3))).join(" "),
    );
    const isSame = fits[0]?.every((value, at) => value === fits[1]?.[at]) ?? false;
    const state = isSame ? "blind" : right >= enough ? "sees" : "unclear";
    return { state, right, of: 10, drawn, said };
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.reason === "budget") throw error;
    return { state: "unclear", right: 0, of: 10, drawn, said: [], note: error.message };
  }
}

function fitOf(model: Model, options: CallOptions): Fit | undefined {
  if (keeps(model, "ImageEmbedder") && keeps(model, "TextEmbedder")) {
    return bySimilarity(model, options);
  }
  if (keeps(model, "RewardModel")) {
    return (image, texts) => allEnded(texts.map((text) => model.reward(image, text, options)));
  }
  if (keeps(model, "VisualQuestionAnswering")) {
    const question = (text: string) => `Does this figure show "${text}"? Please answer yes or no.`;
    return (image, texts) => model.probabilityOfYes(image, texts.map(question), options);
  }
  return undefined;
}

function bySimilarity(model: ImageEmbedder & TextEmbedder, options: CallOptions): Fit {
  const embedded = new Map<string, Promise<Float32Array>>();
  const embed = (text: string) => {
    const made = embedded.get(text) ?? model.embedText(text, options);
    embedded.set(text, made);
    return made;
  };
  return async (image, texts) => {
    const [seen = new Float32Array(), ...read] = await allEnded([
      model.embedImage(image, options),
      ...texts.map(embed),
    ]);
    return read.map((text) => dot(seen, text) / Math.sqrt(dot(text, text)));
  };
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
