import {
  type AsyncBuffer,
  type DecodedArray,
  parquetMetadataAsync,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from "hyparquet";
import { assembleLists, assembleNested } from "hyparquet/src/assemble.js";
import { convert, convertWithDictionary } from "hyparquet/src/convert.js";
import { getTreePath } from "hyparquet/src/schema.js";
import { flatten } from "hyparquet/src/utils.js";
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
import { type Chunk, type Page, type PlainTexts, pagesOf } from "./parquet-pages.js";
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
    return [{ child, column, cells, isBytes: ask.isBytes === true }];
  });
  const lines = new Int32Array(rowsAtOnce);
  let start = 0;
  for (const group of metadata.row_groups) {
    const total = Number(group.num_rows);
    const readers: { readonly cells: Cells; readonly values: ColumnValues }[] = [];
    for (const { child, column, cells, isBytes } of wanted) {
      const values = await orInputError(name, async () =>
        valuesOf(child, await chunksOf(file, group, root, { column, isBytes }), total),
      );
      readers.push({ cells, values });
    }
    for (let from = 0; from < total; from += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, total - from);
      await orInputError(name, async () => {
        for (const { cells, values } of readers) {
          cells.begin();
          cells.makeRoom(count);
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

function valuesOf(column: SchemaTree, chunks: readonly ColumnChunk[], rows: number): ColumnValues {
  const [only] = chunks;
  const isFlat = column.children.length === 0 && column.element.repetition_type !== "REPEATED";
  return isFlat && only !== undefined
    ? new PageValues(only)
    : readValues(nestedValues(chunks, column, rows));
}

/** The bytes of the columns that make one of the table, in one part of a file. */
async function chunksOf(
  file: AsyncBuffer,
  { columns, num_rows: rows }: RowGroup,
  root: SchemaTree,
  { column, isBytes }: { readonly column: string; readonly isBytes: boolean },
): Promise<ColumnChunk[]> {
  const isEncrypted = columns.some(
    ({ meta_data: meta, crypto_metadata: key }) =>
      key !== undefined && meta?.path_in_schema[0] === column,
  );
  if (isEncrypted) throw new Error(`its column ${column} is encrypted`);
  const metas = columns.flatMap(({ meta_data: meta }) =>
    meta?.path_in_schema[0] === column ? [meta] : [],
  );
  if (metas.length === 0) throw new Error(`it has no values of ${column}`);
  return Promise.all(
    metas.map(async (meta) => {
      const { data_page_offset: data, dictionary_page_offset: dictionary, codec, type } = meta;
      // Some write 0 where there is no dictionary.
      const from = Number(
        dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data,
      );
      const bytes = await file.slice(from, from + Number(meta.total_compressed_size));
      const path = getTreePath(root, meta.path_in_schema);
      const most = path.length === 2 ? Number(rows) : mostInLists;
      return { bytes: new Uint8Array(bytes), codec, type, path, most, isBytes };
    }),
  );
}

/** Values that stand in the lists of one part of a file, at most. */
const mostInLists = 2 ** 26;

interface ColumnChunk extends Chunk {
  /** Whether what is not said to be text stays bytes. */
  readonly isBytes: boolean;
}

const decoderOf = ({ path, codec, type, isBytes }: ColumnChunk) => {
  const leaf = path.at(-1);
  if (leaf === undefined) throw new RangeError("Expected a column below the root");
  return {
    pathInSchema: leaf.path,
    type,
    element: leaf.element,
    schemaPath: [...path],
    codec,
    compressors,
    parsers,
    utf8: !isBytes,
  };
};

/** Values of lists and structures, as objects. */
function nestedValues(chunks: readonly ColumnChunk[], column: SchemaTree, rows: number): unknown[] {
  const found = new Map<string, DecodedArray>();
  for (const chunk of chunks) {
    const decoder = decoderOf(chunk);
    let dictionary: DecodedArray | undefined;
    const parts: DecodedArray[] = [];
    for (const page of pagesOf(chunk)) {
      if (page.kind === "dictionary") {
        dictionary = convert(page.values, decoder);
        continue;
      }
      const { definition, repetition } = page;
      if (page.isCoded && dictionary === undefined) throw new Error("a dictionary is missing");
      const encoding = page.isCoded ? "RLE_DICTIONARY" : "PLAIN";
      const own = page.isCoded ? [...page.values] : page.values;
      const values = convertWithDictionary(own, dictionary, encoding, decoder);
      const last = parts.at(-1);
      const made = assembleLists(
        Array.isArray(last) ? last : [],
        definition && [...definition],
        [...(repetition ?? [])],
        values,
        decoder.schemaPath,
      );
      if (made !== last) parts.push(made);
    }
    found.set(decoder.pathInSchema.join("."), flatten(parts));
  }
  assembleNested(found, column, parsers);
  const values = found.get(column.path.join("."));
  if (values?.length !== rows) throw new Error("a column has another number of rows than its part");
  return Array.from<unknown, unknown>(values, plain);
}

/** Values that were read before. */
function readValues(values: readonly unknown[]): ColumnValues {
  let start = 0;
  return {
    fill(cells, count) {
      for (let row = 0; row < count; row++) cells.put(row, values[start + row] ?? null);
      start += count;
    },
  };
}

/** A page of values, and how each becomes a cell. */
interface TakenPage {
  readonly count: number;
  /** Where values may be missing: whether each is there, by its definition level. */
  readonly levels: Int32Array | undefined;
  put(cells: Cells, row: number, at: number): void;
}

/** Values of a plain column, page by page. */
class PageValues implements ColumnValues {
  readonly #pages: Iterator<Page>;
  readonly #decoder: ReturnType<typeof decoderOf>;
  #dictionary: DictionaryPage | undefined;
  #page: TakenPage | undefined;
  /** Rows of the page that were taken, and values of it. */
  #row = 0;
  #value = 0;

  constructor(chunk: ColumnChunk) {
    this.#decoder = decoderOf(chunk);
    this.#pages = pagesOf({ ...chunk, areTexts: areTexts(this.#decoder) });
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
  #next(): TakenPage {
    for (;;) {
      const { value: page } = this.#pages.next();
      if (page === undefined) throw new Error("a column ends too early");
      if (page.kind === "dictionary") {
        this.#dictionary = new DictionaryPage(this.#valuesOf(page));
        continue;
      }
      const { count, definition: levels, isCoded } = page;
      if (count === 0) continue;
      if (!isCoded) return { count, levels, put: this.#valuesOf(page).put };
      const dictionary = this.#dictionary;
      if (dictionary === undefined) throw new Error("a dictionary is missing");
      // Each was read as a number.
      const places = page.values as ArrayLike<number>;
      return {
        count,
        levels,
        put: (cells, row, at) => dictionary.put(cells, row, places[at] ?? 0),
      };
    }
  }

  #valuesOf({ values, texts }: Page): Values {
    if (texts !== undefined) return placedTexts(texts);
    const { element, type } = this.#decoder;
    const { converted_type: converted, logical_type: logical } = element;
    if (converted === "DECIMAL" || logical?.type === "DECIMAL") {
      const scale = element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0);
      return cellValues(Array.from(values, (value) => decimalOf(value, scale ?? 0)));
    }
    if (areTexts(this.#decoder)) return byteTexts(values as ArrayLike<Uint8Array>);
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

const placedTexts = ({ bytes, places }: PlainTexts): Values => ({
  count: places.length / 2,
  put(cells, row, at) {
    cells.codes[row] = cells.dictionary.codeAt(bytes, places[2 * at] ?? 0, places[2 * at + 1] ?? 0);
  },
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

function areTexts({ type, element, utf8 }: ReturnType<typeof decoderOf>): boolean {
  const isSaid = utf8 || element.converted_type !== undefined || element.logical_type !== undefined;
  return type === "BYTE_ARRAY" && isSaid && isText(element);
}

const isText = ({ converted_type: converted, logical_type: logical }: Element) =>
  converted === undefined
    ? logical === undefined || logical.type === "STRING" || logical.type === "ENUM"
    : converted === "UTF8" || converted === "ENUM";

const isPlainInteger = ({ converted_type: converted, logical_type: logical }: Element) =>
  (converted === undefined || /^INT_(8|16|32)$|^UINT_(8|16)$/.test(converted)) &&
  (logical === undefined ||
    (logical.type === "INTEGER" && (logical.isSigned || logical.bitWidth < 32)));

/** A decimal of Parquet: a number, or the text of a whole one that no number holds. Null where there is none. */
function decimalOf(value: unknown, scale: number): number | string | null {
  if (value === undefined || value === null) return null;
  const unscaled = value instanceof Uint8Array ? signed(value) : BigInt(value as number | bigint);
  if (scale === 0) {
    return Number.isSafeInteger(Number(unscaled)) ? Number(unscaled) : String(unscaled);
  }
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const whole = digits.slice(0, -scale);
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  const text = `${unscaled < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
  const found = Number(text);
  return Number.isInteger(found) && !Number.isSafeInteger(found) ? text : found;
}

/** A whole number in two's complement, the highest byte first. */
function signed(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}
