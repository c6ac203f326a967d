import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { convert } from "hyparquet/src/convert.js";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import type { TableBytes } from "./bytes.js";
import { type Asker, absent, type Block, Cells, number, rowsAtOnce } from "./cells.js";
import type { Dictionary } from "./dictionary.js";
import {
  checkEnds,
  checkRowCount,
  columnNames,
  compressors,
  held,
  orInputError,
  plain,
} from "./parquet.js";
import { decimalOf } from "./parquet-decimal.js";
import { parsers } from "./parquet-times.js";

/**
 * Reads Parquet by column: the texts of a column's dictionary once for each part of the file, a page of values at a
 * time. 64-bit integers and decimals become numbers where they are exact so, else text.
 *
 * @throws InputError where the bytes are not Parquet or are packed in a way that can't be read here.
 */
export async function* readParquetBlocks(source: TableBytes, asker: Asker): AsyncGenerator<Block> {
  const { name } = source;
  const { file, metadata, root, names } = await openParquet(source);
  asker.names(names, true);
  const columns = new Map<string, Cells>();
  const wanted = root.children.flatMap((child) => {
    const column = child.element.name;
    const ask = asker.column(column);
    if (ask === undefined) return [];
    const cells = new Cells(ask);
    columns.set(column, cells);
    return [{ child, column, cells }];
  });
  const lines = new Int32Array(rowsAtOnce);
  let start = 0;
  for (const group of metadata.row_groups) {
    const total = Number(group.num_rows);
    const readers: { readonly cells: Cells; readonly values: ColumnValues }[] = [];
    for (const { child, column, cells } of wanted) {
      const values = await orInputError(name, async () =>
        isFlat(child)
          ? new PageValues(await chunkOf(file, group, column), [root, child])
          : new ReadValues(await nested({ file, metadata, column, start, end: start + total })),
      );
      readers.push({ cells, values });
    }
    for (let from = 0; from < total; from += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, total - from);
      await orInputError(name, async () => {
        for (const { cells, values } of readers) {
          cells.begin();
          values.fill(cells, count);
        }
      });
      for (let row = 0; row < count; row++) lines[row] = start + from + row + 1;
      yield { count, lines, columns, bad: [] };
    }
    start += total;
  }
}

/**
 * What the end of a Parquet file tells: its columns, and the members of those that are structures, under names with
 * dots.
 *
 * @throws InputError where the bytes are not Parquet.
 */
export async function openParquet(source: TableBytes) {
  const file =
    source.parts === undefined ? await held(source.open(), source.name) : await source.parts();
  await checkEnds(file, source.name);
  return orInputError(source.name, async () => {
    const metadata = await parquetMetadataAsync(file);
    checkRowCount(metadata);
    const root = parquetSchema(metadata);
    return { file, metadata, root, names: columnNames(root) };
  });
}

/** A column of one part of a file, read from its beginning on. */
interface ColumnValues {
  /** Takes the next values into the first rows. */
  fill(cells: Cells, count: number): void;
}

const isFlat = ({ children, element }: SchemaTree) =>
  children.length === 0 && element.repetition_type !== "REPEATED";

type Chunk = Awaited<ReturnType<typeof chunkOf>>;

/** The bytes of a column in one part of a file. */
async function chunkOf(file: AsyncBuffer, { columns }: RowGroup, column: string) {
  const { meta_data: meta, crypto_metadata: key } =
    columns.find(({ meta_data: found }) => found?.path_in_schema[0] === column) ?? {};
  if (key !== undefined) throw new Error(`its column ${column} is encrypted`);
  if (meta === undefined) throw new Error(`it has no values of ${column}`);
  const { data_page_offset: data, dictionary_page_offset: dictionary } = meta;
  // Some write 0 where there is no dictionary.
  const from = Number(
    dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data,
  );
  const bytes = await file.slice(from, from + Number(meta.total_compressed_size));
  return { bytes: new Uint8Array(bytes), codec: meta.codec, type: meta.type };
}

/** Values of lists and structures, as objects. */
async function nested({
  file,
  metadata,
  column,
  start,
  end,
}: {
  file: AsyncBuffer;
  metadata: FileMetaData;
  column: string;
  start: number;
  end: number;
}): Promise<unknown[]> {
  const columns = [column];
  const read = { file, metadata, columns, rowStart: start, rowEnd: end, compressors, parsers };
  const rows = await parquetReadObjects(read);
  return rows.map((row) => plain(row[column]));
}

