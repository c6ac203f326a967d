import { largestOf } from "../../core/arrays.js";
import type { JsonObject } from "../../core/json.js";
import {
  type Assignment,
  type DoneAssignment,
  type OpenAssignment,
  type Participation,
  Tally,
} from "../assignment/answer-tally.js";
import type { EventOf, ParticipantEvent } from "./participant-event.js";
import type { Drafts, OutsideId, Removal, RemovalReason, StudyChange } from "./study-change.js";

/** An assignment under its name, and all that was answered to it, in order. */
export interface AssignmentHistory {
  readonly assignment: Assignment;
  readonly answers: readonly EventOf<"answer">[];
}

/** State of a participant after all their events. */
export interface ParticipantState {
  readonly id: string;
  readonly ordinal: number;
  /** The first participant of the same outside id; themselves where there is none. */
  readonly person: string;
  readonly consentedAt: number;
  /** When they, or their facilitator, last did something. */
  readonly seenAt: number;
  readonly proofs: readonly string[];
  readonly invitation: string | undefined;
  /** Where their answers were collected, if not here: these never count for who is given what. */
  readonly elsewhere: string | undefined;
  readonly outside: OutsideId | undefined;
  readonly background: JsonObject | undefined;
  /** By name, in the order in which they were opened. */
  readonly assignments: ReadonlyMap<string, AssignmentHistory>;
  readonly open: (OpenAssignment & { readonly name: string }) | undefined;
  /** Moderated: where the facilitator led them, in order. */
  readonly shown: readonly EventOf<"shown">[];
  /** The facilitator's notes, by id, as they stand. */
  readonly notes: ReadonlyMap<string, EventOf<"note">>;
  /** By name: the same name again takes the place of what stood there. */
  readonly transcripts: ReadonlyMap<string, EventOf<"transcript">>;
  /** By assignment: what they have not sent yet. No answer, and part of no table. */
  readonly drafts: Drafts;
  readonly isFinished: boolean;
  readonly isWithdrawn: boolean;
}

type Changing<T> = { -readonly [Name in keyof T]: T[Name] };
type State = Changing<Omit<ParticipantState, "assignments" | "notes" | "shown" | "transcripts">> & {
  assignments: Map<string, { assignment: Assignment; answers: EventOf<"answer">[] }>;
  notes: Map<string, EventOf<"note">>;
  transcripts: Map<string, EventOf<"transcript">>;
  shown: EventOf<"shown">[];
};

/** All participants of a study in memory: what their events come to, kept up as more come. */
export class StudyState {
  readonly tally = new Tally();
  readonly #participants = new Map<string, State>();
  readonly #ofProof = new Map<string, string>();
  readonly #byOutside = new Map<string, string>();
  readonly #ofPerson = new Map<string, Set<string>>();
  /** Participations asked for since the person last did something: a plan looks at everybody. */
  readonly #participations = new Map<string, Participation>();
  readonly #invitations = new Set<string>();
  readonly #removed = new Map<string, RemovalReason>();
  readonly #barred = new Map<string, RemovalReason>();
  readonly #removals: Removal[] = [];
  #closedAt: number | undefined;

  get participants(): ReadonlyMap<string, ParticipantState> {
    return this.#participants;
  }

  /** Who declined, was screened out or was erased, in order. */
  get removals(): readonly Removal[] {
    return this.#removals;
  }

  /** When the study was closed; undefined while it is open. */
  get closedAt(): number | undefined {
    return this.#closedAt;
  }

  /** Takes up one more change. */
  apply(change: StudyChange): void {
    switch (change.change) {
      case "admitted": {
        const { id, events, outside, drafts = {} } = change.participant;
        for (const event of events) this.#event(id, { event, outside });
        this.#keepDrafts(id, drafts);
        return;
      }
      case "drafts":
        this.#keepDrafts(change.participant, change.drafts);
        return;
      case "event":
        this.#event(change.participant, { event: change.event, outside: undefined });
        return;
      case "removed":
        this.#remove(change.removal);
        return;
      case "closed":
        this.#closedAt ??= change.at;
        return;
    }
  }

