import { InputError } from "../core/errors.js";
import { listText } from "../core/phrases.js";
import { type BadCell, badCellText } from "./cell-reading.js";
import { decimalCommaHint } from "./decimal-comma.js";
import type { OpenTable } from "./open-table.js";

/** A name of what stands in a list or an object, of whose JSON the beginning is given: an image's path, or the first. */
function memberIn(cell: string): string | undefined {
  if (/^\[[^\]]/.test(cell)) return "0";
  return /^\{"bytes":|"path":/.test(cell) ? "path" : /^\{"(\w+)":/.exec(cell)?.[1];
}

/** What is wrong with a row, and where it stands. */
interface Problem {
  readonly file: number;
  readonly line: number;
  text: string;
}

/** Where the rows of a table stand in its files, and what is wrong with them. */
export class RowProblems {
  readonly files: OpenTable[] = [];
  /** Number of the first row of each file. */
  readonly starts: number[] = [];
  #lines = new Int32Array(1024);
  readonly #problems: Problem[] = [];
  /** Columns whose numbers are text in a format that has numbers: one problem for each column and file. */
  #asText = new Map<string, { readonly problem: Problem; readonly at: string; rows: number }>();
  readonly #textColumns = new Set<string>();
  #hint: string | undefined;
  readonly #areSeveral: boolean;

  /** @param areSeveral whether the rows are those of several files, so that places name them. */
  constructor(areSeveral: boolean) {
    this.#areSeveral = areSeveral;
  }

  /** The rows from number `start` on are those of a file. */
  open(file: OpenTable, start: number): void {
    this.files.push(file);
    this.starts.push(start);
    this.#asText = new Map();
  }

  /** Makes room for so many rows. */
  reserve(length: number): void {
    if (length <= this.#lines.length) return;
    const more = new Int32Array(Math.max(length, 2 * this.#lines.length));
    more.set(this.#lines);
    this.#lines = more;
  }

  setLine(row: number, line: number): void {
    this.#lines[row] = line;
  }

  /** Place of a row's file in `files`. */
  fileOf(row: number): number {
    let file = this.starts.length - 1;
    while (file > 0 && (this.starts[file] ?? 0) > row) file -= 1;
    return file;
  }

  /** Where a row stands, with its file where there are several: "line 3 of a.csv". */
  place(row: number): string {
    const name = this.#areSeveral ? ` of ${this.nameOf(row)}` : "";
    return `line ${this.#lines[row]}${name}`;
  }

  /** Where a row stands, seen from another one: its file is named where that is not the same. */
  placeFrom(row: number, other: number): string {
    const file = this.fileOf(row);
    const name = file === this.fileOf(other) ? "" : ` of ${this.nameOf(row)}`;
    return `${this.#unit(file)} ${this.#lines[row]}${name}`;
  }

  /** The name of a row's file. */
  nameOf(row: number): string {
    return this.files[this.fileOf(row)]?.source.name ?? "";
  }

  line(row: number): number {
    return this.#lines[row] ?? 0;
  }

  /** What is wrong with a row that was taken. */
  add(row: number, problem: string, hint?: string): void {
    this.#hint = hint ?? this.#hint;
    const file = this.fileOf(row);
    this.addLine(this.line(row), problem, { file });
  }

  /** What is wrong with a line, by default of the last file. */
  addLine(
    line: number,
    problem: string,
    {
      file = this.files.length - 1,
      key,
    }: { readonly file?: number; readonly key?: string | undefined } = {},
  ): void {
    this.#problems.push({ file, line, text: `${problem} ${this.#at(file, line, key)}` });
  }

  /** What is wrong with a cell of the last file. Numbers that are text are one problem for each column. */
  addCell(line: number, key: string | undefined, cell: BadCell): void {
    const file = this.files.length - 1;
    const { column, expected, text } = cell;
    const known = text === undefined ? undefined : this.#asText.get(column);
    if (known !== undefined) {
      known.rows += 1;
      this.#textColumns.add(column);
      known.problem.text = `Expected ${expected} for ${column} but received text in ${known.rows} rows, such as ${known.at}`;
      return;
    }
    const at = this.#at(file, line, key);
    const problem = { file, line, text: `${badCellText(cell)} ${at}` };
    this.#problems.push(problem);
    if (text !== undefined) this.#asText.set(column, { problem, at: `${text} ${at}`, rows: 1 });
  }

  /**
   * @param name the table's.
   * @param hintOf a way out for all these problems; undefined where it knows none.
   * @throws InputError with all that is wrong, in the order of files and lines.
   */
  async refuse(
    name: string,
    hintOf: (problems: readonly string[]) => Promise<string | undefined>,
  ): Promise<void> {
    if (this.#problems.length === 0) return;
    const problems = this.#problems
      .sort((one, other) => one.file - other.file || one.line - other.line)
      .map(({ text }) => text);
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    throw new InputError(`Expected a sound table but found ${count} in ${name}`, {
      problems,
      hint: `Nothing was computed. ${(await hintOf(problems)) ?? this.#wayOut(problems)}`,
    });
  }

  #wayOut(problems: readonly string[]): string {
    if (this.#hint !== undefined) return this.#hint;
    if (this.#textColumns.size > 0) {
      return `Store ${listText([...this.#textColumns])} as numbers, and no answer as null.`;
    }
    for (const problem of problems) {
      const hint = problem.includes(" a number ") ? decimalCommaHint(problem) : undefined;
      if (hint !== undefined) return hint;
    }
    const [, column, cell = ""] =
      /^Expected text for (\S+) but received ([[{].*)/s.exec(problems[0] ?? "") ?? [];
    const member = memberIn(cell);
    if (member !== undefined) {
      return `Name what stands within ${column}: --map NAME=${column}.${member}`;
    }
    if (problems.every((problem) => hasOneMore(problem))) {
      return (
        "Every row has one field more than the header: name the first column, or leave it out " +
        "(R: write.csv(…, row.names = FALSE)), or remove a comma at the end of the rows."
      );
    }
    return "Correct or remove these rows, then run the command again.";
  }

  #at(file: number, line: number, key?: string): string {
    const name = this.files[file]?.source.name;
    return `(in ${name}, ${this.#unit(file)} ${line}${key ? `, key ${key.slice(0, 60)}` : ""})`;
  }

  #unit(file: number): "row" | "line" {
    return ["parquet", "json"].includes(this.files[file]?.format ?? "") ? "row" : "line";
  }
}

/** Whether a row has a field more than the header, as R writes names of rows. */
function hasOneMore(problem: string): boolean {
  const [, expected, received] = /^Expected (\d+) fields.* received (\d+)/.exec(problem) ?? [];
  return expected !== undefined && Number(received) === Number(expected) + 1;
}