/** Values that were read before. */
class ReadValues implements ColumnValues {
  readonly #values: readonly unknown[];
  #at = 0;

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  fill(cells: Cells, count: number): void {
    for (let row = 0; row < count; row++) cells.put(row, this.#values[this.#at + row] ?? null);
    this.#at += count;
  }
}

/** A page of values, and how each becomes a cell. */
interface Page {
  readonly count: number;
  /** Where values may be missing: whether each is there, by its definition level. */
  readonly levels: ArrayLike<number> | undefined;
  put(cells: Cells, row: number, at: number): void;
}

/** Values of a plain column, page by page. */
class PageValues implements ColumnValues {
  readonly #chunk: Chunk;
  readonly #decoder: Parameters<typeof readDataPage>[2];
  readonly #reader: { view: DataView; offset: number };
  #dictionary: DictionaryPage | undefined;
  #page: Page | undefined;
  /** Rows of the page that were taken, and values of it. */
  #row = 0;
  #value = 0;

  constructor(chunk: Chunk, path: readonly SchemaTree[]) {
    this.#chunk = chunk;
    const { bytes, codec, type } = chunk;
    const [, leaf] = path;
    if (leaf === undefined) throw new RangeError("Expected a column below the root");
    this.#decoder = {
      pathInSchema: leaf.path,
      type,
      element: leaf.element,
      schemaPath: [...path],
      codec,
      compressors,
      parsers,
    };
    this.#reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  }

  fill(cells: Cells, count: number): void {
    for (let row = 0; row < count; ) {
      let page = this.#page;
      if (page === undefined || this.#row === page.count) {
        page = this.#next();
        this.#page = page;
        this.#row = 0;
        this.#value = 0;
      }
      const to = Math.min(count, row + page.count - this.#row);
      const { levels } = page;
      for (; row < to; row++) {
        if (levels === undefined || levels[this.#row] === 1) {
          page.put(cells, row, this.#value);
          this.#value += 1;
        } else cells.put(row, null);
        this.#row += 1;
      }
    }
  }

  /** The next page with rows. */
  #next(): Page {
    const reader = this.#reader;
    const { codec } = this.#chunk;
    for (;;) {
      if (reader.offset >= reader.view.byteLength - 1) throw new Error("a column ends too early");
      const header = parquetHeader(reader);
      const size = header.compressed_page_size;
      if (!(size >= 0) || reader.offset + size > reader.view.byteLength) {
        throw new Error("a page is longer than its column");
      }
      const packed = this.#chunk.bytes.subarray(reader.offset, reader.offset + size);
      reader.offset += size;
      const unpacked = () =>
        decompressPage(packed, header.uncompressed_page_size, codec, compressors);
      if (header.type === "DICTIONARY_PAGE") {
        const count = header.dictionary_page_header?.num_values ?? 0;
        this.#dictionary = new DictionaryPage(
          this.#valuesOf(plainValues(unpacked(), count, this.#decoder)),
        );
      } else if (header.type === "DATA_PAGE" && header.data_page_header !== undefined) {
        const { encoding, num_values: count } = header.data_page_header;
        const decoder = this.#decoderOf(encoding);
        const { definitionLevels, dataPage } = readDataPage(
          unpacked(),
          header.data_page_header,
          decoder,
        );
        if (count > 0)
          return this.#pageOf({ count, levels: definitionLevels, encoding, values: dataPage });
      } else if (header.type === "DATA_PAGE_V2" && header.data_page_header_v2 !== undefined) {
        const { encoding, num_values: count } = header.data_page_header_v2;
        const { definitionLevels, dataPage } = readDataPageV2(
          packed,
          header,
          this.#decoderOf(encoding),
        );
        if (count > 0)
          return this.#pageOf({ count, levels: definitionLevels, encoding, values: dataPage });
      }
      // Others, such as an index, hold no values.
    }
  }

  /** Whole numbers by their differences are read as 64 bits: some writers let those of 32 run over. */
  #decoderOf(encoding: string) {
    const isWide = encoding === "DELTA_BINARY_PACKED" && this.#decoder.type === "INT32";
    return isWide ? { ...this.#decoder, type: "INT64" as const } : this.#decoder;
  }

  #pageOf({
    count,
    levels,
    encoding,
    values,
  }: {
    count: number;
    levels: ArrayLike<number> | undefined;
    encoding: string;
    values: ArrayLike<unknown>;
  }): Page {
    const given = levels === undefined || levels.length === 0 ? undefined : levels;
    if (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") {
      const dictionary = this.#dictionary;
      if (dictionary === undefined) throw new Error("a dictionary is missing");
      // Each was read as a number.
      const places = values as ArrayLike<number>;
      return {
        count,
        levels: given,
        put: (cells, row, at) => dictionary.put(cells, row, places[at] ?? 0),
      };
    }
    const own = this.#valuesOf(narrowed(values, this.#decoder.type));
    return { count, levels: given, put: own.put };
  }

