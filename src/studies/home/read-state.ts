import type { Removal, StoredParticipant, StudyChange } from "./study-change.js";
import type { StudyHome } from "./study-home.js";
import { StudyState } from "./study-state.js";

/** Everything that was stored of a study, whatever its home. */
export interface StoredStudy {
  /** In the order in which they came. */
  readonly participants: readonly StoredParticipant[];
  readonly removals: readonly Removal[];
  readonly closedAt: number | undefined;
}

/** Reads everything of a study: the same from every home. */
export async function readStored(home: StudyHome): Promise<StoredStudy> {
  return storedIn((await home.changes(0)).changes);
}

/** Sums up changes; who was removed is none of the participants. */
export function storedIn(changes: readonly StudyChange[]): StoredStudy {
  const found = new Map<string, StoredParticipant>();
  const removals: Removal[] = [];
  let closedAt: number | undefined;
  for (const change of changes) {
    if (change.change === "admitted") found.set(change.participant.id, change.participant);
    else if (change.change === "removed") removals.push(change.removal);
    else if (change.change === "closed") closedAt ??= change.at;
    else {
      const known = found.get(change.participant);
      if (known === undefined) continue;
      const { events } = known;
      found.set(known.id, {
        ...known,
        ...(change.change === "drafts"
          ? { drafts: change.drafts }
          : { events: [...events, change.event] }),
      });
    }
  }
  const removed = new Set(removals.flatMap(({ proofs }) => proofs));
  const cameAt = ({ events: [first] }: StoredParticipant) => first?.at ?? 0;
  const participants = [...found.values()]
    .filter(({ events: [first] }) => first?.event !== "consent" || !removed.has(first.proof))
    .sort((a, b) => cameAt(a) - cameAt(b) || (a.id < b.id ? -1 : 1));
  return { participants, removals, closedAt };
}

/** Reads what all participants of a study did. */
export async function readState(home: StudyHome): Promise<StudyState> {
  const { participants, removals, closedAt } = await readStored(home);
  const state = new StudyState();
  for (const participant of participants) state.apply({ change: "admitted", participant });
  for (const removal of removals) state.apply({ change: "removed", removal });
  if (closedAt !== undefined) state.apply({ change: "closed", at: closedAt });
  return state;
}
