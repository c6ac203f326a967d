import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { TouchstoneError } from "../../core/errors.js";
import { readTokenizer, type Tokenizer } from "./tokenizer.js";

/** Where the committed weights lie, one folder for each model. */
export const weightsDirectory = new URL("../../../weights/", import.meta.url);

const config = z.object({
  text_config: z.object({
    max_position_embeddings: z.int().positive(),
  }),
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

/** What a model's folder says about its inputs, in Hugging Face's names. */
export async function readSettings(
  directory: URL,
): Promise<{ readonly image: ImageSettings; readonly text: TextSettings }> {
  const read = (name: string) => readFile(new URL(name, directory), "utf8");
  const { text_config: text } = config.parse(JSON.parse(await read("config.json")));
  const image = preprocessor.parse(JSON.parse(await read("preprocessor_config.json")));
  return {
    image: { ...image.size, mean: image.image_mean, deviation: image.image_std },
    text: {
      tokenizer: readTokenizer(await read("tokenizer.json")),
      mostTokens: text.max_position_embeddings,
    },
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
  for (const folder of [directory, new URL("onnx/", directory)]) {
    for (const name of filesIn(folder))
      hash.update(name).update(readFileSync(new URL(name, folder)));
  }
  return hash.digest("hex").slice(0, 12);
}

function filesIn(folder: URL): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter(({ name }) => /\.(json|onnx)$/.test(name) && name !== "training.json")
      .map((entry) => entry.name)
      .sort();
  } catch (cause) {
    throw new TouchstoneError("weights", `The lab's weights are not at ${folder.pathname}`, {
      hint: folder.href.startsWith(weightsDirectory.href)
        ? "They are part of the package: install it again."
        : "Expected there is a folder for each model, as training/export.py writes it.",
      cause,
    });
  }
}
