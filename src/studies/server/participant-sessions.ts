import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { ParticipantEvent } from "../home/participant-event.js";
import type { OutsideId, RemovalReason, StoredParticipant } from "../home/study-change.js";
import type { StudyHome } from "../home/study-home.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import { proofOf, type SessionToken, Tokens } from "./signed-tokens.js";
import { StudyDecisions } from "./study-decisions.js";
import { isTurnedAway, leftError, removalError } from "./study-ends.js";
import { StudyError } from "./study-error.js";

/** Who asks, by their session, and what is written of them. All parts of a served study share it. */
export class ParticipantSessions {
  readonly home: StudyHome;
  readonly tokens: Tokens;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly #decisions: StudyDecisions;
  readonly #onErased: () => void;

  constructor(
    home: StudyHome,
    { clock, onErased }: { readonly clock: () => number; readonly onErased: () => void },
  ) {
    this.home = home;
    this.tokens = new Tokens(home.secret);
    this.clock = clock;
    this.#decisions = new StudyDecisions(home);
    this.#onErased = onErased;
  }

  /** As it stands: to be read within `look` or `decide`. */
  get state(): StudyState {
    return this.#decisions.state;
  }

  /** Reads the state as it stands on all servers. */
  look<Result>(read: () => Result): Promise<Result> {
    return this.#decisions.look(read);
  }

  /** Decides on the state, after all that was decided before; resolves when it is stored. */
  decide<Result>(work: () => Result): Promise<Result> {
    return this.#decisions.decide(work);
  }

  /** @throws StudyError 401 where the session is not of this study. */
  token(session: string): SessionToken {
    const token = this.tokens.opened(session);
    if (token === undefined) {
      throw new StudyError(401, "unknown-session", "This session is not of this study.");
    }
    return token;
  }

  /** What is kept of an outside id that was turned away: nobody without the study's secret can tell whose it is. */
  markOf({ source, id }: OutsideId): string {
    return proofOf(this.tokens.mac("barred", JSON.stringify([source, id])));
  }

  /** @throws StudyError where somebody was turned away before, by their answers. */
  refuseBarred(mark: string): void {
    const reason = this.state.barredFor(mark);
    if (isTurnedAway(reason)) throw removalError(reason, this.home.study);
  }

  /** @throws StudyError where the session is nobody's, nobody's any more, or without consent. */
  participant(session: string): ParticipantState {
    const proof = proofOf(this.token(session).bits);
    const participant = this.state.participantBy(proof);
    if (participant === undefined) {
      this.refuseRemoved(proof);
      throw new StudyError(403, "consent-first", "Consent comes first.");
    }
    if (participant.isWithdrawn) throw leftError(this.home.study, this.clock());
    return participant;
  }

  refuseRemoved(proof: string): void {
    const reason = this.state.removalOf(proof);
    if (reason !== undefined) throw removalError(reason, this.home.study);
  }

  refuseUnscreened({ background }: ParticipantState): void {
    if (this.home.study.settings.screening.length > 0 && background === undefined) {
      throw new StudyError(403, "background-first", "The questions about you come first.");
    }
  }

  /** @param options.mustLast false for what may be lost in a power cut */
  write(
    { id }: ParticipantState,
    event: ParticipantEvent,
    { mustLast = true }: { readonly mustLast?: boolean } = {},
  ): void {
    this.#decisions.write({ change: "event", participant: id, event, mustLast });
  }

  /** Keeps what somebody has not sent yet of an assignment; null: nothing any more. */
  keepDraft({ id, drafts }: ParticipantState, name: string, draft: JsonObject | null): void {
    if (canonicalJson(drafts[name] ?? null) === canonicalJson(draft)) return;
    const { [name]: _, ...others } = drafts;
    const now = draft === null ? others : { ...others, [name]: draft };
    this.#decisions.write({ change: "drafts", participant: id, drafts: now });
  }

  /** Drops all that somebody has not sent: they go. */
  dropDrafts({ id, drafts }: ParticipantState): void {
    if (Object.keys(drafts).length === 0) return;
    this.#decisions.write({ change: "drafts", participant: id, drafts: {} });
  }

  admit(participant: StoredParticipant): void {
    this.#decisions.write({ change: "admitted", participant });
  }

  closeStudy(): void {
    this.#decisions.write({ change: "closed", at: this.clock() });
  }

  /** Notes why somebody who never was a participant is none. */
  note(reason: RemovalReason, proof: string): void {
    const removal = { at: this.clock(), reason, proofs: [proof] };
    this.#decisions.write({ change: "removed", removal });
  }

  /** Takes out a participant; who was turned away by their answers can't give others by the same outside id. */
  remove(participant: ParticipantState, reason: RemovalReason): void {
    const { id, proofs, outside, invitation } = participant;
    const barred = [
      ...(invitation === undefined ? [] : [invitation]),
      ...(outside === undefined || reason === "erased" ? [] : [this.markOf(outside)]),
    ];
    const removal = { at: this.clock(), reason, proofs, ...(barred.length > 0 && { barred }) };
    this.#decisions.write({ change: "removed", removal, participant: id });
    if (reason === "erased") this.#onErased();
  }
}
