import type { z } from "zod";
import type { ParticipantState } from "../home/study-state.js";
import { takeAnswer } from "./answering.js";
import type { ParticipantItems } from "./participant-items.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import type { requests } from "./requests.js";
import { type Shown, stepsOf } from "./showings.js";
import { StudyError } from "./study-error.js";

/** Where a facilitator led somebody: what is shown, and in which of its steps; nothing at the end. */
export interface Place {
  readonly shown: Shown | undefined;
  readonly step: number;
}

type Steer = z.output<typeof requests.steer>["to"];

/**
 * Moderated sessions: participants see what their facilitator leads them to. Where that is outlives
 * the server, as events of the participant.
 */
export class LedSession {
  readonly #sessions: ParticipantSessions;
  readonly #items: ParticipantItems;

  constructor(sessions: ParticipantSessions, items: ParticipantItems) {
    this.#sessions = sessions;
    this.#items = items;
  }

  /** Where a participant is; undefined where their first item was not shown yet. */
  placeOf(participant: ParticipantState): Place | undefined {
    const last = participant.shown.at(-1);
    if (last === undefined) return undefined;
    const { assignment, step } = last;
    return assignment === null
      ? { shown: undefined, step: 0 }
      : { shown: this.#items.own(participant, assignment), step };
  }

  /** Shows the first item where none was shown yet. */
  begin(participant: ParticipantState): Place {
    const place = this.placeOf(participant);
    return place ?? this.#show(participant, this.#items.open(participant), 0);
  }

  /**
   * Leads on, back, or on without an answer.
   *
   * @throws StudyError 409 where there is nothing before, or nothing was answered yet.
   */
  steer(participant: ParticipantState, to: Steer): Place {
    const place = this.begin(participant);
    return to === "back"
      ? this.#back(participant, place)
      : this.#on(participant, { place, isSkipped: to === "skip" });
  }

  #on(
    participant: ParticipantState,
    { place: { shown, step }, isSkipped }: { readonly place: Place; readonly isSkipped: boolean },
  ): Place {
    if (shown === undefined) throw new StudyError(409, "at-end", "Nothing is left to show.");
    if (!isSkipped && step + 1 < stepsOf(shown).length) {
      return this.#show(participant, shown, step + 1);
    }
    const following = this.#neighbour(participant, shown, 1);
    if (following !== undefined) return this.#show(participant, following, 0);
    if (!participant.assignments.has(shown.name)) {
      if (!isSkipped) {
        throw new StudyError(409, "not-answered", "The participant has not answered yet.");
      }
      const request = { assignment: shown.name, skipped: true } as const;
      takeAnswer(this.#sessions, { participant, shown, request });
    }
    return this.#show(participant, this.#items.open(participant), 0);
  }

  #back(participant: ParticipantState, { shown, step }: Place): Place {
    if (shown !== undefined && step > 0) return this.#show(participant, shown, step - 1);
    const before = this.#neighbour(participant, shown, -1);
    if (before === undefined) throw new StudyError(409, "at-start", "Nothing comes before this.");
    return this.#show(participant, before, stepsOf(before).length - 1);
  }

  /** The item shown before or after, of all that the participant was given so far. */
  #neighbour(
    participant: ParticipantState,
    shown: Shown | undefined,
    by: 1 | -1,
  ): Shown | undefined {
    const { open } = participant;
    const names = [...participant.assignments.keys(), ...(open === undefined ? [] : [open.name])];
    const at = shown === undefined ? names.length : names.indexOf(shown.name);
    const name = names[at + by];
    return name === undefined ? undefined : this.#items.own(participant, name);
  }

  #show(participant: ParticipantState, shown: Shown | undefined, step: number): Place {
    const assignment = shown?.name ?? null;
    this.#sessions.write(participant, {
      event: "shown",
      at: this.#sessions.clock(),
      assignment,
      step,
    });
    return { shown, step };
  }
}
