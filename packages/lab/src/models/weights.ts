import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { TouchstoneError } from "touchstone-t2i/internal/core/errors.js";
import { z } from "zod";
import { packageFile } from "../package-file.js";
import { readTokenizer, type Tokenizer } from "./tokenizer.js";

/** Where the committed weights lie, one folder for each model. */
export const weightsDirectory = packageFile("weights/");

const ownVisionModel = "onnx/vision_model.onnx";

const config = z.object({
  text_config: z.object({
    max_position_embeddings: z.int().positive(),
  }),
  /** Where the model that looks at the image lies, of a model that shares another's. */
  vision_model: z.string().default(ownVisionModel),
  /** Where the half lies that makes a text's meaning, of a model whose second half is given that. */
  text_model: z.string().optional(),
});

const channels = z.tuple([z.number(), z.number(), z.number()]);
const preprocessor = z.object({
  size: z.object({ width: z.int().positive(), height: z.int().positive() }),
  image_mean: channels,
  image_std: channels,
});

export interface ImageSettings {
  /** The width and height that the model reads, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Per channel, of values in [0, 1]. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

export interface TextSettings {
  readonly tokenizer: Tokenizer;
  readonly mostTokens: number;
}

/** Reads the settings of inputs in a model's folder, in Hugging Face's names. */
export async function readSettings(directory: URL): Promise<{
  readonly image: ImageSettings;
  readonly text: TextSettings;
  /** The graph of the half that looks at the image: the folder's own, or another's beside it. */
  readonly visionModel: URL;
  /** The graph that makes a text's meaning, the folder's own or another's; its second half is given that. */
  readonly textModel?: URL;
}> {
  const read = (name: string) => readFile(new URL(name, directory), "utf8");
  const parsed = config.parse(JSON.parse(await read("config.json")));
  const { text_config: text } = parsed;
  const image = preprocessor.parse(JSON.parse(await read("preprocessor_config.json")));
  return {
    image: { ...image.size, mean: image.image_mean, deviation: image.image_std },
    text: {
      tokenizer: readTokenizer(await read("tokenizer.json")),
      mostTokens: text.max_position_embeddings,
    },
    visionModel: new URL(parsed.vision_model, directory),
    ...(parsed.text_model === undefined
      ? {}
      : { textModel: new URL(parsed.text_model, directory) }),
  };
}

/**
 * The first 12 digits of the SHA-256 over the files that determine a model's answers: other weights
 * are another revision, so a run never counts one model's answers as another's.
 *
 * @throws TouchstoneError where the folder is not there.
 */
export function revisionOf(directory: URL): string {
  const hash = createHash("sha256");
  try {
    for (const file of answeringFiles(directory)) {
      hash.update(basename(file.pathname)).update(readFileSync(file));
    }
  } catch (cause) {
    throw new TouchstoneError("weights", `The lab's weights are not at ${directory.pathname}`, {
      hint: directory.href.startsWith(weightsDirectory.href)
        ? "They are part of the package: install it again."
        : "Expected there is a folder for each model, as training/export.py writes it.",
      cause,
    });
  }
  return hash.digest("hex").slice(0, 12);
}

/** Settings and graphs, and the graphs that are shared with another model where some are. */
function answeringFiles(directory: URL): URL[] {
  const inside = [directory, new URL("onnx/", directory)].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(json|onnx)$/.test(name) && name !== "training.json")
      .sort()
      .map((name) => new URL(name, folder)),
  );
  const { vision_model, text_model } = config.parse(
    JSON.parse(readFileSync(new URL("config.json", directory), "utf8")),
  );
  const shared = [vision_model, ...(text_model === undefined ? [] : [text_model])]
    .filter((path) => path.startsWith("../"))
    .map((path) => new URL(path, directory));
  return [...inside, ...shared];
}