  #event(
    id: string,
    {
      event,
      outside,
    }: { readonly event: ParticipantEvent; readonly outside: OutsideId | undefined },
  ): void {
    const state = this.#participants.get(id);
    if (event.event === "consent") this.#begin(id, { event, outside });
    else if (state !== undefined) this.#applyTo(state, event);
    this.#forget(this.#participants.get(id)?.person);
  }

  #keepDrafts(id: string, drafts: Drafts): void {
    const state = this.#participants.get(id);
    if (state !== undefined) state.drafts = drafts;
  }

  /** Forgets what a person's sessions came to. */
  #forget(person: string | undefined): void {
    for (const id of this.#ofPerson.get(person ?? "") ?? []) this.#participations.delete(id);
  }

  #applyTo(state: State, event: Exclude<ParticipantEvent, EventOf<"consent">>): void {
    state.seenAt = Math.max(state.seenAt, event.at);
    switch (event.event) {
      case "session":
        state.proofs = [...state.proofs, event.proof];
        this.#ofProof.set(event.proof, state.id);
        return;
      case "background":
        state.background = event.answers;
        return;
      case "opened": {
        const { assignment: name, at, block, item, kind, swapped } = event;
        state.open = { name, at, block, item, kind, swapped };
        return;
      }
      case "answer":
        this.#answer(state, event);
        return;
      case "shown":
        state.shown.push(event);
        return;
      case "note":
        state.notes.set(event.id, event);
        return;
      case "transcript":
        state.transcripts.set(event.name, event);
        return;
      case "finished":
        state.isFinished = true;
        return;
      case "withdrawn":
        state.isWithdrawn = true;
        state.open = undefined;
        return;
    }
  }

  /** Takes out a participant who was erased, or notes who never was one. */
  #remove(removal: Removal): void {
    this.#removals.push(removal);
    for (const proof of removal.proofs) this.#removed.set(proof, removal.reason);
    for (const mark of removal.barred ?? []) this.#barred.set(mark, removal.reason);
    const [id] = removal.proofs.flatMap((proof) => this.#ofProof.get(proof) ?? []);
    const state = id === undefined ? undefined : this.#participants.get(id);
    if (state === undefined) return;
    for (const { assignment, answers } of state.assignments.values()) {
      if (isCounted(state) && answers.at(-1)?.answer !== null) this.tally.remove(assignment);
    }
    this.#participants.delete(state.id);
    this.#forget(state.person);
    this.#ofPerson.get(state.person)?.delete(state.id);
    for (const proof of state.proofs) this.#ofProof.delete(proof);
    const by = state.outside && keyOf(state.outside);
    if (by === undefined || this.#byOutside.get(by) !== state.id) return;
    // Another session of the same person still says who comes by this id.
    const other = this.#sessionsOf(state.person).find(
      ({ outside }) => outside && keyOf(outside) === by,
    );
    if (other === undefined) this.#byOutside.delete(by);
    else this.#byOutside.set(by, other.id);
  }

  /** Whose session it is: of those who take part here. */
  participantBy(proof: string): ParticipantState | undefined {
    const id = this.#ofProof.get(proof);
    const participant = id === undefined ? undefined : this.#participants.get(id);
    return participant?.elsewhere === undefined ? participant : undefined;
  }

  removalOf(proof: string): RemovalReason | undefined {
    return this.#removed.get(proof);
  }

  isUsed(invitation: string): boolean {
    return this.#invitations.has(invitation) || this.#barred.has(invitation);
  }

  /** Why whoever comes by this invitation, or by the outside id of this hash, is not let in again. */
  barredFor(mark: string): RemovalReason | undefined {
    return this.#barred.get(mark);
  }

  /** The participant who came first with this outside id. */
  participantFrom(outside: OutsideId): ParticipantState | undefined {
    const id = this.#byOutside.get(keyOf(outside));
    return id === undefined ? undefined : this.#participants.get(id);
  }

  /** How many people came; who came twice by one outside id counts once. */
  get people(): number {
    return new Set(this.#served().map(({ person }) => person)).size;
  }

  /** The ordinal of the next to join: one more than ever was given. */
  get nextOrdinal(): number {
    return Math.max(-1, largestOf(this.#served().map(({ ordinal }) => ordinal))) + 1;
  }

  #served(): State[] {
    return [...this.#participants.values()].filter(isCounted);
  }

  /**
   * A participant as assignment needs to know them: what the same person did in another session is
   * done, and what is open there is not given to them again.
   */
  participationOf(participant: ParticipantState): Participation {
    const known = this.#participations.get(participant.id) ?? this.#participation(participant);
    this.#participations.set(participant.id, known);
    return known;
  }

  #participation(participant: ParticipantState): Participation {
    const own = this.#sessionsOf(participant.person);
    const openElsewhere = own.flatMap(({ id, open }) =>
      open === undefined || id === participant.id ? [] : [{ ...open, isAnswered: false }],
    );
    return {
      ordinal: participant.ordinal,
      done: [...own.flatMap(doneBy), ...openElsewhere],
      open: participant.open,
    };
  }

  /** All that one person did, in however many sessions. */
  #sessionsOf(person: string): readonly State[] {
    return [...(this.#ofPerson.get(person) ?? [])].flatMap(
      (id) => this.#participants.get(id) ?? [],
    );
  }

  /** Assignments open at others. */
  *openBeside(participant: ParticipantState): Generator<OpenAssignment> {
    for (const { id, open } of this.#participants.values()) {
      if (open !== undefined && id !== participant.id) yield open;
    }
  }

  #begin(
    id: string,
    { event, outside }: { event: EventOf<"consent">; outside: OutsideId | undefined },
  ): void {
    const isHere = event.elsewhere === undefined;
    this.#ofProof.set(event.proof, id);
    if (event.invitation !== undefined) this.#invitations.add(event.invitation);
    if (isHere && outside !== undefined && !this.#byOutside.has(keyOf(outside))) {
      this.#byOutside.set(keyOf(outside), id);
    }
    const person = event.sameAs ?? id;
    this.#ofPerson.set(person, (this.#ofPerson.get(person) ?? new Set()).add(id));
    this.#participants.set(id, {
      id,
      ordinal: event.ordinal,
      person,
      consentedAt: event.at,
      seenAt: event.at,
      proofs: [event.proof],
      invitation: event.invitation,
      elsewhere: event.elsewhere,
      outside,
      background: undefined,
      assignments: new Map(),
      open: undefined,
      shown: [],
      notes: new Map(),
      transcripts: new Map(),
      drafts: {},
      isFinished: false,
      isWithdrawn: false,
    });
  }

  #answer(state: State, event: EventOf<"answer">): void {
    const { assignment: name, block, item, kind, swapped } = event;
    const history = state.assignments.get(name) ?? {
      assignment: { block, item, kind, swapped },
      answers: [],
    };
    const counted = history.answers.length > 0 && history.answers.at(-1)?.answer !== null;
    const counts = event.answer !== null;
    if (isCounted(state)) {
      if (counts && !counted) this.tally.add(history.assignment);
      if (!counts && counted) this.tally.remove(history.assignment);
    }
    history.answers.push(event);
    state.assignments.set(name, history);
    if (state.open?.name === name) state.open = undefined;
  }
}

/** Tells who counts: answers collected elsewhere were not asked here. */
const isCounted = ({ elsewhere }: State): boolean => elsewhere === undefined;

const keyOf = ({ source, id }: OutsideId): string => JSON.stringify([source, id]);

const doneBy = ({ assignments }: ParticipantState): DoneAssignment[] =>
  [...assignments.values()].map(({ assignment, answers }) => ({
    ...assignment,
    isAnswered: answers.at(-1)?.answer !== null,
  }));
