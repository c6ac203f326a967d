import { extname } from "node:path";
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaTree,
} from "hyparquet";
import { InputError } from "../../core/errors.js";
import { compressors } from "../../tables/parquet.js";
import type { ImageRow } from "./image-rows.js";

/** Images of one part of the file (row group) are in memory at once. */
const mostGroupBytes = 1_500_000_000;

/**
 * The columns of a Parquet file that hold images as Hugging Face's `datasets` writes them, a structure of
 * bytes and path, or as bytes alone.
 */
export async function imageColumnsOf(path: string): Promise<string[]> {
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
export async function* parquetImageRows(
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
