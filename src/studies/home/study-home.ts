import type { Hash } from "../../core/keys.js";
import type { Study } from "../study.js";
import type { ParticipantEvent } from "./participant-event.js";

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

/**
 * Where a study lives: what it was frozen as, and one file or table row set a participant. What
 * resolves is on the disk.
 */
export interface StudyHome {
  readonly study: Study;
  /** Signs sessions, invitations and names of images; 32 random bytes in hexadecimal. */
  readonly secret: string;
  /** What the experimenter's pages are opened with. */
  readonly adminToken: string;
  image(hash: Hash): Promise<Uint8Array>;
  participants(): AsyncIterable<StoredParticipant>;
  /** Writes a participant's first events, and with them that there is such a participant. */
  admit(participant: StoredParticipant): Promise<void>;
  /** @param options.mustLast false for what may be lost in a power cut */
  append(
    participant: string,
    event: ParticipantEvent,
    options?: { readonly mustLast?: boolean },
  ): Promise<void>;
  /** Removes all there is of a participant, and notes that one was. */
  erase(participant: string, removal: Removal): Promise<void>;
  /** Notes that somebody who never was a participant is none. */
  note(removal: Removal): Promise<void>;
  removals(): Promise<readonly Removal[]>;
  /** When the study was closed; undefined while it is open. */
  closedAt(): Promise<number | undefined>;
  close(at: number): Promise<void>;
}
