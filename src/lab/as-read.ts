import { z } from "zod";
import { once } from "../core/cache.js";
import { packagedYaml } from "../files/yaml.js";

const vocabulary = once(() => {
  const words = z.record(z.string(), z.string()).parse(packagedYaml("lab/read-as.yaml"));
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
