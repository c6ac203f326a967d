import type { z } from "zod";
import type { JsonObject } from "../../core/json.js";
import { consentBoxes } from "../config/consent-boxes.js";
import { isUnreplaced, notAssigned } from "../config/platforms.js";
import { panelIn, type StudySettings } from "../config/study-config.js";
import type { StudyHome } from "../home/study-home.js";
import { panelOf } from "../panel/panels.js";
import type { StudyBlock } from "../study.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import { proofOf, type SessionToken } from "./signed-tokens.js";
import { endsOf } from "./study-ends.js";
import { StudyError } from "./study-error.js";

/** Answer to joining: the session, and the study as somebody reads it before they consent. */
export interface Joined {
  readonly participant: string;
  readonly session: string;
  /** The next stage for who holds the session. */
  readonly stage: "consent" | "background" | "items";
  readonly study: JsonObject;
}

/** Begins or takes up a session. Nothing is written before consent. */
export async function join(sessions: ParticipantSessions, body: unknown): Promise<Joined> {
  const request = checked(requests.join, body);
  return sessions.decide(() =>
    "resume" in request ? resume(sessions, request.resume) : begin(sessions, request),
  );
}

function begin(
  sessions: ParticipantSessions,
  request: Exclude<z.output<typeof requests.join>, { resume: string }>,
): Joined {
  const { home, state, tokens } = sessions;
  if (state.closedAt !== undefined) {
    throw closed();
  }
  if ("invite" in request) {
    if (!tokens.isInvitation(request.invite)) {
      throw new StudyError(403, "unknown-invitation", "This invitation is not of this study.");
    }
    const invitation = proofOf(request.invite);
    sessions.refuseBarred(invitation);
    if (state.isUsed(invitation)) throw usedInvitation();
    return joined(sessions, tokens.newSession({ invitation }));
  }
  const { signature, ...outside } = request.external;
  if (!home.study.settings.open) {
    throw byInvitation();
  }
  if (isUnreplaced(outside.id) || outside.session === notAssigned) throw noId(outside.id);
  if (signature !== undefined && !tokens.isSigned(outside, signature)) {
    throw new StudyError(403, "forged-signature", "The signature does not fit to the outside id.");
  }
  sessions.refuseBarred(sessions.markOf(outside));
  const known = signature === undefined ? undefined : state.participantFrom(outside);
  return known === undefined
    ? joined(sessions, tokens.newSession({ outside }))
    : returned(sessions, known.id);
}

const byInvitation = () =>
  new StudyError(403, "by-invitation", "This study is by invitation only.");

const noId = (id: string) =>
  new StudyError(
    400,
    "unreplaced-id",
    `The address holds ${id} in place of an id. Please open the study from the platform's own page.`,
  );

/** The study as somebody may read it who has not joined: where anybody may join. */
export function introduction({ home, state }: ParticipantSessions): JsonObject {
  if (!home.study.settings.open) throw byInvitation();
  if (state.closedAt !== undefined) throw closed();
  return introductionOf(home);
}

const closed = () =>
  new StudyError(403, "closed", "This study is closed. Thank you for your interest.");

export const usedInvitation = () =>
  new StudyError(
    409,
    "used-invitation",
    "This invitation was used. Go on in the browser you began in, or ask for a link back.",
  );

function resume(sessions: ParticipantSessions, given: string): Joined {
  const linked = sessions.tokens.participantOf(given);
  if (linked !== undefined) return returned(sessions, linked);
  const token = sessions.token(given);
  sessions.refuseRemoved(proofOf(token.bits));
  const known = sessions.state.participantBy(proofOf(token.bits));
  return joined(sessions, { ...token, participant: known?.id ?? token.participant });
}

/** A further session of somebody who proved by a signature who they are. */
function returned(sessions: ParticipantSessions, id: string): Joined {
  const participant = sessions.state.participants.get(id);
  if (participant === undefined) {
    throw new StudyError(403, "withdrawn", "Nothing is kept of this participant any more.");
  }
  const token = { ...sessions.tokens.newSession({}), participant: id };
  const proof = proofOf(token.bits);
  sessions.write(participant, { event: "session", at: sessions.clock(), proof });
  return joined(sessions, token);
}

const joined = (sessions: ParticipantSessions, token: SessionToken): Joined => ({
  participant: token.participant,
  session: sessions.tokens.sealed(token),
  stage: stageOf(sessions, token),
  study: introductionOf(sessions.home),
});

/** The study as somebody reads it before they consent. */
export function introductionOf({
  study,
  isPreview,
}: Pick<StudyHome, "study" | "isPreview">): JsonObject {
  const { settings, consent, blocks } = study;
  const boxes = consentBoxes(consent.text);
  const needed = new Set(settings.screening.map(({ name }) => name));
  return {
    title: settings.title,
    language: settings.language,
    consent: {
      version: consent.version,
      text: consent.text,
      ...(boxes.length === 0 ? {} : { boxes }),
    },
    ...(settings.warning === undefined ? {} : { warning: settings.warning }),
    // Whoever is not told at the end is told at the start.
    generated: settings.disclose === "at-start",
    moderated: settings.moderated,
    ...(isPreview && { preview: endsOf(study) }),
    ...ownPanel(settings),
    background: settings.background.map(({ name, question, choices }) => ({
      name,
      question,
      ...(choices === undefined ? {} : { choices }),
      ...(needed.has(name) ? { needed: true } : {}),
    })),
    blocks: blocks.map(introduced),
  };
}

/** The address parameters of a generic panel; nothing for others. */
function ownPanel(settings: StudySettings): JsonObject {
  const panel = panelIn(settings);
  if (panel?.platform !== "generic") return {};
  const { source, id, study, session } = panelOf(panel);
  const further = { ...(study && { study }), ...(session && { session }) };
  return { panel: { source, id, ...further } };
}

function stageOf({ home, state }: ParticipantSessions, { bits }: SessionToken): Joined["stage"] {
  const participant = state.participantBy(proofOf(bits));
  if (participant === undefined) return "consent";
  const isAsked = home.study.settings.background.length > 0 && !participant.isWithdrawn;
  return isAsked && participant.background === undefined ? "background" : "items";
}

/** A block as it is introduced to participants. */
export const introduced = ({ name, settings }: StudyBlock): JsonObject => ({
  name,
  protocol: settings.protocol,
  ...(settings.question === undefined ? {} : { question: settings.question }),
  ...(settings.guide === undefined ? {} : { guide: settings.guide }),
  ...(settings.minimumSeconds === undefined ? {} : { minimumSeconds: settings.minimumSeconds }),
  ...(settings.levels === undefined
    ? {}
    : {
        levels: settings.levels.map(({ value, label, description = null }) => ({
          value,
          label,
          description,
        })),
      }),
});
