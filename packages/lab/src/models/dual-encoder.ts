import { keepRecent, once } from "touchstone-t2i/internal/core/cache.js";
import type {
  ImageEmbedder,
  ModelIdentity,
  Picture,
  TextEmbedder,
} from "touchstone-t2i/internal/core/models.js";
import type { GraphRun } from "./graph-run.js";
import { openGraph, runInPool } from "./onnx-pool.js";
import type { Runtime } from "./runtime.js";
import { labPixels, shownAs, textTensor } from "./tensors.js";
import { readSettings } from "./weights.js";

/** The lab's English knows no "A photo depicts". */
const templates = { "clip-score": "{text}" };

/**
 * A dual encoder from a folder in the layout of a Hugging Face CLIP model: config.json,
 * preprocessor_config.json, tokenizer.json, onnx/vision_model.onnx (pixel_values -> image_embeds)
 * and onnx/text_model.onnx (input_ids -> text_embeds). Loaded when first asked.
 */
export function dualEncoder(
  directory: URL,
  identity: () => ModelIdentity,
  runtime?: Runtime,
): ImageEmbedder & TextEmbedder {
  const settings = once(() => readSettings(directory));
  const vision = once(() => openGraph(new URL("onnx/vision_model.onnx", directory)));
  const language = once(() => openGraph(new URL("onnx/text_model.onnx", directory)));
  const outputOf = async (
    graph: ReturnType<typeof vision>,
    run: Pick<GraphRun, "inputs" | "output">,
  ) => {
    const opened = await graph;
    const [made] = await runInPool([{ graph: opened.name, ...run }], { graphs: [opened], runtime });
    if (made === undefined) throw new RangeError("Expected one output of one run");
    return made.data;
  };

  const imageVector = keepRecent(
    (image: Picture) => image.hash,
    async (image) => {
      const shown = shownAs(await labPixels(image), (await settings()).image);
      return outputOf(vision(), { inputs: { pixel_values: shown }, output: "image_embeds" });
    },
  );
  const textVector = keepRecent(
    (text: string) => text,
    async (text) => {
      const ids = textTensor(text, (await settings()).text);
      return outputOf(language(), { inputs: { input_ids: ids }, output: "text_embeds" });
    },
  );
  return {
    get identity() {
      return identity();
    },
    templates,
    async embedImage(image, options) {
      options?.signal?.throwIfAborted();
      return imageVector(image);
    },
    async embedText(text, options) {
      options?.signal?.throwIfAborted();
      return textVector(text);
    },
  };
}
