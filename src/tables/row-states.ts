import { shellWord } from "../core/shell-word.js";
import type { Cells } from "./cells.js";
import { quoted } from "./format.js";
import { nameText } from "./nested-value.js";
import { plainName } from "./other-names.js";

/** States of rows, by their columns, that whoever collected the rows would leave out; in small letters. */
const leftOut: readonly (readonly [column: string, values: readonly string[]])[] = [
  // Mechanical Turk, Toloka
  ["AssignmentStatus", ["rejected"]],
  ["ASSIGNMENT:status", ["rejected"]],
  // Qualtrics
  ["DistributionChannel", ["preview"]],
  ["Finished", ["false", "0"]],
  // Qualtrics, Prolific
  ["Status", ["survey preview", "spam", "rejected", "returned", "timed-out"]],
  // Label Studio
  ["was_cancelled", ["true", "1"]],
  // Weights & Biases
  ["State", ["crashed", "failed", "killed"]],
];
const states = new Map(leftOut.map(([column, values]) => [plainName(column), values]));

/** Counts rows that a platform marks as rejected, as a preview or the like, and that are read all the same. */
export class RowStates {
  readonly #found = new Map<string, Map<string, number>>();

  /** Whether a column of this name may say so. */
  asks = (column: string): boolean => states.has(plainName(column));

  note(column: string, cells: Cells, rows: Iterable<number>): void {
    const values = states.get(plainName(column)) ?? [];
    const found = this.#found.get(column) ?? new Map<string, number>();
    for (const row of rows) {
      const value = nameText(cells.value(row));
      if (values.includes(value.toLowerCase())) found.set(value, (found.get(value) ?? 0) + 1);
    }
    this.#found.set(column, found);
  }

  /**
   * A sentence for each column and value.
   *
   * @param canFilter whether whoever reads it has the flag that leaves rows out
   */
  *sentences(canFilter: boolean): Generator<string> {
    for (const [column, values] of this.#found) {
      for (const [value, rows] of values) {
        const flag = `; to leave out: --where ${shellWord(`${column}!=${value}`)}`;
        const found = `${rows === 1 ? "1 row counts" : `${rows} rows count`} though ${column} is ${quoted(value)}`;
        yield `${found}${canFilter ? flag : ""}`;
      }
    }
  }
}
