import { InputError } from "../../../core/errors.js";
import { readTable } from "../../../files/read-table.js";
import { kindAt } from "../../../files/regular-file.js";

/** Names of columns of images and of texts elsewhere, the surest first. */
const otherNames = {
  image: ["file_name", "filename", "file", "path", "image_path", "image_file", "img"],
  text: ["prompt", "caption", "description"],
} as const;

type Guessed = Partial<Record<keyof typeof otherNames, string>>;

/**
 * Which columns of a table hold images and texts under other names, as its first row says; none of those
 * that it has under their own or the usual names, or that --map names. A stream is not looked at: it is
 * read once.
 */
export async function guessedColumns(
  table: { readonly name: string; readonly path: string },
  map: Readonly<Record<string, string>>,
  usual: Guessed = {},
): Promise<Guessed> {
  const isFile = (await kindAt(table.path)) === "file";
  if (!isFile) return {};
  try {
    for await (const { all } of readTable({ source: table, columns: {} })) {
      const found = (["image", "text"] as const).flatMap((name) => {
        if (Object.hasOwn(all, usual[name] ?? name) || Object.hasOwn(map, name)) return [];
        const guess = [name, ...otherNames[name]].find((other) => Object.hasOwn(all, other));
        return guess === undefined ? [] : [[name, guess] as const];
      });
      return Object.fromEntries(found);
    }
  } catch (error) {
    // Whoever reads the table says what is wrong with it.
    if (!(error instanceof InputError)) throw error;
  }
  return {};
}

/** Says what was guessed, and how to say otherwise. */
export function guessNotes(guessed: Guessed): string[] {
  const entries = Object.entries(guessed);
  const read = entries.map(([name, column]) => `the ${name} from the column ${column}`);
  return entries.length === 0
    ? []
    : [`Reading ${read.join(" and ")}; another one: --map ${entries[0]?.[0]}=my_column`];
}
