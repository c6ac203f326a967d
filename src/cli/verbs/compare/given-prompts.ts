import { extname, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { failed } from "../../../files/file-error.js";
import { readTable } from "../../../files/read-table.js";
import { readTextFile } from "../../../files/regular-file.js";

/** A prompt of a file, and the image that it names. */
interface GivenPrompt {
  readonly prompt: string;
  readonly image: string | undefined;
}

/**
 * The prompts of images from a file: a table that names them (file_name or image or id; prompt or text), or one prompt
 * a line or row for all of them, in the order of their names.
 *
 * @returns each image's prompt; an image that the file leaves out has none.
 * @throws InputError where the file is empty, names no image of the folder, or has another number of prompts than there
 *   are images.
 */
export async function promptsFor(
  images: readonly string[],
  {
    file,
    source,
    workingDirectory,
  }: { readonly file: string; readonly source: string; readonly workingDirectory: string },
): Promise<ReadonlyMap<string, string>> {
  const prompts = await readPrompts(file, workingDirectory);
  if (prompts.length === 0) throw new InputError(`Expected prompts in ${file} but it has none`);
  const isNamed = prompts.every(({ image }) => image !== undefined);
  if (isNamed) {
    const byName = new Map(prompts.map(({ image = "", prompt }) => [stem(image), prompt]));
    const found = images.flatMap((image): [string, string][] => {
      const prompt = byName.get(stem(image)) ?? byName.get(lastPart(stem(image)));
      return prompt === undefined ? [] : [[image, prompt]];
    });
    if (found.length > 0) return new Map(found);
    throw new InputError(
      `Expected names of images of ${source} in ${file} but found none: it names ${prompts[0]?.image}, the folder has ${images[0]}`,
    );
  }
  if (prompts.length !== images.length) {
    throw new InputError(
      `Expected a prompt for each of the ${images.length} images of ${source} in ${file} but it has ${prompts.length}`,
      { hint: "Or name the image of each prompt, in a column file_name" },
    );
  }
  const order = new Intl.Collator("en", { numeric: true });
  const sorted = [...images].sort(order.compare);
  return new Map(sorted.map((image, at) => [image, prompts[at]?.prompt ?? ""]));
}

async function readPrompts(file: string, workingDirectory: string): Promise<GivenPrompt[]> {
  const path = resolve(workingDirectory, file);
  if (extname(file).toLowerCase() === ".txt") {
    const text = await readTextFile(path).catch(failed("read", file));
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    return lines.filter(Boolean).map((prompt) => ({ prompt, image: undefined }));
  }
  const prompts: GivenPrompt[] = [];
  for await (const { all, line } of readTable({ source: { name: file, path }, columns: {} })) {
    const prompt = cellText(all, ["prompt", "text", "caption"]);
    if (prompt === undefined) {
      throw new InputError(`Expected a prompt or text in ${file}, line ${line}, but it has none`);
    }
    prompts.push({ prompt, image: cellText(all, ["file_name", "image", "file", "id"]) });
  }
  return prompts;
}

/** A file's name without its ending. */
export const stem = (image: string): string => image.replace(/\.\w+$/, "").replace(/^\.\//, "");

const lastPart = (name: string) => name.split("/").at(-1) ?? name;

type Row = Readonly<Record<string, unknown>>;

/** The text of the first of some columns that a row has; undefined where all are missing or empty. */
export function cellText(row: Row, names: readonly string[]): string | undefined {
  for (const name of names) {
    const cell = row[name];
    const text = typeof cell === "string" || typeof cell === "number" ? String(cell).trim() : "";
    if (text !== "") return text;
  }
  return undefined;
}
