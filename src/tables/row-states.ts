import { shellWord } from "../core/shell-word.js";
import type { Cells } from "./cells.js";
import { quoted } from "./format.js";
import { nameText } from "./nested-value.js";
import { plainName } from "./other-names.js";

/** A column of a platform with states of rows, in small letters. */
interface StateColumn {
  /** States that whoever collected the rows would leave out. */
  readonly leftOut: readonly string[];
  /** The others that the platform writes: a column of other words is not the platform's. */
  readonly others: readonly string[];
}

const columns: Readonly<Record<string, StateColumn>> = {
  // Mechanical Turk, Toloka
  AssignmentStatus: { leftOut: ["rejected"], others: ["approved", "submitted"] },
  "ASSIGNMENT:status": {
    leftOut: ["rejected"],
    others: ["approved", "submitted", "active", "skipped", "expired"],
  },
  // Qualtrics
  DistributionChannel: {
    leftOut: ["preview"],
    others: ["anonymous", "email", "gl", "qr", "sms", "social", "test"],
  },
  Finished: { leftOut: ["false", "0"], others: ["true", "1"] },
  // Qualtrics, Prolific
  Status: {
    leftOut: ["survey preview", "spam", "rejected", "returned", "timed-out"],
    others: ["ip address", "imported", "approved", "awaiting review", "active", "submitted"],
  },
  // Label Studio
  was_cancelled: { leftOut: ["true", "1"], others: ["false", "0"] },
  // Weights & Biases
  State: { leftOut: ["crashed", "failed", "killed"], others: ["finished", "running"] },
};
const states = new Map(Object.entries(columns).map(([name, of]) => [plainName(name), of]));

/** Counts rows that a platform marks as rejected, as a preview or the like, and that are read all the same. */
export class RowStates {
  readonly #found = new Map<string, Found>();

  /** Whether a column of this name may say so. */
  asks = (column: string): boolean => states.has(plainName(column));

  note(column: string, cells: Cells, rows: Iterable<number>): void {
    const state = states.get(plainName(column));
    const found = this.#found.get(column) ?? { leftOut: new Map(), known: 0, filled: 0 };
    for (const row of rows) {
      const value = nameText(cells.value(row));
      const word = value.toLowerCase();
      const isLeftOut = state?.leftOut.includes(word) === true;
      if (value !== "") found.filled += 1;
      if (isLeftOut || state?.others.includes(word) === true) found.known += 1;
      if (isLeftOut) found.leftOut.set(value, (found.leftOut.get(value) ?? 0) + 1);
    }
    this.#found.set(column, found);
  }

  /**
   * A sentence for each column and value.
   *
   * @param canFilter whether whoever reads it has the flag that leaves rows out
   */
  *sentences(canFilter: boolean): Generator<string> {
    for (const [column, { leftOut, known, filled }] of this.#found) {
      if (2 * known < filled) continue;
      for (const [value, rows] of leftOut) {
        const flag = `; to leave out: --where ${shellWord(`${column}!=${value}`)}`;
        const found = `${rows === 1 ? "1 row counts" : `${rows} rows count`} though ${column} is ${quoted(value)}`;
        yield `${found}${canFilter ? flag : ""}`;
      }
    }
  }
}

interface Found {
  /** Number of rows of each state that is left out elsewhere. */
  readonly leftOut: Map<string, number>;
  /** Rows with a state that the platform writes, and with any. */
  known: number;
  filled: number;
}
