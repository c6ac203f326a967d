import { extname, resolve } from "node:path";
import type { SchemaTree } from "hyparquet";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import type { TableBytes } from "../../tables/bytes.js";
import { rowValues } from "../../tables/cells.js";
import { openParquet, readParquetBlocks } from "../../tables/parquet-blocks.js";
import { matchingFiles } from "../matching-files.js";
import { tableBytes } from "../read-table.js";
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
    const table = await tableBytes({ name, path }, true);
    if (extname(path).toLowerCase() === ".tar") {
      sets.push({ name, path, rows: webDatasetRows(path, name) });
      continue;
    }
    if (extname(path).toLowerCase() !== ".parquet") return [];
    const columns = await imageColumnsOf(table);
    const [first] = columns;
    if (first === undefined) return [];
    const column = image ?? (columns.includes("image") ? "image" : first);
    if (!columns.includes(column)) {
      throw new InputError(
        `Expected a column of images for --map image=${column} in ${name} but found ${listText(columns)}`,
        { hint: `Such as --map image=${first}` },
      );
    }
    sets.push({ name, path, column, columns, rows: parquetImageRows(table, { column, columns }) });
  }
  return sets;
}

/** Images of one part of the file (row group) are in memory at once. */
const mostGroupBytes = 1_500_000_000;

/**
 * The columns of a Parquet file that hold images as Hugging Face's `datasets` writes them, a structure of
 * bytes and path, or as bytes alone.
 */
async function imageColumnsOf(source: TableBytes): Promise<string[]> {
  try {
    const { root } = await openParquet(source);
    return root.children.filter(isImage).map(({ element }) => element.name);
  } catch (error) {
    // Whoever reads it as a table says what is wrong with it.
    if (error instanceof InputError) return [];
    throw error;
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
  source: TableBytes,
  { column, columns: images }: { readonly column: string; readonly columns: readonly string[] },
): AsyncGenerator<ImageRow> {
  const { name } = source;
  const { metadata } = await openParquet(source);
  for (const { columns } of metadata.row_groups) {
    const size = columns.reduce(
      (sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0),
      0,
    );
    if (size > mostGroupBytes) {
      throw new InputError(
        `Expected row groups of at most ${mostGroupBytes / 1e9} GB but one of ${name} has ${(size / 1e9).toFixed(1)} GB`,
        { hint: "Write it with smaller ones: to_parquet(…, batch_size=100)" },
      );
    }
  }
  const asker = {
    names: () => undefined,
    column: (each: string) => ({ isBytes: images.includes(each) }),
  };
  for await (const { count, lines, columns } of readParquetBlocks(source, asker)) {
    for (let row = 0; row < count; row++) {
      const { [column]: image, ...values } = rowValues(columns, row);
      const { bytes, path: file } = partsOf(image);
      const place = `row ${lines[row]}`;
      yield { place, image: file ?? `${name} ${place}`, bytes, values };
    }
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
