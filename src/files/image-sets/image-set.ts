import { extname, resolve } from "node:path";
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaTree,
} from "hyparquet";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { compressors } from "../../tables/parquet.js";
import { matchingFiles } from "../matching-files.js";
import { checkFile } from "../table-source.js";
import type { ImageRow } from "./image-rows.js";
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

/** Images of one part of the file (row group) are in memory at once. */
const mostGroupBytes = 1_500_000_000;

/**
 * The columns of a Parquet file that hold images as Hugging Face's `datasets` writes them, a structure of
 * bytes and path, or as bytes alone.
 */
async function imageColumnsOf(path: string): Promise<string[]> {
  if (extname(path).toLowerCase() !== ".parquet") return [];
  try {
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
    return parquetSchema(metadata)
      .children.filter(isImage)
      .map(({ element }) => element.name);
  } catch {
    // Whoever reads it as a table says what is wrong with it.
    return [];
  }
}

function isImage({ element, children }: SchemaTree): boolean {
  if (children.length > 0)
    return children.some((child) => child.element.name === "bytes" && isBytes(child));
  return isBytes({ element }) && /image|img|picture|jpe?g|png/i.test(element.name);
}

const isBytes = ({ element }: Pick<SchemaTree, "element">) =>
  element.type === "BYTE_ARRAY" &&
  element.converted_type === undefined &&
  element.logical_type === undefined;

/**
 * The rows of a Parquet file with a column of images, one part of the file in memory at a time.
 *
 * @throws InputError where it is damaged or a part of it is too large.
 */
async function* parquetImageRows(
  path: string,
  { name, column }: { readonly name: string; readonly column: string },
): AsyncGenerator<ImageRow> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const size = group.columns.reduce(
      (sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0),
      0,
    );
    if (size > mostGroupBytes) {
      throw new InputError(
        `Expected row groups of at most ${mostGroupBytes / 1e9} GB but one of ${name} has ${(size / 1e9).toFixed(1)} GB`,
        { hint: "Write it with smaller ones: to_parquet(…, batch_size=100)" },
      );
    }
    const rowEnd = rowStart + Number(group.num_rows);
    const read = { file, metadata, rowStart, rowEnd, compressors, utf8: false };
    const rows = await parquetReadObjects(read).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new InputError(`Expected a sound Parquet file but ${name} can't be read: ${reason}`, {
        cause,
      });
    });
    for (const [at, { [column]: image, ...values }] of rows.entries()) {
      const number = rowStart + at + 1;
      const { bytes, path: file } = partsOf(image);
      yield { place: `row ${number}`, image: file ?? `${name} row ${number}`, bytes, values };
    }
    rowStart = rowEnd;
  }
}

function partsOf(image: unknown): { bytes?: Uint8Array; path?: string } {
  if (image instanceof Uint8Array) return { bytes: image };
  if (typeof image !== "object" || image === null) return {};
  const bytes = "bytes" in image && image.bytes instanceof Uint8Array ? image.bytes : undefined;
  const path = "path" in image && typeof image.path === "string" ? image.path : undefined;
  return {
    ...(bytes === undefined ? {} : { bytes }),
    ...(path === undefined || path === "" ? {} : { path }),
  };
}
