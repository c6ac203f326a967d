import { readCell } from "./cell-reading.js";
import { absent, type Cells, number } from "./cells.js";
import { NumberTexts, type Refusal, type TakenRows } from "./column-stores.js";
import { isNotAvailable, score } from "./columns.js";
import { quoted } from "./format.js";
import type { FoundColumn } from "./shapes.js";

/** Cells of a further column that are no numbers: as many are kept. */
const mostOdd = 1000;

interface OddCell {
  readonly row: number;
  readonly cell: unknown;
}

/** Collects the numbers of a column that nobody named. */
export class FoundStore {
  readonly #texts = new NumberTexts();
  readonly #noAnswer: ReadonlySet<string>;
  #values = new Float64Array(1024).fill(Number.NaN);
  #count = 0;
  #fractions = 0;
  readonly #held = { dressed: new HeldNumbers(), worded: new HeldNumbers() };
  /** What was read as no answer. */
  readonly words = new Set<string>();
  /** Cells that are neither a number nor nothing, by row. */
  readonly odd: OddCell[] = [];

  constructor(noAnswer: ReadonlySet<string>) {
    this.#noAnswer = noAnswer;
  }

  take(cells: Cells, { rows, count, at, isText }: Omit<TakenRows, "bad">): void {
    for (let place = 0; place < count; place++) {
      const row = rows[place] ?? 0;
      const code = cells.codes[row] ?? absent;
      if (code === absent) continue;
      const value = cells.numbers[row] ?? Number.NaN;
      if (code === number && this.#noAnswer.size === 0 && score.isNumber?.(value) === true) {
        this.#set(at + place, value);
        continue;
      }
      const known = code < 0 ? undefined : this.#texts.find(cells, code);
      const read = known ?? this.#read(cells.value(row), isText);
      if (known === undefined && code >= 0) this.#texts.note(code, read);
      if (typeof read === "number") this.#set(at + place, read);
      else this.#refuse(at + place, read, () => cells.value(row));
    }
  }

  /** Takes one cell. */
  add(row: number, cell: unknown, { isText }: { readonly isText: boolean }): void {
    const read = this.#read(cell, isText);
    if (typeof read === "number") this.#set(row, read);
    else this.#refuse(row, read, () => cell);
  }

  #read(cell: unknown, isText: boolean): number | Refusal {
    const read = readCell(score, cell, { isText }, this.#noAnswer);
    if ("value" in read) {
      if (read.value === null && typeof cell === "string" && isNotAvailable(cell)) {
        this.words.add(cell);
      }
      return typeof read.value === "number" ? read.value : Number.NaN;
    }
    // A model's output for one image, as a tensor's tolist writes it.
    if (Array.isArray(cell) && cell.length === 1 && typeof cell[0] === "number") return "dressed";
    const asText = score.read(cell, { isText: true });
    if ("value" in asText) return Number.isInteger(asText.value ?? 0) ? "refused" : "fraction";
    return (typeof cell === "string" ? dressOf(cell) : undefined) ?? "refused";
  }

  #refuse(row: number, refusal: Refusal, cellOf: () => unknown): void {
    if (this.odd.length < mostOdd) this.odd.push({ row, cell: cellOf() });
    if (refusal === "fraction") this.#fractions += 1;
    if (refusal === "dressed" || refusal === "worded") this.#held[refusal].add(row, cellOf);
  }

  #set(row: number, value: number): void {
    if (row >= this.#values.length) {
      const more = new Float64Array(Math.max(row + 1, 2 * this.#values.length)).fill(Number.NaN);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[row] = value;
    if (!Number.isNaN(value)) this.#count += 1;
  }

  column(name: string, length: number, place: (row: number) => string): FoundColumn {
    let values = this.#values;
    if (values.length < length) {
      values = new Float64Array(length).fill(Number.NaN);
      values.set(this.#values);
    }
    const quote = (odd: OddCell | undefined) => odd && `${quoted(odd.cell)} in ${place(odd.row)}`;
    return {
      name,
      values: values.subarray(0, length),
      count: this.#count,
      odd: quote(this.odd[0]),
      fractionsAsText: this.#fractions,
      dressed: { count: this.#held.dressed.count, first: quote(this.#held.dressed.first) },
      worded: { count: this.#held.worded.count, first: quote(this.#held.worded.first) },
    };
  }
}

/** How many texts hold a number in another form, and the first of them. */
class HeldNumbers {
  count = 0;
  first: OddCell | undefined;

  add(row: number, cellOf: () => unknown): void {
    this.count += 1;
    this.first ??= { row, cell: cellOf() };
  }
}

/** 71.2 %, 0,712, 1,234.0, [0.712], (0.712,), tensor(0.712), ="0.712", '0.712, 0.712 ± 0.01 and −0.712. */
const dressed =
  /^(?:(?:tensor|array|np\.float\d*)\(|\[|\(|=?"|'|[$€£])*\s*[-+\u2212]?(?:\d{1,3}(?:[,' \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?:e[-+]?\d+)?\s*%?(?:\s*(?:±|\+\/-)\s*\d*[.,]?\d+)?\s*(?:[)\]"',]+|, *(?:device|dtype|grad_fn)[^,]*)*$/i;

/** 0.712 pts, score: 0.712, {"score": 0.712} and 4/5, which may be something else. */
const worded = [
  /^[-+]?\d*\.\d+ ?[\p{L}°]+\.?$/u,
  /^[\p{L}_ -]+[:=] ?[-+]?\d*\.?\d+$/u,
  /^\{"\w+": ?[-+]?\d*\.?\d+\}$/,
  /^\d+(?:\.\d+)? ?\/ ?\d+$/,
];

/** How a text that is no number holds one: as somebody prints it, or among words; undefined where it holds none. */
function dressOf(text: string): "dressed" | "worded" | undefined {
  const trimmed = text.trim();
  if (dressed.test(trimmed)) return "dressed";
  return worded.some((each) => each.test(trimmed)) ? "worded" : undefined;
}
