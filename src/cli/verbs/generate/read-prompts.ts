import { resolve } from "node:path";
import { readTable } from "../../../files/read-table.js";
import { optionalText, text } from "../../../tables/columns.js";
import type { Environment } from "../../environment.js";

/** A prompt of a table. */
export interface ListedPrompt {
  readonly text: string;
  readonly id: string | undefined;
}

/**
 * The prompts of a table (`text`, and `id` where it has one), each text once, in their order.
 *
 * @param source a file, or "-" for standard input
 * @throws InputError where the table is not sound.
 */
export async function readPrompts(
  source: string,
  {
    environment: { workingDirectory, stdin },
    map,
    tell,
  }: {
    readonly environment: Environment;
    readonly map: Readonly<Record<string, string>>;
    /** Called with a sentence that says which names are alike. */
    readonly tell: (sentence: string) => void;
  },
): Promise<{ readonly prompts: readonly ListedPrompt[]; readonly repeated: number }> {
  const prompts = new Map<string, ListedPrompt>();
  let rows = 0;
  for await (const { row } of readTable({
    source:
      source === "-"
        ? { name: "standard input", bytes: stdin }
        : { name: source, path: resolve(workingDirectory, source) },
    columns: { text, id: optionalText },
    map,
    tell,
  })) {
    rows++;
    if (!prompts.has(row.text)) prompts.set(row.text, row);
  }
  return { prompts: [...prompts.values()], repeated: rows - prompts.size };
}
