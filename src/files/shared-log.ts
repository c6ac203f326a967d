import type { BlobStore } from "../core/record-store.js";

/** One thing that was appended to a log. */
export interface LogEntry {
  /** Whose it is: all entries of one owner can be removed. Null: nobody's. */
  readonly owner: string | null;
  readonly text: string;
  /** Data kept apart from the entries, so that not everybody who may read these may read it. */
  readonly aside?: string | undefined;
}

/** Entries in order, and up to where they go. */
export interface LogEntries {
  readonly entries: readonly LogEntry[];
  readonly upTo: number;
}

/** Entries to append and to remove at once, all of it or nothing. */
export interface LogChange {
  /** Owners whose entries of before are removed, and not those of this change. */
  readonly replace: readonly string[];
  readonly append: readonly LogEntry[];
  /** Owners whose entries are removed, those of this change included. */
  readonly remove: readonly string[];
}

/**
 * A log that several processes append to in turns, with texts and bytes beside it. A study in a database
 * is one.
 */
export interface SharedLog {
  /** Names the place to people: without a password. */
  readonly place: string;
  readonly blobs: Pick<BlobStore, "write" | "read">;
  /** Whether the log was begun. */
  exists(): Promise<boolean>;
  /** The text of this name; undefined where there is none. */
  text(name: string): Promise<string | undefined>;
  /** Replaces a text, or adds it. Makes the log where there is none: images come before `begin`. */
  write(name: string, text: string): Promise<void>;
  /** Entries appended after `since`, as far as they were not removed; 0 is the beginning. */
  after(since: number): Promise<LogEntries>;
  /**
   * Appends while nobody else does: `decide` is told, once, what others appended after `since`. It is
   * stored when this resolves; where this rejects nobody knows.
   *
   * @returns up to where the log goes then
   */
  turn(since: number, decide: (others: readonly LogEntry[]) => LogChange): Promise<number>;
  /** Frees what was removed. Returns, a sentence each, what it could not reach. */
  reclaim(): Promise<readonly string[]>;
}
