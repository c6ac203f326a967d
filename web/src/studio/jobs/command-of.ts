import { argumentWords } from "../../../../src/cli/command-line/argument-words.js";
import { shellWords } from "../../../../src/cli/command-line/shell-words.js";
import { type Filled, givenOf } from "../../../../src/core/options.js";
import type { StartVerb } from "../../../../src/studio/jobs/job-api.js";

/** The command line that a form comes to so far, or what it still lacks. */
export function commandOf(
  { name, arguments: declared }: StartVerb,
  filled: Filled,
): { readonly text: string } | { readonly missing: string } {
  try {
    const words = argumentWords(declared, givenOf(filled, declared, name));
    return { text: shellWords(["touchstone", ...name.split(" "), ...words]) };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
