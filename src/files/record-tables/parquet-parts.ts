import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { BasicType } from "hyparquet-writer";
import { makeFolder } from "../make-folder.js";
import type { RecordColumn, RecordColumnKind } from "./record-columns.js";

type Cell = string | number | bigint | boolean | null;

const rowsAtOnce = 20_000;
const mostRows = 2_000_000;

const types: Readonly<Record<RecordColumnKind, BasicType>> = {
  text: "STRING",
  json: "STRING",
  integer: "INT64",
  number: "DOUBLE",
  boolean: "BOOLEAN",
};

interface PartsOptions {
  /** So many parts are whole already. */
  readonly written?: number;
  /** Told of each part once it is whole and on the disk. */
  readonly onPart?: (rows: number) => Promise<void>;
  /** Rows of a part, for tests. */
  readonly rowsOfPart?: number;
}

/** How the name of a part ends that is not whole yet. */
const unfinished = ".unfinished";

interface Part {
  readonly path: string;
  rows: number;
  write(rows: readonly (readonly Cell[])[]): void | Promise<void>;
  finish(): void;
}

/**
 * Writes rows into `part-00000.parquet` and so on in a folder, packed with Snappy: some ten thousand rows
 * are in memory at once, and a part has two million at most, so that clusters read several at a time.
 */
export class ParquetParts {
  readonly #folder: string;
  readonly #columns: readonly RecordColumn[];
  #waiting: (readonly Cell[])[] = [];
  #part: Part | undefined;
  #parts = 0;
  readonly #onPart: (rows: number) => Promise<void>;
  readonly #rowsOfPart: number;

  constructor(
    folder: string,
    columns: readonly RecordColumn[],
    { written = 0, onPart = async () => {}, rowsOfPart = mostRows }: PartsOptions = {},
  ) {
    this.#folder = folder;
    this.#columns = columns;
    this.#parts = written;
    this.#onPart = onPart;
    this.#rowsOfPart = rowsOfPart;
  }

  async add(row: readonly Cell[]): Promise<void> {
    this.#waiting.push(row);
    if (this.#waiting.length >= Math.min(rowsAtOnce, this.#rowsOfPart)) await this.#flush();
  }

  /** Resolves when all is on the disk. */
  async close(): Promise<void> {
    await this.#flush();
    await this.#endPart();
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#part ??= await this.#newPart();
    await this.#part.write(this.#waiting);
    this.#part.rows += this.#waiting.length;
    this.#waiting = [];
    if (this.#part.rows >= this.#rowsOfPart) await this.#endPart();
  }

  async #newPart(): Promise<Part> {
    // Loaded when first used: most commands write none.
    const { fileWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
    await makeFolder(this.#folder);
    const path = join(this.#folder, `part-${String(this.#parts).padStart(5, "0")}.parquet`);
    this.#parts += 1;
    const columnsOf = (rows: readonly (readonly Cell[])[]) =>
      this.#columns.map(({ name, kind }, at) => ({
        name,
        type: types[kind],
        nullable: true,
        data: rows.map((row) => row[at] ?? null),
      }));
    const writer = new ParquetWriter({
      writer: fileWriter(`${path}${unfinished}`),
      schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    });
    return {
      path,
      rows: 0,
      write: (rows) => writer.write({ columnData: columnsOf(rows), rowGroupSize: rowsAtOnce }),
      finish: () => writer.finish(),
    };
  }

  async #endPart(): Promise<void> {
    if (this.#part === undefined) return;
    const { path, rows } = this.#part;
    this.#part.finish();
    const file = await open(`${path}${unfinished}`, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}${unfinished}`, path);
    this.#part = undefined;
    await this.#onPart(rows);
  }
}
