import { z } from "zod";
import { jsonObject } from "../../core/record-schema.js";
import { protocolNames } from "../protocols/protocols.js";

/** Milliseconds since 1970. */
const at = z.int().nonnegative();

const assignment = {
  /** Names the assignment to the person's browser. */
  assignment: z.string(),
  block: z.string(),
  item: z.string(),
  kind: z.enum(["item", "gold", "repeat", "practice"]),
  swapped: z.boolean(),
};

/** The item shown when something was said or noted; null where there was none. */
const during = { assignment: z.string().nullable(), step: z.int().nonnegative() };

/**
 * An act of one participant: a line of their file each, in order. The first is their consent;
 * nothing is written before it.
 */
export const participantEvent = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("consent"),
    at,
    /** The version of the text that was agreed to. */
    version: z.string(),
    /** Ticked boxes of that text, where it has any. */
    boxes: z.int().positive().optional(),
    /** The how-manieth person to join, from 0. */
    ordinal: z.int().nonnegative(),
    /** SHA-256 of the session's random bits: who has these bits has the session. */
    proof: z.string(),
    /** The participant who came first with the same outside id: the same person, seen as two. */
    sameAs: z.string().optional(),
    /** SHA-256 of the invitation that was used, where one was. */
    invitation: z.string().optional(),
    /** Where consent and answers were collected, where that was not here. */
    elsewhere: z.string().optional(),
  }),
  /** Somebody came back by a signed link and has a session with random bits of its own. */
  z.object({ event: z.literal("session"), at, proof: z.string() }),
  z.object({ event: z.literal("background"), at, answers: jsonObject }),
  z.object({ event: z.literal("opened"), at, ...assignment }),
  z.object({
    event: z.literal("answer"),
    at,
    ...assignment,
    protocol: protocolNames,
    /** 1, 2, …: a correction is a further answer to the same assignment; the latest counts. */
    attempt: z.int().positive(),
    /** In the item's own terms; null where it was skipped. */
    answer: jsonObject.nullable(),
    /** As the participant gave it; null where it was skipped. */
    given: jsonObject.nullable(),
    note: z.string().optional(),
    /** From the item's first sight to its answer, as the browser says. */
    milliseconds: z.number().nonnegative().optional(),
  }),
  /** Moderated: where the facilitator led them; null where nothing is left. */
  z.object({
    event: z.literal("shown"),
    at,
    ...during,
  }),
  /** The facilitator's note; the same id again is a correction, and the latest counts. */
  z.object({
    event: z.literal("note"),
    at,
    id: z.string(),
    text: z.string(),
    codes: z.array(z.string()),
    ...during,
  }),
  /** Words said, as a recording's transcript has them. */
  z.object({
    event: z.literal("transcript"),
    at,
    name: z.string(),
    /** The subject of all of it; else each utterance says by its time what was shown. */
    query: z.string().optional(),
    /** When its time 0 was. */
    begunAt: at.optional(),
    utterances: z.array(
      z.object({
        speaker: z.string(),
        /** Seconds since its beginning. */
        at: z.number().nonnegative().optional(),
        text: z.string(),
      }),
    ),
  }),
  z.object({ event: z.literal("finished"), at }),
  z.object({ event: z.literal("withdrawn"), at }),
]);

export type ParticipantEvent = z.output<typeof participantEvent>;
export type EventOf<Name extends ParticipantEvent["event"]> = Extract<
  ParticipantEvent,
  { event: Name }
>;
