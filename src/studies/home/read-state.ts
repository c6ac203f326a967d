import type { StudyHome } from "./study-home.js";
import { StudyState } from "./study-state.js";

/** Reads what all participants of a study did. */
export async function readState(home: StudyHome): Promise<StudyState> {
  const state = new StudyState();
  for (const change of (await home.changes(0)).changes) state.apply(change);
  return state;
}
