import type { Hash } from "../../core/keys.js";
import {
  type Assignment,
  itemsEach,
  type Participation,
  type PersonalOrder,
  personalOrder,
  type Tally,
} from "../assignment/answer-tally.js";
import type { OtherPeople } from "../assignment/keeps-capacity.js";
import { type AssignmentState, nextAssignment } from "../assignment/next-assignment.js";
import type { ParticipantState } from "../home/study-state.js";
import type { Study, StudyBlock } from "../study.js";
import { admittedTo } from "./admission.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { Showings, type Shown } from "./showings.js";
import { StudyError } from "./study-error.js";

/** Chooses a participant's items: the open one, the next one, and earlier ones. */
export class ParticipantItems {
  readonly showings: Showings;
  readonly #sessions: ParticipantSessions;
  readonly #orders = new Map<string, PersonalOrder>();

  constructor(sessions: ParticipantSessions) {
    this.#sessions = sessions;
    this.showings = new Showings(sessions.home.study, sessions.tokens);
  }

  /** Returns the open item, or opens one; undefined where nothing is left. */
  open(participant: ParticipantState): Shown | undefined {
    if (participant.open !== undefined) return this.showings.of(participant, participant.open);
    const assignment = this.#plan(participant);
    if (assignment === undefined) return undefined;
    const shown = this.showings.of(participant, assignment);
    const event = { event: "opened", at: this.#sessions.clock(), assignment: shown.name } as const;
    this.#sessions.write(participant, { ...event, ...assignment }, { mustLast: false });
    return shown;
  }

  /** The item that will probably come next, so that its images can be loaded in advance. */
  upcoming(participant: ParticipantState): Shown | undefined {
    const { open } = participant;
    if (open === undefined) return undefined;
    const now = this.#sessions.state.participationOf(participant);
    const after = { ...now, open: undefined, done: [...now.done, { ...open, isAnswered: true }] };
    // A prediction need not consider everybody else.
    const assignment = nextAssignment(after, this.#stateFor(participant));
    return assignment && this.showings.of(participant, assignment);
  }

  /** @throws StudyError 404 where the name is none of this participant's assignments. */
  own(participant: ParticipantState, name: string): Shown {
    const { open } = participant;
    const assignment = open?.name === name ? open : participant.assignments.get(name)?.assignment;
    if (assignment === undefined) {
      throw new StudyError(404, "unknown-assignment", "There is no such assignment of yours.");
    }
    const { block, item, kind, swapped } = assignment;
    return this.showings.of(participant, { block, item, kind, swapped });
  }

  /** The image that the participant knows by this name; undefined where there is none. */
  image(participant: ParticipantState, name: string): Hash | undefined {
    const { open } = participant;
    const now = open && this.showings.imageIn(this.showings.of(participant, open), name);
    if (now !== undefined) return now;
    // Plan the next item only for a name that is not the open item's.
    const upcoming = this.upcoming(participant);
    const next = upcoming && this.showings.imageIn(upcoming, name);
    if (next !== undefined) return next;
    for (const { assignment } of participant.assignments.values()) {
      const hash = this.showings.imageIn(this.showings.of(participant, assignment), name);
      if (hash !== undefined) return hash;
    }
    return undefined;
  }

  #plan(participant: ParticipantState): Assignment | undefined {
    const { home, state } = this.#sessions;
    const { participants: most } = home.study.settings;
    return nextAssignment(state.participationOf(participant), {
      ...this.#stateFor(participant),
      others: most === undefined ? undefined : () => this.#others(participant, most),
    });
  }

  #stateFor(participant: ParticipantState): AssignmentState {
    const { home, state, clock } = this.#sessions;
    return {
      study: home.study,
      tally: state.tally,
      openElsewhere: state.openBeside(participant),
      now: clock(),
      orderOf: (block, ordinal) => this.#orderOf(block, ordinal),
    };
  }

  /** Those who were admitted and can still answer, and how many of `most` may still come. */
  #others(participant: ParticipantState, most: number): OtherPeople {
    const { home, state, clock } = this.#sessions;
    const participants = state.participants.values();
    const admitted = admittedTo(home.study.settings, { participants, now: clock() });
    const here = admitted.filter(
      ({ person, isFinished, isWithdrawn }) =>
        person !== participant.person && !isFinished && !isWithdrawn,
    );
    return {
      here: here.map((one) => state.participationOf(one)),
      toCome: Math.max(0, most - admitted.length),
    };
  }

  #orderOf(block: StudyBlock, ordinal: number): PersonalOrder {
    const name = `${block.name} ${ordinal}`;
    const { study } = this.#sessions.home;
    const order = this.#orders.get(name) ?? personalOrder(study, { block, ordinal });
    this.#orders.set(name, order);
    return order;
  }
}

/** Progress of a person: assignments done, and done plus expected. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Items that have all their answers are no longer expected, so the total may fall. Practice does not count. */
export function progressOf(
  study: Study,
  { done: all }: Participation,
  { tally }: { readonly tally: Tally },
): Progress {
  const done = all.filter(({ kind }) => kind !== "practice");
  let left = 0;
  for (const block of study.blocks) {
    const own = done.filter((assignment) => assignment.block === block.name);
    const seen = new Set(own.flatMap(({ kind, item }) => (kind === "item" ? [item] : [])));
    const free = block.items.filter(
      ({ id }) => !seen.has(id) && tally.answersTo(block.name, id) < block.settings.ratingsPerItem,
    ).length;
    const items = Math.min(itemsEach(block) - seen.size, free);
    const gold = items > 0 ? block.gold.length - count(own, "gold") : 0;
    const answered = own.filter(({ kind, isAnswered }) => kind === "item" && isAnswered).length;
    const repeats = Math.min(block.settings.repeats, answered + items) - count(own, "repeat");
    left += Math.max(0, items) + Math.max(0, gold) + Math.max(0, repeats);
  }
  return { done: done.length, total: done.length + left };
}

const count = (own: Participation["done"], wanted: string): number =>
  own.filter(({ kind }) => kind === wanted).length;
