import { extname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/list-text.js";
import { matchingFiles } from "../matching-files.js";
import { checkFile } from "../table-source.js";
import type { ImageRow } from "./image-rows.js";
import { imageColumnsOf, parquetImageRows } from "./parquet-images.js";
import { webDatasetRows } from "./web-dataset.js";

/** A file that holds images. */
export interface ImageSet {
  readonly name: string;
  readonly path: string;
  /** The column of the image in Parquet, and all columns that hold images. */
  readonly column?: string;
  readonly columns?: readonly string[];
  readonly rows: AsyncIterable<ImageRow>;
}

/**
 * The WebDataset shards (.tar) and Parquet files with a column of images that a path or a pattern means; none
 * where it means something else.
 *
 * @param image the column of the image in Parquet. Default: image, else the first that holds images.
 * @throws InputError where a file is not there, or has images and none in that column.
 */
export async function imageSets(
  source: string,
  workingDirectory: string,
  image?: string,
): Promise<ImageSet[]> {
  if (!/\.(tar|parquet)$/i.test(source)) return [];
  const sets: ImageSet[] = [];
  for (const name of await matchingFiles([source], workingDirectory)) {
    const path = resolve(workingDirectory, name);
    await checkFile({ name, path });
    if (extname(path).toLowerCase() === ".tar") {
      sets.push({ name, path, rows: webDatasetRows(path, name) });
      continue;
    }
    const columns = await imageColumnsOf(path);
    const [first] = columns;
    if (first === undefined) return [];
    const column = image ?? (columns.includes("image") ? "image" : first);
    if (!columns.includes(column)) {
      throw new InputError(
        `Expected a column of images for --map image=${column} in ${name} but found ${listText(columns)}`,
        { hint: `Such as --map image=${first}` },
      );
    }
    sets.push({ name, path, column, columns, rows: parquetImageRows(path, { name, column }) });
  }
  return sets;
}
