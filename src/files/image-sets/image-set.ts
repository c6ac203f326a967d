import { extname, resolve } from "node:path";
import { matchingFiles } from "../matching-files.js";
import { checkFile } from "../table-source.js";
import type { ImageRow } from "./image-rows.js";
import { imageColumnOf, parquetImageRows } from "./parquet-images.js";
import { webDatasetRows } from "./web-dataset.js";

/** A file that holds images. */
export interface ImageSet {
  readonly name: string;
  readonly path: string;
  /** The column of the image in Parquet. */
  readonly column?: string;
  readonly rows: AsyncIterable<ImageRow>;
}

/**
 * The WebDataset shards (.tar) and Parquet files with a column of images that a path or a pattern means; none
 * where it means something else.
 *
 * @throws InputError where a file is not there.
 */
export async function imageSets(source: string, workingDirectory: string): Promise<ImageSet[]> {
  if (!/\.(tar|parquet)$/i.test(source)) return [];
  const sets: ImageSet[] = [];
  for (const name of await matchingFiles([source], workingDirectory)) {
    const path = resolve(workingDirectory, name);
    await checkFile({ name, path });
    if (extname(path).toLowerCase() === ".tar") {
      sets.push({ name, path, rows: webDatasetRows(path, name) });
      continue;
    }
    const column = await imageColumnOf(path);
    if (column === undefined) return [];
    sets.push({ name, path, column, rows: parquetImageRows(path, { name, column }) });
  }
  return sets;
}
