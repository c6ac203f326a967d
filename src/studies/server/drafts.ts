import type { JsonObject } from "../../core/json.js";
import type { ParticipantItems } from "./participant-items.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import { StudyError } from "./study-error.js";

/** Characters of all that one participant has not sent yet. */
const mostCharacters = 4_000_000;

/**
 * Keeps a draft of an assignment, so that a page that is loaded again finds it. It is no answer: no table has
 * it, and it goes with the answer, with who leaves, and with who is erased.
 *
 * @throws StudyError 413 where somebody's drafts are too long.
 */
export function keepDraft(
  sessions: ParticipantSessions,
  {
    session,
    body,
    items,
  }: { readonly session: string; readonly body: unknown; readonly items: ParticipantItems },
): Promise<JsonObject> {
  const { assignment, draft } = checked(requests.draft, body);
  return sessions.decide(() => {
    const participant = sessions.participant(session);
    sessions.refuseUnscreened(participant);
    const { name } = items.own(participant, assignment);
    const length = JSON.stringify([participant.drafts, draft]).length;
    if (draft !== null && length > mostCharacters) {
      throw new StudyError(413, "too-large", `Expected at most ${mostCharacters} of drafts.`);
    }
    sessions.keepDraft(participant, name, draft);
    return { accepted: true };
  });
}