  #valuesOf(values: ArrayLike<unknown>): Values {
    const { element, type } = this.#decoder;
    const { converted_type: converted, logical_type: logical } = element;
    if (converted === "DECIMAL" || logical?.type === "DECIMAL") {
      const scale = element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0);
      return cellValues(Array.from(values, (value) => decimalOf(value, scale ?? 0)));
    }
    if (type === "BYTE_ARRAY" && isText(element)) return byteTexts(values as ArrayLike<Uint8Array>);
    if (type === "DOUBLE" || type === "FLOAT" || (type === "INT32" && isPlainInteger(element))) {
      const numbers = values as ArrayLike<number>;
      return {
        count: values.length,
        put(cells, row, at) {
          cells.codes[row] = number;
          cells.numbers[row] = numbers[at] ?? Number.NaN;
        },
      };
    }
    // It takes what `readPlain` gives.
    const converted64 = convert(values as Parameters<typeof convert>[0], this.#decoder);
    return cellValues(Array.from<unknown, unknown>(converted64, plain));
  }
}

/** Values that become cells. */
interface Values {
  readonly count: number;
  put(cells: Cells, row: number, at: number): void;
}

const cellValues = (values: readonly unknown[]): Values => ({
  count: values.length,
  put: (cells, row, at) => cells.put(row, values[at] ?? null),
});

const byteTexts = (values: ArrayLike<Uint8Array>): Values => ({
  count: values.length,
  put(cells, row, at) {
    const bytes = values[at];
    cells.codes[row] =
      bytes === undefined ? absent : cells.dictionary.codeAt(bytes, 0, bytes.length);
  },
});

/** The values that a column repeats: each becomes a cell once. */
class DictionaryPage {
  readonly #values: Values;
  #holder: Dictionary | undefined;
  #codes = new Int32Array();
  #numbers = new Float64Array();

  constructor(values: Values) {
    this.#values = values;
  }

  put(cells: Cells, row: number, place: number): void {
    if (cells.dictionary !== this.#holder) this.#learn(cells);
    const code = this.#codes[place];
    if (code === undefined) throw new Error("a dictionary is too short");
    if (code < number) this.#values.put(cells, row, place);
    else {
      cells.codes[row] = code;
      cells.numbers[row] = this.#numbers[place] ?? 0;
    }
  }

  #learn(cells: Cells): void {
    const { count } = this.#values;
    const single = new Cells({ dictionary: cells.dictionary });
    this.#holder = cells.dictionary;
    this.#codes = new Int32Array(count);
    this.#numbers = new Float64Array(count);
    for (let place = 0; place < count; place++) {
      this.#values.put(single, 0, place);
      this.#codes[place] = single.codes[0] ?? absent;
      this.#numbers[place] = single.numbers[0] ?? 0;
    }
  }
}

type Element = SchemaTree["element"];

const isText = ({ converted_type: converted, logical_type: logical }: Element) =>
  converted === undefined
    ? logical === undefined || logical.type === "STRING" || logical.type === "ENUM"
    : converted === "UTF8" || converted === "ENUM";

const isPlainInteger = ({ converted_type: converted, logical_type: logical }: Element) =>
  (converted === undefined || /^INT_(8|16|32)$|^UINT_(8|16)$/.test(converted)) &&
  (logical === undefined ||
    (logical.type === "INTEGER" && (logical.isSigned || logical.bitWidth < 32)));

/** Values as they stand in a dictionary. */
function plainValues(
  bytes: Uint8Array,
  count: number,
  { type, element }: Parameters<typeof readDataPage>[2],
) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return readPlain({ view, offset: 0 }, type, count, element.type_length);
}

/** Whole numbers of 32 bits that were read as 64. */
function narrowed(values: ArrayLike<unknown>, type: string): ArrayLike<unknown> {
  if (type !== "INT32" || !(values instanceof BigInt64Array)) return values;
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  return Int32Array.from({ length: values.length }, (_, at) => halves[2 * at] ?? 0);
}
