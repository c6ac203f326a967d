import { join, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { TextPlace } from "../../../files/folder-texts/folder-texts.js";
import { imageTables } from "../../../files/image-folder.js";
import { readTable } from "../../../files/read-table.js";
import { optionalText, text } from "../../../tables/columns.js";
import { plainColumns } from "../read-table-items.js";
import type { ImageSource, SourceImage } from "./image-source.js";

const columns = {
  file_name: text,
  text: optionalText,
  caption: optionalText,
  prompt: optionalText,
  model: optionalText,
};

/**
 * Reads the images of a folder and its metadata.jsonl (or .csv), or those of its splits: `file_name`, `text` (or caption,
 * prompt), and `model`, else the folder that the image lies in. Texts may stand elsewhere.
 *
 * @param options.tell called with a sentence that says how texts were found, where no table has them.
 * @throws InputError that lists rows without a text.
 */
export async function folderSource(
  folder: string,
  {
    name,
    texts,
    tell,
  }: {
    readonly name: string;
    readonly texts?: TextPlace | undefined;
    readonly tell?: ((note: string) => void) | undefined;
  },
): Promise<ImageSource> {
  const images: SourceImage[] = [];
  const problems: string[] = [];
  const samples = new Map<string, number>();
  for (const { split, metadata, table, note } of await imageTables(folder, { place: texts })) {
    const source = { ...table(), name: join(name, relative(folder, metadata)) };
    if (note !== undefined) tell?.(note);
    const request = { source, columns, unique: ["file_name"] as const, tell };
    for await (const { row, all, line } of readTable(request)) {
      const file = join(split, row.file_name);
      const own = row.text ?? row.caption ?? row.prompt;
      if (own === undefined) {
        problems.push(`line ${line}: expected a text for ${file}`);
        continue;
      }
      const folders = row.file_name.split("/").slice(0, -1);
      const model = row.model ?? (note === undefined ? folders : folders.filter(isMaker)).join("/");
      const made = JSON.stringify([own, model]);
      const sample = samples.get(made) ?? 0;
      samples.set(made, sample + 1);
      images.push({
        id: file,
        path: resolve(folder, file),
        text: own,
        prompt: own,
        model,
        sample,
        beside: {
          ...plainColumns(all, new Set(["file_name", "text", "caption", "model"])),
          prompt: own,
          ...(model === "" ? {} : { model }),
        },
      });
    }
  }
  if (problems.length > 0)
    throw new InputError(`Expected a text for each image in ${name}`, { problems });
  return { name, images, judged: [] };
}

/** Whether a folder may be named after who made its images: not where it is one of a prompt, or of a shard. */
const isMaker = (folder: string) => !/^(\d+|samples|images)$/.test(folder);
