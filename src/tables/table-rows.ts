import { blankRow, setOwn } from "./blank-row.js";
import { isNoAnswer, type Reading } from "./cell-reading.js";
import { type Cells, rowValues } from "./cells.js";
import { type ColumnStore, columnStore, type TakenRows } from "./column-stores.js";
import type { ColumnKinds, RowOf } from "./columns.js";
import { isSummary, mostAtEnd, mostNames, noData } from "./no-data.js";
import { fileColumn } from "./several-files.js";
import type { TableRequest, TableShape } from "./shapes.js";
import { TableReader, type TakenBlock, type Wanted } from "./table-reader.js";

/** One row, checked. */
export interface TableRow<Kinds extends ColumnKinds> {
  /** Where it starts: the line of JSONL and CSV, else the row; from 1, in its file. */
  readonly line: number;
  /** The file it stands in. */
  readonly name: string;
  /** Where it stands: "line 3", among several files "line 3 of b.csv". */
  readonly place: string;
  /** Name of a row that has none of its own: "row 3", the same in whatever format the table is. */
  readonly rowName: string;
  /** The columns that were asked for. */
  readonly row: RowOf<Kinds>;
  /** All columns, as the format holds them and under the names they have there; null for a word of `unscored`. */
  readonly all: Readonly<Record<string, unknown>>;
  /** Whether the format knows text only, so that a number is text, too. */
  readonly isText: boolean;
}

export interface RowsRequest<Kinds extends ColumnKinds>
  extends Omit<TableRequest<Kinds>, "shape">,
    Pick<TableShape<Kinds>, "otherShape"> {
  readonly columns: Kinds;
  /** Columns whose values together may stand in one row only. */
  readonly unique?: readonly (keyof Kinds & string)[];
  /** Says what is wrong with a row of which each column by itself is right. */
  readonly fault?: ((row: RowOf<Kinds>) => string | undefined) | undefined;
}

/**
 * Streams the rows of a JSONL, CSV or Parquet table or a JSON document, or of several as one. A column's
 * name may lead into objects and arrays (`scores.0`) where the format has such. What is wrong with rows is
 * found in one go and thrown after the last row, so act on rows only when the loop has ended.
 *
 * @throws InputError where it is not UTF-8, columns are missing, files differ in their columns, or there are
 *   no rows; and one with all bad rows as `problems`.
 * @example
 * for await (const { row } of tableRows({ source, columns: { id: text, correct: score } })) …
 */
export async function* tableRows<const Kinds extends ColumnKinds>({
  source,
  columns: kinds,
  unique = [],
  fault,
  ...request
}: RowsRequest<Kinds>): AsyncGenerator<TableRow<Kinds>> {
  const isKept = (target: string) => unique.some((name) => name === target);
  const reader = new TableReader(source, {
    ...request,
    kinds,
    unique,
    storeOf: (reading, target) =>
      isKept(target) ? columnStore(reading) : new PassingStore(reading),
  });
  const taker = new RowTaker(reader, isKept, fault);
  // `yield*` would wait for each row twice.
  for await (const block of reader.blocks()) for (const row of taker.rows(block)) yield row;
  taker.refuseSums(reader.length);
  reader.noteRepeated();
  await reader.refuse();
  reader.tell();
}

/** A column of the rows that are made. */
interface TakenColumn extends Pick<Wanted, "target" | "column" | "store"> {
  /** What stands in a row that has no value. */
  readonly nothing: unknown;
  /** Whether its store keeps the rows of earlier blocks. */
  readonly isKept: boolean;
  /** Whether it may hold the name of a row that is no data. */
  readonly isNamed: boolean;
}

/** Makes rows of blocks. */
class RowTaker<Kinds extends ColumnKinds> {
  readonly #reader: TableReader;
  /** Whether the store of a column keeps the rows of earlier blocks. */
  readonly #isKept: (target: string) => boolean;
  readonly #fault: ((row: RowOf<Kinds>) => string | undefined) | undefined;
  #wanted: readonly Wanted[] = [];
  #columns: readonly TakenColumn[] = [];
  #blank: Readonly<Record<string, unknown>> = {};
  /** Rows that may be totals of others, by name, with what is said of each; undefined where several rows have the name. */
  #sums = new Map<string, { readonly row: number; readonly problem: string } | undefined>();
  #file = -1;

  constructor(
    reader: TableReader,
    isKept: (target: string) => boolean,
    fault: ((row: RowOf<Kinds>) => string | undefined) | undefined,
  ) {
    this.#reader = reader;
    this.#isKept = isKept;
    this.#fault = fault;
  }

