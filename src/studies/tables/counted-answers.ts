import type { AssignmentKind } from "../assignment/answer-tally.js";
import { readState } from "../home/read-state.js";
import type { StudyHome } from "../home/study-home.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import type { CountedAnswer } from "../protocols/protocol.js";
import { itemsOf, type Study } from "../study.js";

/** An answer that counts, with why it was asked for and how long it took; none of those to practice items does. */
export interface KeptAnswer extends CountedAnswer {
  readonly kind: Exclude<AssignmentKind, "practice">;
  readonly note: string | undefined;
  readonly milliseconds: number | undefined;
  /** When it was last given, in milliseconds since 1970. */
  readonly at: number;
}

/** Which answers are wanted: those that were collected here, elsewhere (Label Studio), or all. */
export const collectedChoices = ["served", "elsewhere", "all"] as const;
export type Collected = (typeof collectedChoices)[number];

/** A study and all its answers as they stand on the disk. */
export interface CollectedStudy {
  readonly state: StudyState;
  readonly answers: readonly KeptAnswer[];
  /** Answers that were collected otherwise than wanted. */
  readonly others: number;
}

/**
 * Reads all answers of a study: of several to one assignment the latest. Who came twice by one
 * outside id is one participant, under the name they had first.
 *
 * @param options.collected which answers: those given to the study's own page, or those imported from elsewhere
 */
export async function collect(
  home: StudyHome,
  { collected = "served" }: { readonly collected?: Collected } = {},
): Promise<CollectedStudy> {
  const state = await readState(home);
  const wanted = collectedFrom(state, collected);
  const others = [...state.participants.values()].filter((one) => !wanted.includes(one));
  return {
    state,
    answers: keptAnswers(home.study, wanted),
    others: others.reduce((sum, { assignments }) => sum + assignments.size, 0),
  };
}

/** The participants whose answers were collected here, elsewhere, or all. */
export const collectedFrom = (
  state: StudyState,
  collected: Collected,
): readonly ParticipantState[] =>
  [...state.participants.values()].filter(
    ({ elsewhere }) =>
      collected === "all" || collected === (elsewhere === undefined ? "served" : "elsewhere"),
  );

/** The latest answer of each participant to each assignment that is no practice. */
export function keptAnswers(study: Study, participants: readonly ParticipantState[]): KeptAnswer[] {
  const items = new Map(study.blocks.map((block) => [block.name, itemsOf(block)]));
  const answers: KeptAnswer[] = [];
  for (const { person, assignments } of participants) {
    for (const { assignment, answers: given } of assignments.values()) {
      const latest = given.at(-1);
      const item = items.get(assignment.block)?.get(assignment.item);
      const { kind } = assignment;
      if (latest === undefined || item === undefined || kind === "practice") continue;
      answers.push({
        block: assignment.block,
        item,
        participant: person,
        answer: latest.answer,
        swapped: assignment.swapped,
        kind,
        note: latest.note,
        milliseconds: latest.milliseconds,
        at: latest.at,
      });
    }
  }
  return answers;
}
