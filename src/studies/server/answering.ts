import type { z } from "zod";
import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { ParticipantState } from "../home/study-state.js";
import type { ParticipantItems } from "./participant-items.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import type { Shown } from "./showings.js";

/**
 * Takes an answer: the same again changes nothing, another is a correction. What was expected of a practice
 * item is told with it.
 */
export function answer(
  sessions: ParticipantSessions,
  {
    session,
    body,
    items,
  }: { readonly session: string; readonly body: unknown; readonly items: ParticipantItems },
): Promise<JsonObject> {
  return sessions.decide(() => {
    const participant = sessions.participant(session);
    sessions.refuseUnscreened(participant);
    const request = checked(requests.answer, body);
    const shown = items.own(participant, request.assignment);
    takeAnswer(sessions, { participant, shown, request });
    return { accepted: true, ...feedbackOn(shown, request) };
  });
}

/** What is told of a practice item once it is answered; `right` is null where it was skipped. */
function feedbackOn(
  { assignment, protocol, showing: { item } }: Shown,
  request: z.output<typeof requests.answer>,
): { readonly feedback?: JsonObject } {
  const { known: expected, feedback: text } = item;
  if (assignment.kind !== "practice" || expected === undefined) return {};
  // Its sides are never exchanged: what is recorded is what was given.
  const right =
    "answer" in request ? protocol.value(request.answer) === protocol.value(expected) : null;
  return { feedback: { right, expected, ...(text === undefined ? {} : { text }) } };
}

/** Writes an answer to what a participant was shown. @throws StudyError 400 where it is none. */
export function takeAnswer(
  sessions: ParticipantSessions,
  {
    participant,
    shown,
    request,
  }: {
    readonly participant: ParticipantState;
    readonly shown: Shown;
    readonly request: z.output<typeof requests.answer>;
  },
): void {
  const { protocol, showing } = shown;
  const given = "answer" in request ? request.answer : null;
  const answer =
    given === null ? null : protocol.recorded(checked(protocol.answer(showing), given), showing);
  const earlier = participant.assignments.get(shown.name)?.answers ?? [];
  const latest = earlier.at(-1);
  const isSame =
    latest !== undefined &&
    canonicalJson([latest.answer, latest.note ?? null]) ===
      canonicalJson([answer, request.note ?? null]);
  const { block, item, kind, swapped } = shown.assignment;
  if (!isSame) {
    sessions.write(participant, {
      event: "answer",
      at: sessions.clock(),
      assignment: shown.name,
      block,
      item,
      kind,
      swapped,
      protocol: showing.settings.protocol,
      attempt: earlier.length + 1,
      answer,
      given,
      ...(request.note === undefined ? {} : { note: request.note }),
      ...(request.milliseconds === undefined ? {} : { milliseconds: request.milliseconds }),
    });
  }
  sessions.keepDraft(participant, shown.name, null);
}
