import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { CallOptions, Picture } from "../../core/models.js";
import { once } from "../../core/once.js";
import { lookingModel } from "./looking-model.js";
import type { Runtime } from "./runtime.js";

/** P(the person in a picture shows it), by sign. */
export type SignReader = (
  image: Picture,
  options?: CallOptions,
) => Promise<ReadonlyMap<string, number>>;

const config = z.object({ signs: z.array(z.string()).min(1) });

/** From a folder as `lookingModel` reads it, with onnx/sign_model.onnx (features -> logits [1, signs]). */
export function signReader(directory: URL, runtime?: Runtime): SignReader {
  const model = lookingModel(directory, "sign_model", { runtime });
  const names = once(async () => {
    const text = await readFile(new URL("config.json", directory), "utf8");
    return config.parse(JSON.parse(text)).signs;
  });
  return async (image, options) => {
    const { data } = await model.look(image, options);
    const signs = await names();
    return new Map(signs.map((sign, at) => [sign, 1 / (1 + Math.exp(-(data[at] ?? -Infinity)))]));
  };
}
