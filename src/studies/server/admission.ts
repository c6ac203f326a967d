import { canonicalJson, type JsonObject } from "../../core/json.js";
import { consentBoxes } from "../config/consent-boxes.js";
import type { StudySettings } from "../config/study-config.js";
import type { EventOf } from "../home/participant-event.js";
import { usedInvitation } from "./joining.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import { admittedTo, isFull, screened } from "./screening.js";
import { proofOf } from "./signed-tokens.js";
import { endOf, isTurnedAway, turnedAway } from "./study-ends.js";
import { StudyError } from "./study-error.js";

/** Takes the consent, or that it was declined. */
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

/** Takes answers about the person; they may let in or not. */
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

const admittedNow = ({ home, state, clock }: ParticipantSessions) =>
  admittedTo(home.study.settings, { participants: state.participants.values(), now: clock() });

/** @throws StudyError 400 where an answer is not to a question of the study. */
function checkedBackground(
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
