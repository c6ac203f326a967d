import type { Hash } from "../../core/keys.js";
import type { Served } from "../server/served-study.js";
import type { Study } from "../study.js";
import type { ParticipantEvent } from "./participant-event.js";
import type { StudyChange } from "./study-change.js";

/** The outside name of a participant, such as Prolific's; never part of an export. */
export interface OutsideId {
  readonly source: string;
  readonly id: string;
}

/** Somebody who agreed to take part, with all that they did. */
export interface StoredParticipant {
  /** `p-` and random letters. */
  readonly id: string;
  readonly events: readonly ParticipantEvent[];
  readonly outside: OutsideId | undefined;
}

export const removalReasons = ["declined", "screened-out", "quota-full", "erased"] as const;

/** Why there is nothing of somebody who came. */
export type RemovalReason = (typeof removalReasons)[number];

/** All that is kept of somebody who declined, was screened out or was erased. */
export interface Removal {
  readonly at: number;
  readonly reason: RemovalReason;
  /** SHA-256 of the random bits of their sessions, so that these can't begin anew. */
  readonly proofs: readonly string[];
}

/** A run that took the answers of a block over, and the words after `touchstone` by which it did. */
export interface NotedRun {
  readonly run: string;
  readonly block: string;
  readonly command: readonly string[];
}

/** Changes, and up to where they go: what comes later is read from there. */
export interface ChangesUpTo {
  readonly changes: readonly StudyChange[];
  readonly upTo: number;
}

/**
 * Where a study lives: what it was frozen as, and what changed since. A folder is changed by one
 * process at a time, a database by as many as like.
 */
export interface StudyHome {
  /** Names the place to people. */
  readonly place: string;
  readonly study: Study;
  /** Signs sessions, invitations and names of images; 32 random bytes in hexadecimal. */
  readonly secret: string;
  /** What the experimenter's pages are opened with. */
  readonly adminToken: string;
  image(hash: Hash): Promise<Uint8Array>;
  /** What changed after `since`, in order; 0 is the beginning. */
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
  /** Whether others may change the study meanwhile, so that `changes` has news. */
  readonly isShared: boolean;
  /** The process that alone may change it now; undefined where anybody may. */
  soleServer(): Promise<Served | undefined>;
  /** Notes that a run takes answers over, so that who is erased can be erased there, too. */
  noteRun(noted: NotedRun): Promise<void>;
  runs(): Promise<readonly NotedRun[]>;
  /**
   * Frees what was removed, so that nobody can read it where the study lies. Returns, a sentence each, what
   * it could not reach.
   */
  reclaim(): Promise<readonly string[]>;
  /** Closes what is open; what was acknowledged is kept already. */
  end(): Promise<void>;
}
