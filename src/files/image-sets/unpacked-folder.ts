import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { InputError } from "../../core/errors.js";
import { cellJson } from "../../tables/cell-json.js";
import { writeFolderAtomically } from "../atomic.js";
import { absent } from "../file-error.js";
import { makeFolder } from "../make-folder.js";
import { guessedTextColumn, type ImageRow, type ImageSet, imageSets } from "./image-set.js";

/** File that names the source of unpacked images; without it a folder is somebody's own. */
const sourceFile = ".unpacked-from.json";

/**
 * The images of WebDataset shards or of Parquet as a folder of images with metadata.jsonl, for all that reads
 * one: beside the first file, named after it or the pattern, with `.images` behind. It stays, since reviews,
 * masks and runs name its files, and is made anew when a file has changed.
 *
 * @param options.tell told where they are, when they were unpacked
 * @returns the folder; undefined where the source is no such file.
 * @throws InputError where a file is damaged or hostile, a row has no image, or the place is taken.
 */
export async function unpackedFolder(
  source: string,
  {
    workingDirectory,
    tell = () => {},
  }: { readonly workingDirectory: string; readonly tell?: ((text: string) => void) | undefined },
): Promise<string | undefined> {
  const sets = await imageSets(source, workingDirectory);
  const [first] = sets;
  if (first === undefined) return undefined;
  const name = basename(source, extname(source)).replaceAll(/[^\p{L}\p{N}._-]+/gu, "_");
  const folder = join(dirname(first.path), `${name}.images`);
  const from = JSON.stringify(await Promise.all(sets.map(({ path }) => identityOf(path))));
  const note = join(folder, sourceFile);
  const before = await readFile(note, "utf8").catch(absent(note));
  if (before === from) return folder;
  // Only what was unpacked here is removed.
  if (before !== undefined) await rm(folder, { recursive: true, force: true });
  const count = await writeFolderAtomically(folder, (into) => unpack(sets, { into, from, source }));
  tell(`Unpacked ${count} images of ${source} into ${relative(workingDirectory, folder)}`);
  return folder;
}

async function identityOf(path: string) {
  const { size, mtimeMs } = await stat(path);
  return { file: basename(path), size, mtimeMs };
}

async function unpack(
  sets: readonly ImageSet[],
  { into, from, source }: { readonly into: string; readonly from: string; readonly source: string },
): Promise<number> {
  const taken = new Set<string>();
  const lines: string[] = [];
  const write = async (bytes: Uint8Array, name: string) => {
    const file = freeName(name, taken);
    taken.add(file);
    await makeFolder(dirname(join(into, file)));
    await writeFile(join(into, file), bytes);
    return file;
  };
  for (const set of sets) {
    for await (const row of set.rows)
      lines.push(`${JSON.stringify(await lineOf(row, set, write))}\n`);
  }
  if (lines.length === 0) throw new InputError(`Expected images in ${source} but found none`);
  await writeFile(join(into, "metadata.jsonl"), lines.join(""));
  await writeFile(join(into, sourceFile), from);
  return taken.size;
}

/** A row of metadata.jsonl; each column of images holds the name of a file. */
async function lineOf(
  { place, image, bytes, values }: ImageRow,
  { name, column = "image" }: ImageSet,
  write: (bytes: Uint8Array, name: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  if (bytes === undefined) {
    throw new InputError(`Expected an image but received none (in ${name}, ${place})`, {
      hint: "Images that lie beside a table as files are read as a folder with metadata.jsonl",
    });
  }
  const file = await write(bytes, image);
  const cells: Record<string, unknown> = { file_name: file, [column]: file };
  for (const [key, value] of Object.entries(values)) {
    const other = imageIn(value);
    cells[key] = other === undefined ? cellJson(value) : await write(other, `${column}-${key}`);
  }
  const text = guessedTextColumn(Object.keys(values));
  return text === undefined || text === "text" ? cells : { ...cells, text: cells[text] };
}

/** The bytes of another column's image. */
function imageIn(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== "object" || value === null || !("bytes" in value)) return undefined;
  return value.bytes instanceof Uint8Array ? value.bytes : undefined;
}

/** A path of plain names, which no file has yet; a folder's name may say which model painted. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .split(/[\\/]/)
    .map((part) => part.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/, ""))
    .filter((part) => part !== "")
    .join("/");
  const ending = extname(plain).length > 1 ? extname(plain) : ".png";
  const stem = plain.slice(0, plain.length - extname(plain).length) || "image";
  let free = `${stem}${ending}`;
  for (let number = 2; taken.has(free); number++) free = `${stem}-${number}${ending}`;
  return free;
}
