import type { ModelIdentity } from "../../core/models.js";

/** No side of an image is sent longer than this, in pixels, where the settings do not say. */
export const defaultLongestSide = 1024;

/** A chat model's name in records; a size of images that is not the usual one is part of it. */
export function chatIdentity({
  provider,
  model,
  revision,
  baseUrl,
  longestSide,
}: {
  readonly provider: string;
  readonly model: string;
  readonly revision: string | undefined;
  readonly baseUrl: string;
  readonly longestSide: number;
}): ModelIdentity {
  const size = longestSide === defaultLongestSide ? undefined : `side-${longestSide}`;
  const named = [revision, size].filter((part) => part !== undefined).join("+");
  return { provider, model, ...(named === "" ? {} : { revision: named }), baseUrl };
}
