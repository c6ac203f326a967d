import type { AsyncBuffer } from "hyparquet";
import { formatByEnding, type TableFormat } from "./format.js";

/** The bytes of a table, from a file, a stream or memory. */
export interface TableBytes {
  /** For messages. */
  readonly name: string;
  /** Default: by the first bytes. */
  readonly format?: TableFormat | undefined;
  /** The bytes from the start. */
  open(): AsyncIterable<Uint8Array>;
  /** Any part of them, for Parquet, whose index stands at the end; without it all is held. */
  parts?(): Promise<AsyncBuffer>;
  /** Whether `open` gives the bytes only once, as a pipe does. */
  readonly isOnce?: boolean;
}

/**
 * A table in memory, such as a file that was dropped on a page.
 *
 * @example
 * tableRows({ source: tableOf("scores.csv", "id,score\n1,0.5\n"), columns: { id: text, score } })
 */
export function tableOf(name: string, content: string | Uint8Array): TableBytes {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    name,
    format: formatByEnding(name),
    async *open() {
      yield bytes;
    },
  };
}

/** Pieces of bytes as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
