import type { JsonObject } from "../../core/json.js";
import type { StudySettings } from "../config/study-config.js";
import type { ParticipantState } from "../home/study-state.js";

/**
 * Whether background answers let somebody in; else why not. A quota is full when so many people with
 * the same answer were let in before, the study when `participants` were.
 *
 * @param options.admitted those who were let in before, each person once
 */
export function screened(
  settings: StudySettings,
  {
    answers,
    admitted,
  }: { readonly answers: JsonObject; readonly admitted: readonly ParticipantState[] },
): "in" | "screened-out" | "quota-full" {
  const given = new Map(Object.entries(answers));
  for (const { name, accept } of settings.screening) {
    const answer = given.get(name);
    if (typeof answer !== "string" || !accept.includes(answer)) return "screened-out";
  }
  for (const { name, quotas } of settings.screening) {
    const most = new Map(Object.entries(quotas ?? {})).get(String(given.get(name)));
    const alike = admitted.filter(({ background }) => background?.[name] === given.get(name));
    if (most !== undefined && alike.length >= most) return "quota-full";
  }
  return isFull(settings, admitted) ? "quota-full" : "in";
}

/** Whether as many were let in as the study wants. */
export const isFull = (
  { participants = Number.POSITIVE_INFINITY }: StudySettings,
  admitted: readonly ParticipantState[],
): boolean => admitted.length >= participants;

/**
 * Those who were let in here and keep their place, each person once: let in by consent, or where a study
 * screens by their answers.
 *
 * @param options.now milliseconds since 1970
 */
export function admittedTo(
  settings: StudySettings,
  {
    participants,
    now,
  }: { readonly participants: Iterable<ParticipantState>; readonly now: number },
): readonly ParticipantState[] {
  const people = new Map<string, ParticipantState>();
  for (const one of participants) {
    const isIn = settings.screening.length === 0 || one.background !== undefined;
    if (isIn && one.elsewhere === undefined && keepsPlace(settings, one, now)) {
      people.set(one.person, one);
    }
  }
  return [...people.values()];
}

/** Whoever has not begun, or left in the midst of it, keeps a place for a while; others for good. */
function keepsPlace(
  { placeHours }: StudySettings,
  { isFinished, isWithdrawn, open, assignments, seenAt }: ParticipantState,
  now: number,
): boolean {
  const isInTheMidst = open !== undefined || assignments.size === 0;
  return isFinished || isWithdrawn || !isInTheMidst || now - seenAt < placeHours * 3_600_000;
}
