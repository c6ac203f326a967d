import { createHash } from "node:crypto";
import { keepRecent, once } from "touchstone-t2i/internal/core/cache.js";
import type { CallOptions, Picture, Pixels } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import type { FloatTensor, GraphInput, GraphRun, Tensor } from "./graph-run.js";
import { type Graph, openGraph, runInPool } from "./onnx-pool.js";
import type { Runtime } from "./runtime.js";
import { labPixels, shownAs, textTensor } from "./tensors.js";
import { readSettings, type TextSettings } from "./weights.js";

/** A model in two halves: one looks at an image, the other reads texts about it. */
export interface LookingModel {
  /**
   * Returns its output for each text, one after another.
   *
   * @param options.beside what the half that reads is given beside the text, by name
   */
  read(
    image: Picture,
    texts: readonly string[],
    options?: CallOptions & { readonly beside?: Readonly<Record<string, Tensor>> },
  ): Promise<FloatTensor[]>;
  /** Returns its output for the image where its second half is asked without a text. */
  look(image: Picture, options?: CallOptions): Promise<FloatTensor>;
}

/**
 * A model from a folder that holds config.json, preprocessor_config.json, tokenizer.json,
 * onnx/vision_model.onnx (pixel_values -> features; where config.json says so by `vision_model`,
 * another's) and the half that reads (features, input_ids -> logits, or another output). Where
 * config.json names a `text_model` (input_ids -> meaning), that half is given the meaning in the place of
 * input_ids. Loaded when first asked; texts about one image share its features.
 *
 * @param half the file name of the second half, without its ending
 * @param options.isPassing whether no picture is looked at again once others are; part of one never is
 */
export function lookingModel(
  directory: URL,
  half: string,
  {
    output = "logits",
    runtime,
    isPassing = false,
  }: {
    readonly output?: string;
    readonly runtime?: Runtime | undefined;
    readonly isPassing?: boolean;
  } = {},
): LookingModel {
  const settings = once(() => readSettings(directory));
  const vision = once(async () => openGraph((await settings()).visionModel));
  const reader = once(() => openGraph(new URL(`onnx/${half}.onnx`, directory)));
  const language = once(async () => {
    const { textModel } = await settings();
    return textModel === undefined ? undefined : openGraph(textModel);
  });
  const pixelsOf = keepRecent((image: Picture) => image.hash, labPixels);
  /** One at a time: an answer must not depend, in its last digits, on its neighbours. */
  async function runEach(
    image: Picture,
    inputsOf: (text: TextSettings) => readonly Readonly<Record<string, GraphInput>>[],
    { signal, ears }: CallOptions & { readonly ears?: Graph | undefined } = {},
  ): Promise<FloatTensor[]> {
    signal?.throwIfAborted();
    // What was made of pixels has them at hand, and would be encoded for a hash.
    const pixels = await (image.origin === undefined ? pixelsOf(image) : labPixels(image));
    const { text, image: read } = await settings();
    const [eyes, tongue] = await Promise.all([vision(), reader()]);
    const shown = shownAs(pixels, read);
    const picture = sightOf(image, shown.pixels);
    const features: GraphRun = {
      graph: eyes.name,
      inputs: { pixel_values: shown },
      output: "features",
      keep: JSON.stringify([picture, read]),
      isPassing: isPassing || image.origin !== undefined,
    };
    const runs = inputsOf(text).map((each) => ({
      graph: tongue.name,
      inputs: { ...each, features },
      output,
    }));
    const graphs = [eyes, tongue, ...(ears === undefined ? [] : [ears])];
    return runInPool(runs, { graphs, picture, runtime });
  }
  return {
    async read(image, texts, { beside, ...options } = {}) {
      const ears = await language();
      return runEach(
        image,
        (text) => texts.map((each) => ({ ...beside, ...heard(ears, textTensor(each, text)) })),
        { ...options, ears },
      );
    },
    async look(image, options) {
      const [said] = await runEach(image, () => [{}], options);
      if (said === undefined) throw new NoAnswer("unparsable", "The model said nothing");
      return said;
    },
  };
}

/** Inputs of the half that reads, made of a text. */
const heard = (ears: Graph | undefined, ids: Tensor): GraphRun["inputs"] =>
  ears === undefined
    ? { input_ids: ids }
    : {
        meaning: {
          graph: ears.name,
          inputs: { input_ids: ids },
          output: "meaning",
          keep: ids.data.join(" "),
        },
      };

/** Key that tells a picture from another for whoever looks at its pixels. */
const sightOf = (image: Picture, { data }: Pixels): string =>
  image.origin === undefined ? image.hash : createHash("sha256").update(data).digest("hex");
