import { once } from "touchstone-t2i/internal/core/cache.js";
import { z } from "zod";
import { labYaml } from "./package-file.js";

const vocabulary = once(() => {
  const words = z.record(z.string(), z.string()).parse(labYaml("read-as.yaml"));
  const meanings = new Map(Object.entries(words));
  const pattern = new RegExp(`\\b(?:${[...meanings.keys()].join("|")})\\b`, "gi");
  return { meanings, pattern };
});

/**
 * A text as the lab reads it: in words that it has drawings of and that its models learned.
 *
 * @example asRead("A robin is in a meadow.") // "A songbird is in a meadow."
 */
export function asRead(text: string): string {
  const { meanings, pattern } = vocabulary();
  return text.replace(pattern, (found) => {
    const meant = meanings.get(found.toLowerCase()) ?? found;
    return /^[A-Z]/.test(found) ? `${meant.charAt(0).toUpperCase()}${meant.slice(1)}` : meant;
  });
}
