import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { StudySettings } from "../config/study-config.js";
import type { EventOf } from "../home/participant-event.js";
import { usedInvitation } from "./joining.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import { admittedTo, isFull, screened } from "./screening.js";
import { endOf, removalError } from "./study-ends.js";
import { StudyError } from "./study-error.js";
import { proofOf } from "./tokens.js";

/** Takes the consent, or that it was declined. */
export async function consent(
  sessions: ParticipantSessions,
  session: string,
  body: unknown,
): Promise<JsonObject> {
  const { home, state } = sessions;
  const token = sessions.token(session);
  const { version, agreed } = checked(requests.consent, body);
  const proof = proofOf(token.bits);
  return sessions.turns.run("consent", async () => {
    if (state.participantBy(proof) !== undefined) return { accepted: true };
    sessions.refuseRemoved(proof);
    const { consent: text, settings } = home.study;
    if (!agreed) {
      await sessions.note("declined", proof);
      return { declined: true, ...endOf(settings.codes.declined) };
    }
    if (version !== text.version) {
      throw new StudyError(409, "consent-version", "The consent text is another one by now.");
    }
    if (sessions.closedAt !== undefined) {
      throw new StudyError(403, "closed", "This study is closed.");
    }
    if (token.invitation !== undefined && state.isUsed(token.invitation)) throw usedInvitation();
    const first = token.outside === undefined ? undefined : state.participantFrom(token.outside);
    if (
      first === undefined &&
      isFull(settings, admittedTo(settings, state.participants.values()))
    ) {
      await sessions.note("quota-full", proof);
      throw removalError("quota-full", settings);
    }
    const event: EventOf<"consent"> = {
      event: "consent",
      at: sessions.clock(),
      version,
      ordinal: first?.ordinal ?? state.nextOrdinal,
      proof,
      ...(first === undefined ? {} : { sameAs: first.person }),
      ...(token.invitation === undefined ? {} : { invitation: token.invitation }),
    };
    const stored = { id: token.participant, events: [event], outside: token.outside };
    await home.admit(stored);
    state.add(stored);
    return { accepted: true };
  });
}

/** Takes answers about the person; they may let in or not. */
export async function background(
  sessions: ParticipantSessions,
  session: string,
  body: unknown,
): Promise<JsonObject> {
  const { settings } = sessions.home.study;
  return sessions.asParticipant(session, async (participant) => {
    const answers = checkedBackground(settings.background, checked(requests.background, body));
    // Two people at a last free place of a quota must not both get it.
    return sessions.turns.run("screening", async () => {
      const { background: before } = participant;
      if (before !== undefined && canonicalJson(before) === canonicalJson(answers)) {
        return { accepted: true };
      }
      if (before !== undefined && settings.screening.length > 0) {
        throw new StudyError(409, "background-given", "These questions were answered before.");
      }
      const admitted = admittedTo(settings, sessions.state.participants.values()).filter(
        ({ person }) => person !== participant.person,
      );
      const outcome = screened(settings, { answers, admitted });
      if (outcome !== "in") {
        await sessions.remove(participant, outcome);
        throw removalError(outcome, settings);
      }
      await sessions.write(participant, { event: "background", at: sessions.clock(), answers });
      return { accepted: true };
    });
  });
}

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
