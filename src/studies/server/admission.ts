import { canonicalJson, type JsonObject } from "../../core/json.js";
import { consentBoxes } from "../config/consent-boxes.js";
import type { StudySettings } from "../config/study-config.js";
import type { EventOf } from "../home/participant-event.js";
import type { ParticipantState } from "../home/study-state.js";
import { usedInvitation } from "./joining.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import { proofOf } from "./signed-tokens.js";
import { endOf, isTurnedAway, turnedAway } from "./study-ends.js";
import { StudyError } from "./study-error.js";

/** Records that somebody consented or declined. */
export async function consent(
  sessions: ParticipantSessions,
  session: string,
  body: unknown,
): Promise<JsonObject> {
  const { home } = sessions;
  const token = sessions.token(session);
  const { version, agreed, boxes = [] } = checked(requests.consent, body);
  const proof = proofOf(token.bits);
  return sessions.decide(() => {
    const { state } = sessions;
    if (state.participantBy(proof) !== undefined) return { accepted: true };
    const { consent: text, settings } = home.study;
    const gone = state.removalOf(proof);
    if (agreed && gone === "quota-full") return turnedAway(gone, home.study);
    if (agreed || gone !== "declined") sessions.refuseRemoved(proof);
    if (!agreed) {
      if (gone === undefined) sessions.note("declined", proof);
      return { declined: true, ...endOf(settings.codes.declined) };
    }
    if (version !== text.version) {
      throw new StudyError(409, "consent-version", "The consent text is another one by now.");
    }
    if (state.closedAt !== undefined) {
      throw new StudyError(403, "closed", "This study is closed.");
    }
    const needed = consentBoxes(text.text).length;
    if (boxes.length !== needed || boxes.includes(false)) {
      throw new StudyError(400, "boxes-missing", `Expected ${needed} ticked boxes of the consent.`);
    }
    if (token.outside !== undefined) sessions.refuseBarred(sessions.markOf(token.outside));
    if (token.invitation !== undefined) {
      sessions.refuseBarred(token.invitation);
      if (state.isUsed(token.invitation)) throw usedInvitation();
    }
    const first = token.outside === undefined ? undefined : state.participantFrom(token.outside);
    if (first === undefined && isFull(settings, admittedNow(sessions))) {
      sessions.note("quota-full", proof);
      return turnedAway("quota-full", home.study);
    }
    const event: EventOf<"consent"> = {
      event: "consent",
      at: sessions.clock(),
      version,
      ...(needed === 0 ? {} : { boxes: needed }),
      ordinal: first?.ordinal ?? state.nextOrdinal,
      proof,
      ...(first === undefined ? {} : { sameAs: first.person }),
      ...(token.invitation === undefined ? {} : { invitation: token.invitation }),
    };
    sessions.admit({ id: token.participant, events: [event], outside: token.outside });
    return { accepted: true };
  });
}

/** Records background answers, and whether they admit the person. */
export async function background(
  sessions: ParticipantSessions,
  session: string,
  body: unknown,
): Promise<JsonObject> {
  const { study } = sessions.home;
  const { settings } = study;
  const proof = proofOf(sessions.token(session).bits);
  return sessions.decide(() => {
    const gone = sessions.state.removalOf(proof);
    if (isTurnedAway(gone)) return turnedAway(gone, study);
    const participant = sessions.participant(session);
    const answers = checkedBackground(settings.background, checked(requests.background, body));
    const { background: given } = participant;
    if (given !== undefined && canonicalJson(given) === canonicalJson(answers)) {
      return { accepted: true };
    }
    if (given !== undefined && settings.screening.length > 0) {
      throw new StudyError(409, "background-given", "These questions were answered before.");
    }
    const admitted = admittedNow(sessions).filter(({ person }) => person !== participant.person);
    const { outside } = participant;
    const before = outside && sessions.state.barredFor(sessions.markOf(outside));
    const outcome = isTurnedAway(before) ? before : screened(settings, { answers, admitted });
    if (outcome !== "in") {
      sessions.remove(participant, outcome);
      return turnedAway(outcome, study);
    }
    sessions.write(participant, { event: "background", at: sessions.clock(), answers });
    return { accepted: true };
  });
}

/** Those who keep a place in the study now. */
export const admittedNow = ({ home, state, clock }: ParticipantSessions) =>
  admittedTo(home.study.settings, { participants: state.participants.values(), now: clock() });

/** @throws StudyError 400 where an answer is not to a question of the study. */
export function checkedBackground(
  questions: StudySettings["background"],
  answers: JsonObject,
): JsonObject {
  for (const [name, answer] of Object.entries(answers)) {
    const question = questions.find((one) => one.name === name);
    const fits =
      answer === null ||
      (typeof answer === "string" &&
        answer.length <= 2_000 &&
        (question?.choices?.includes(answer) ?? true));
    if (question === undefined || !fits) {
      throw new StudyError(400, "malformed", `${name}: not an answer to a question of this study`);
    }
  }
  return answers;
}

/**
 * Returns why background answers don't admit somebody; undefined where they do. A quota is full when as
 * many people with the same answer were admitted, the study when `participants` were.
 * @param options.admitted those who were admitted before, each person once
 */
function screened(
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

/** Tells whether as many were admitted as the study wants. */
export const isFull = (
  { participants = Number.POSITIVE_INFINITY }: StudySettings,
  admitted: readonly ParticipantState[],
): boolean => admitted.length >= participants;

/**
 * Those who were admitted to this study and keep their place, each person once: by consent, or by
 * background answers where the study screens.
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

/** People who finished keep their place for good; those who left or have not begun keep it for a while. */
function keepsPlace(
  { placeHours }: StudySettings,
  { isFinished, isWithdrawn, open, assignments, seenAt }: ParticipantState,
  now: number,
): boolean {
  const isInTheMidst = open !== undefined || assignments.size === 0;
  return isFinished || isWithdrawn || !isInTheMidst || now - seenAt < placeHours * 3_600_000;
}
