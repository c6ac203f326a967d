import { z } from "zod";

/**
 * How a model counts an image: `base` tokens and `tile` for each tile of 512 pixels, of the image
 * scaled to at most 2048 pixels and its shorter side to at most 768; or `patch` tokens for each of at
 * most 1536 patches of 32 pixels (OpenAI's guide to images, 2026-04).
 */
export const imageTokenRule = z.union([
  z.strictObject({ base: z.number().min(0), tile: z.number().min(0) }),
  z.strictObject({ patch: z.number().positive() }),
]);
export type ImageTokenRule = z.output<typeof imageTokenRule>;

/** As GPT-4o counts; assumed where nothing is known of a model. */
const usualRule: ImageTokenRule = { base: 85, tile: 170 };

/**
 * About how many tokens an image takes.
 *
 * @param longestSide no side is sent longer than this, in pixels
 * @example imageTokens({ width: 1024, height: 1024 }) // 765
 */
export function imageTokens(
  { width, height }: { readonly width: number; readonly height: number },
  { rule = usualRule, longestSide = 2048 }: { rule?: ImageTokenRule; longestSide?: number } = {},
): number {
  const sent = Math.min(1, Math.min(longestSide, 2048) / Math.max(width, height));
  const [w, h] = [width * sent, height * sent];
  if ("patch" in rule) {
    return Math.ceil(rule.patch * Math.min(1536, Math.ceil(w / 32) * Math.ceil(h / 32)));
  }
  const shrunk = Math.min(1, 768 / Math.min(w, h));
  return rule.base + rule.tile * Math.ceil((w * shrunk) / 512) * Math.ceil((h * shrunk) / 512);
}
