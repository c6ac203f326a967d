import type { AssignmentKind } from "../assignment/participation.js";
import { readState } from "../home/read-state.js";
import type { StudyHome } from "../home/study-home.js";
import type { StudyState } from "../home/study-state.js";
import type { CountedAnswer } from "../protocols/protocol.js";
import type { StudyBlock } from "../study.js";

/** An answer that counts, with why it was asked for and how long it took. */
export interface KeptAnswer extends CountedAnswer {
  readonly kind: AssignmentKind;
  readonly note: string | undefined;
  readonly milliseconds: number | undefined;
}

/** A study and all its answers as they stand on the disk. */
export interface CollectedStudy {
  readonly state: StudyState;
  readonly answers: readonly KeptAnswer[];
}

/**
 * Reads all answers of a study: of several to one assignment the latest. Who came twice by one
 * outside id is one participant, under the name they had first.
 */
export async function collect(home: StudyHome): Promise<CollectedStudy> {
  const state = await readState(home);
  const items = new Map(home.study.blocks.map((block) => [block.name, itemsOf(block)]));
  const answers: KeptAnswer[] = [];
  for (const { person, assignments } of state.participants.values()) {
    for (const { assignment, answers: given } of assignments.values()) {
      const latest = given.at(-1);
      const item = items.get(assignment.block)?.get(assignment.item);
      if (latest === undefined || item === undefined) continue;
      answers.push({
        block: assignment.block,
        item,
        participant: person,
        answer: latest.answer,
        swapped: assignment.swapped,
        kind: assignment.kind,
        note: latest.note,
        milliseconds: latest.milliseconds,
      });
    }
  }
  return { state, answers };
}

const itemsOf = ({ items, gold }: StudyBlock) =>
  new Map([...items, ...gold].map((item) => [item.id, item]));
