import { z } from "zod";
import type { JsonObject } from "../../core/json.js";
import type { ParticipantEvent } from "./participant-event.js";

/** The outside name of a participant, such as Prolific's; never part of an export. */
export interface OutsideId {
  readonly source: string;
  readonly id: string;
  /** The platform's id of the study, such as STUDY_ID. */
  readonly study?: string | undefined;
  /** The platform's id of this part in it, such as SESSION_ID: what is paid for. */
  readonly session?: string | undefined;
}

export const outsideSchema = z.object({
  source: z.string(),
  id: z.string(),
  study: z.string().optional(),
  session: z.string().optional(),
});

/** Somebody who agreed to take part, with all that they did. */
export interface StoredParticipant {
  /** `p-` and random letters. */
  readonly id: string;
  readonly events: readonly ParticipantEvent[];
  readonly outside: OutsideId | undefined;
  readonly drafts?: Drafts | undefined;
}

/** What somebody has not sent yet, by assignment, as their page left it. */
export type Drafts = Readonly<Record<string, JsonObject>>;

export const draftsSchema = z.record(
  z.string(),
  z.record(z.string(), z.json()),
) as unknown as z.ZodType<Drafts>;

export const removalReasons = ["declined", "screened-out", "quota-full", "erased"] as const;

/** Why there is nothing of somebody who came. */
export type RemovalReason = (typeof removalReasons)[number];

/** All that is kept of somebody who declined, was screened out or was erased. */
export interface Removal {
  readonly at: number;
  readonly reason: RemovalReason;
  /** SHA-256 of the random bits of their sessions, so that these can't begin anew. */
  readonly proofs: readonly string[];
  /** Keyed hash of an outside id that was turned away by its answers, and SHA-256 of a used invitation. */
  readonly barred?: readonly string[] | undefined;
}

export const removalSchema = z.object({
  at: z.int(),
  reason: z.enum(removalReasons),
  proofs: z.array(z.string()),
  barred: z.array(z.string()).optional(),
});

/** Change of a study while it is served. All changes in order come to its state. */
export type StudyChange =
  /** Somebody agreed to take part: their first events, and with them that there is such a participant. */
  | { readonly change: "admitted"; readonly participant: StoredParticipant }
  | {
      readonly change: "event";
      readonly participant: string;
      readonly event: ParticipantEvent;
      /** False for what may be lost in a power cut. */
      readonly mustLast?: boolean;
    }
  /** All drafts that somebody has now, in place of those of before. */
  | { readonly change: "drafts"; readonly participant: string; readonly drafts: Drafts }
  | {
      readonly change: "removed";
      readonly removal: Removal;
      /** Of whom all there is is removed; not given where they never were one, or when it is read. */
      readonly participant?: string;
    }
  | { readonly change: "closed"; readonly at: number };
