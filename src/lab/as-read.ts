import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const file = new URL("../../data/lab/read-as.yaml", import.meta.url);
const meanings = new Map(
  Object.entries(z.record(z.string(), z.string()).parse(parse(readFileSync(file, "utf8")))),
);
const pattern = new RegExp(`\\b(?:${[...meanings.keys()].join("|")})\\b`, "gi");

/**
 * A text as the lab reads it: in words that it has drawings of and that its models learned.
 *
 * @example asRead("A robin is in a meadow.") // "A songbird is in a meadow."
 */
export const asRead = (text: string): string =>
  text.replace(pattern, (found) => {
    const meant = meanings.get(found.toLowerCase()) ?? found;
    return /^[A-Z]/.test(found) ? `${meant.charAt(0).toUpperCase()}${meant.slice(1)}` : meant;
  });
