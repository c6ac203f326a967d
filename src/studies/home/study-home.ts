import { z } from "zod";
import type { Hash } from "../../core/keys.js";
import type { Served } from "../server/served-study.js";
import type { FrozenStudy } from "./frozen-study.js";
import type { StudyChange } from "./study-change.js";
import type { StudyState } from "./study-state.js";

/** A run that took the answers of a block over, and the words after `touchstone` by which it did. */
export interface NotedRun {
  readonly run: string;
  readonly block: string;
  readonly command: readonly string[];
}

export const notedRunSchema = z.object({
  run: z.string(),
  block: z.string(),
  command: z.array(z.string()),
});

/** Changes, and up to where they go: what comes later is read from there. */
export interface ChangesUpTo {
  readonly changes: readonly StudyChange[];
  readonly upTo: number;
}

/**
 * The store of a study: its config and items, which never change once it is created, and the events since. One
 * process at a time changes a folder, any number change a database. Nothing stays open between calls, so there is
 * no `close`; whoever begins to serve the study ends serving it.
 */
export interface StudyHome extends FrozenStudy {
  /** Names the place to people. */
  readonly place: string;
  image(hash: Hash): Promise<Uint8Array>;
  /** Changes after `since`, in order; 0 is the beginning. */
  changes(since: number): Promise<ChangesUpTo>;
  /**
   * Changes the study while nobody else does: `decide` is told, once, what others changed after `since`, and
   * what it returns is stored, all of it or nothing, when this resolves. Where it rejects nobody knows.
   *
   * @returns up to where the changes are known then
   */
  turn(
    since: number,
    decide: (others: readonly StudyChange[]) => readonly StudyChange[],
  ): Promise<number>;
  /** Whether nothing is stored: who takes part only looks. */
  readonly isPreview?: true;
  /** Whether others may change the study meanwhile, so that `changes` has news. */
  readonly isShared: boolean;
  /** The process that alone may change it now; undefined where anybody may. */
  soleServer(): Promise<Served | undefined>;
  /**
   * Makes this process the one that serves the study, until `endServing`; where a study is shared, one of them.
   *
   * @throws InputError where another process serves it alone.
   */
  beginServing(): Promise<void>;
  /** Notes where this process, which serves the study, is reached. */
  noteServing(url: string): Promise<void>;
  endServing(): Promise<void>;
  /** Removes what a killed server left half done, by the state of before anything else is done. */
  mend(state: StudyState): Promise<void>;
  /** Notes that a run takes answers over, so that who is erased can be erased there, too. */
  noteRun(noted: NotedRun): Promise<void>;
  runs(): Promise<readonly NotedRun[]>;
  /**
   * Frees what was removed, so that nobody can read it where the study lies. Returns, a sentence each, what
   * it could not reach.
   */
  reclaim(): Promise<readonly string[]>;
}
