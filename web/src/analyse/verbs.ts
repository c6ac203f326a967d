import stereotypes from "../../../src/cli/verbs/analyze/analyze-stereotypes.js";
import type { Conclusion } from "../../../src/conclusions/conclusion.js";
import { conclusions } from "../../../src/conclusions/conclusions.js";

/** Those that do not stand in the list of conclusions yet. */
const others: Readonly<Record<string, Conclusion>> = {
  stereotypes,
};

/** The verbs that conclude from a table, the very ones of the command line. */
export async function loadVerbs(): Promise<Readonly<Record<string, Conclusion>>> {
  const listed = conclusions.map(async ({ name, load }) => [name, (await load()).default] as const);
  const found: Record<string, Conclusion> = Object.fromEntries(await Promise.all(listed));
  return { ...others, ...found };
}

/** The verb's words on a command line. */
export const wordsOf = (name: string): string[] =>
  name === "compare" ? [name] : ["analyze", name];
