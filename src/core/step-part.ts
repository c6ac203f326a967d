import { keyOf } from "./keys.js";

/** Words as the part of a step's name, which is part of a file's. */
export function partNamed(words: readonly string[]): string {
  const part = words
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  // File systems take names of 255 bytes.
  return part.length > 0 && part.length <= 120 ? part : `${part.slice(0, 100)}${keyOf([...words])}`;
}
