import { resolve } from "node:path";
import { readTable } from "../../../files/read-table.js";
import { optionalText, text } from "../../../tables/columns.js";
import type { Environment } from "../../environment.js";
import { guessedColumns, guessNotes } from "../score/guessed-columns.js";
import { isFreeName } from "./image-list.js";

/** A prompt of a table. */
export interface ListedPrompt {
  readonly text: string;
  readonly id: string | undefined;
  /** Further columns by name, such as its domain or the skill that it asks for. */
  readonly others: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The prompts of a table (`text` or what it calls it, and `id` where it has one), each text once, in their order.
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
    /** Called with sentences that say which column was read, and which names are alike. */
    readonly tell: (sentence: string) => void;
  },
): Promise<{ readonly prompts: readonly ListedPrompt[]; readonly repeated: number }> {
  const prompts = new Map<string, ListedPrompt>();
  const file = { name: source, path: resolve(workingDirectory, source) };
  const { image: _, ...guessed } = source === "-" ? {} : await guessedColumns(file, map);
  for (const note of guessNotes(guessed)) tell(note);
  let rows = 0;
  const read = { ...guessed, ...map };
  const own = Object.values(read);
  for await (const { row, all } of readTable({
    source: source === "-" ? { name: "standard input", bytes: stdin } : file,
    columns: { text, id: optionalText },
    map: read,
    tell,
  })) {
    rows++;
    if (prompts.has(row.text)) continue;
    const others = Object.entries(all).flatMap(([name, value]) =>
      isFreeName(name) && !own.includes(name) && isPlain(value) ? [[name, value] as const] : [],
    );
    prompts.set(row.text, { ...row, others: Object.fromEntries(others) });
  }
  return { prompts: [...prompts.values()], repeated: rows - prompts.size };
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value) && value !== "";
