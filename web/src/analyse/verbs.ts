import type { Conclusion } from "../../../src/conclusions/conclusion.js";
import { conclusionNamed, conclusions, verbWords } from "../../../src/conclusions/conclusions.js";

/** The verbs that conclude from a table, the very ones of the command line. */
export async function loadVerbs(): Promise<Readonly<Record<string, Conclusion>>> {
  const listed = conclusions.map(async ({ name, load }) => [name, (await load()).default] as const);
  return Object.fromEntries(await Promise.all(listed));
}

/** The verb's words on a command line. */
export const wordsOf = (name: string): string[] => verbWords(conclusionNamed(name));
