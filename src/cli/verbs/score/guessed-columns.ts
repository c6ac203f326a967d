import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../../core/errors.js";
import { metadataNames } from "../../../files/image-folder.js";
import { readTable } from "../../../files/read-table.js";
import { shellWords } from "../../command-line/shell-words.js";

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
  const isFile = await stat(table.path).then(
    (found) => found.isFile(),
    () => false,
  );
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

/** For a folder without metadata that has one other table: an error that names what reads it. */
export async function otherTable(source: string, path: string): Promise<InputError | undefined> {
  const names: string[] = await readdir(path).catch(() => []);
  const tables = names.filter((name) => /\.(csv|tsv|jsonl|parquet)$/i.test(name));
  const [name] = tables;
  const hasMetadata = metadataNames.some((one) => names.includes(one));
  if (name === undefined || tables.length > 1 || hasMetadata) return undefined;
  const table = join(source, name);
  const guessed = await guessedColumns({ name: table, path: join(path, name) }, {});
  const columns = await columnNames({ name: table, path: join(path, name) });
  if (guessed.image === undefined && !columns.includes("image")) {
    return new InputError(`Expected ${metadataNames.join(" or ")} in ${source} but found ${name}`, {
      hint:
        `It has no column for the image. To pair its rows with the images by their numbers: ` +
        shellWords(["touchstone", "score", source, "--texts", "order"]),
    });
  }
  const maps = Object.entries(guessed).flatMap(([to, column]) => ["--map", `${to}=${column}`]);
  return new InputError(`Expected ${metadataNames.join(" or ")} in ${source} but found ${name}`, {
    hint: `To read it: ${shellWords(["touchstone", "score", table, ...maps])}`,
  });
}

/** The columns of a table by its first row; none where it can't be read. */
async function columnNames(source: { readonly name: string; readonly path: string }) {
  try {
    for await (const { all } of readTable({ source, columns: {} })) return Object.keys(all);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return [];
}
