import type { ImageMaking } from "../../core/records.js";

/** Names under which providers take a setting; the first that is there counts. */
const numbers = {
  steps: ["steps", "num_inference_steps", "num_steps"],
  guidance: ["cfg_scale", "guidance", "guidance_scale", "cfg"],
} as const;
const texts = {
  sampler: ["sampler_name", "sampler", "scheduler"],
  size: ["size", "image_size", "aspect_ratio"],
  negativePrompt: ["negative_prompt", "negative"],
} as const;

/**
 * How images are made, as far as a provider's settings, or what it says of an image, tell: their names
 * differ and their meaning does not.
 *
 * @example makingOf({ num_inference_steps: 4, width: 512, height: 768 }) // { steps: 4, size: "512x768" }
 */
export function makingOf(settings: Readonly<Record<string, unknown>>): ImageMaking {
  const of = (names: Readonly<Record<string, readonly string[]>>, type: "number" | "string") =>
    Object.entries(names).flatMap(([name, spellings]) => {
      const value = spellings.map((one) => settings[one]).find((said) => typeof said === type);
      return value === undefined || value === "" ? [] : [[name, value] as const];
    });
  const { width, height } = settings;
  return {
    ...Object.fromEntries([...of(numbers, "number"), ...of(texts, "string")]),
    ...(typeof width === "number" && typeof height === "number"
      ? { size: `${width}x${height}` }
      : {}),
  };
}

/** What settings say of the making of an image and what was said of it, which counts first. */
export function joinedMaking(
  settings: Readonly<Record<string, unknown>>,
  said: ImageMaking = {},
): ImageMaking | undefined {
  const joined = { ...makingOf(settings), ...said };
  return Object.keys(joined).length === 0 ? undefined : joined;
}
