import type { StoredParticipant, StudyHome } from "./study-home.js";
import { StudyState } from "./study-state.js";

/** Reads what all participants of a study did, in the order in which they came. */
export async function readState(home: StudyHome): Promise<StudyState> {
  const stored: StoredParticipant[] = [];
  for await (const participant of home.participants()) stored.push(participant);
  const cameAt = ({ events: [first] }: StoredParticipant) => first?.at ?? 0;
  const state = new StudyState();
  // A person who came twice is taken up in the order of coming.
  for (const one of stored.sort((a, b) => cameAt(a) - cameAt(b))) state.add(one);
  for (const removal of await home.removals()) state.remove(undefined, removal);
  return state;
}