  *rows(block: TakenBlock): Generator<TableRow<Kinds>> {
    const { lines, columns, keys, rows, count, at, isText, fileName } = block;
    const problems = this.#reader.rows;
    const file = problems.files.length - 1;
    if (file !== this.#file) this.refuseSums(at);
    this.#file = file;
    this.#settle();
    const { badRows, noAnswer } = this.#reader;
    const context = { name: problems.files[file]?.source.name ?? "", isText, problems };
    const named = fileName === undefined ? undefined : { [fileColumn]: fileName };
    for (let place = 0; place < count; place++) {
      const number = at + place;
      if (badRows.has(number)) continue;
      const made = { ...this.#blank };
      for (const { target, store, nothing, isKept } of this.#columns) {
        setOwn(made, target, store.value(isKept ? number : place, nothing));
      }
      // Each value was read by its column's kind.
      const row = made as RowOf<Kinds>;
      const inBlock = rows[place] ?? 0;
      const line = lines[inBlock] ?? 0;
      const problem = this.#noData(made, number) ?? this.#fault?.(row);
      if (problem !== undefined) {
        problems.addLine(line, problem, { key: keys?.[inBlock] });
        badRows.add(number);
        continue;
      }
      const all = rowValues(columns, inBlock);
      if (noAnswer.size > 0) {
        for (const [name, value] of Object.entries(all)) {
          if (isNoAnswer(value, noAnswer)) setOwn(all, name, null);
        }
      }
      yield new ReadRow(context, { line, number }, row, named ? { ...named, ...all } : all);
    }
  }

  /** Finds out how the columns are called in the file that is read. */
  #settle(): void {
    const { wanted } = this.#reader;
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#blank = blankRow(wanted.map(({ target }) => target));
    this.#columns = wanted.map(({ target, column, store, kind }) => {
      const read = kind.read(null, { isText: false });
      const nothing = "value" in read ? read.value : undefined;
      const isNamed = kind.isAnyText === true;
      return { target, column, store, nothing, isKept: this.#isKept(target), isNamed };
    });
  }

  /** Says why a row is no data; keeps in mind one that is none if it is one of the last. */
  #noData(row: Readonly<Record<string, unknown>>, number: number): string | undefined {
    const texts: { readonly column: string; readonly text: string }[] = [];
    let mayBeNone = false;
    for (const { column, target, isNamed } of this.#columns) {
      const text = isNamed ? row[target] : undefined;
      if (typeof text !== "string") continue;
      texts.push({ column, text });
      mayBeNone ||= text === column || text.startsWith("{") || isSummary(text);
    }
    if (!mayBeNone) return undefined;
    const name = texts.find(({ text }) => isSummary(text))?.text;
    if (name !== undefined) {
      const problem = this.#sums.has(name) ? undefined : noData(texts, true);
      this.#sums.set(name, problem === undefined ? undefined : { row: number, problem });
    }
    return noData(texts, false);
  }

  /** Notes rows of the file that was read which sum others up: they are among the last of so many rows. */
  refuseSums(length: number): void {
    const { rows } = this.#reader;
    for (const found of this.#sums.values()) {
      if (found === undefined || length < 2 * mostAtEnd - 1) continue;
      if (found.row >= length - mostAtEnd) rows.add(found.row, found.problem);
    }
    this.#sums = new Map();
  }
}

/** Context that the rows of one file share. */
interface RowsFile {
  readonly name: string;
  readonly isText: boolean;
  readonly problems: { place(row: number): string };
}

/** Most readers of a row ask for some of it: the rest is made when it is asked for. */
class ReadRow<Kinds extends ColumnKinds> implements TableRow<Kinds> {
  readonly #file: RowsFile;
  /** Number of the row among those of all files, from 0. */
  readonly #number: number;
  readonly line: number;
  readonly row: RowOf<Kinds>;
  readonly all: Readonly<Record<string, unknown>>;

  constructor(
    file: RowsFile,
    { line, number }: { readonly line: number; readonly number: number },
    row: RowOf<Kinds>,
    all: Readonly<Record<string, unknown>>,
  ) {
    this.#file = file;
    this.line = line;
    this.#number = number;
    this.row = row;
    this.all = all;
  }

  get name(): string {
    return this.#file.name;
  }

  get isText(): boolean {
    return this.#file.isText;
  }

  get rowName(): string {
    return `row ${this.#number + 1}`;
  }

  get place(): string {
    return this.#file.problems.place(this.#number);
  }
}

/** Takes the cells of one block after the other, and holds those of the last one alone: its rows count from 0. */
class PassingStore implements ColumnStore {
  readonly dictionary = undefined;
  readonly #reading: Reading;
  #store: ColumnStore;
  /** Whether there are more names than are held. */
  #hasForgotten = false;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#store = columnStore(reading);
  }

  take(cells: Cells | undefined, taken: TakenRows): void {
    const { dictionary } = this.#store;
    if (dictionary !== undefined && (dictionary.count > mostNames || dictionary.size > mostHeld)) {
      this.#hasForgotten = true;
      this.#store = columnStore(this.#reading);
    }
    this.#store.take(cells, { ...taken, at: 0 });
  }

  value(row: number, nothing: unknown): unknown {
    return this.#store.value(row, nothing);
  }

  column(length: number) {
    return this.#store.column(length);
  }

  names(most: number): readonly string[] {
    return this.#hasForgotten ? [] : (this.#store.names?.(most) ?? []);
  }
}

/** Bytes of names that are held for the rows that follow. */
const mostHeld = 16_000_000;
