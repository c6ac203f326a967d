import { decimalNumber } from "../core/read-json.js";
import { textOf } from "./dictionary.js";

/** A number as programs write it in countries with decimal commas, or with points between thousands. */
const foreignNumber = /"[-+]?(?:[\d.]*,\d+ ?%?|\d{1,3}(?:\.\d{3}){2,})"/;

/** What to write in place of a cell that a message quotes; undefined where its form is another. */
export const decimalCommaHint = (message = ""): string | undefined =>
  foreignNumber.test(message)
    ? 'Write numbers with a decimal point and nothing between thousands (pandas: pd.read_csv(…, decimal=","), and ' +
      'thousands="." where 1.000 is a thousand; then to_csv).'
    : undefined;

const point = 46;

/**
 * Watches the points of a column in a table that semicolons separate, as spreadsheets write it where 1.000 is a
 * thousand: one that stands otherwise, as in 0.712 or 1.25, is a decimal point, and so are the others then.
 */
export class PointWatch {
  #example: string | undefined;
  #isDecimal = false;

  /** Looks at a cell, the bytes from `from` to `to`. */
  look(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isDecimal) return;
    let at = from;
    while (at < to && bytes[at] !== point) at += 1;
    if (at === to) return;
    const text = textOf(bytes, from, to).trim();
    if (/^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(text)) this.#example ??= text;
    else if (decimalNumber(text) !== undefined) this.#isDecimal = true;
  }

  /** Says how the column was read, where it may mean something else. */
  sentence(column: string): string | undefined {
    if (this.#isDecimal || this.#example === undefined) return undefined;
    const text = this.#example;
    return (
      `${column} has numbers such as ${text} in a table of semicolons, read as ${Number(text)}; ` +
      `where points set thousands apart, write ${text.replace(".", "")}`
    );
  }
}

/** The watches of a table's columns, over all its files. */
export class PointWatches {
  readonly #watches = new Map<string, PointWatch>();

  of(column: string): PointWatch {
    const watch = this.#watches.get(column) ?? new PointWatch();
    this.#watches.set(column, watch);
    return watch;
  }

  sentences(columns: readonly string[]): string[] {
    return [...new Set(columns)].flatMap((column) => this.of(column).sentence(column) ?? []);
  }
}
