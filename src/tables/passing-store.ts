import type { Reading } from "./cell-reading.js";
import type { Cells } from "./cells.js";
import { type ColumnStore, columnStore, type TakenRows } from "./column-stores.js";
import { mostNames } from "./no-data.js";

/** Takes the cells of one block after the other, and holds those of the last one alone: its rows count from 0. */
export class PassingStore implements ColumnStore {
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
