import type { ParticipantEvent } from "../home/participant-event.js";
import type { Removal, RemovalReason, StudyHome } from "../home/study-home.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import { OneAtATime } from "./one-at-a-time.js";
import { removalError } from "./study-ends.js";
import { StudyError } from "./study-error.js";
import { proofOf, type SessionToken, Tokens } from "./tokens.js";

/**
 * Who asks, by their session, and what is written of them: on the disk first, then in memory. All
 * parts of a served study share it.
 */
export class ParticipantSessions {
  readonly home: StudyHome;
  readonly state: StudyState;
  readonly tokens: Tokens;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly turns = new OneAtATime();
  closedAt: number | undefined;
  readonly #onErased: () => void;

  constructor(
    home: StudyHome,
    {
      state,
      closedAt,
      clock,
      onErased,
    }: {
      readonly state: StudyState;
      readonly closedAt: number | undefined;
      readonly clock: () => number;
      readonly onErased: () => void;
    },
  ) {
    this.home = home;
    this.state = state;
    this.tokens = new Tokens(home.secret);
    this.closedAt = closedAt;
    this.clock = clock;
    this.#onErased = onErased;
  }

  /** @throws StudyError 401 where the session is not of this study. */
  token(session: string): SessionToken {
    const token = this.tokens.opened(session);
    if (token === undefined) {
      throw new StudyError(401, "unknown-session", "This session is not of this study.");
    }
    return token;
  }

  /** @throws StudyError where the session is nobody's, nobody's any more, or without consent. */
  participant(session: string): ParticipantState {
    const proof = proofOf(this.token(session).bits);
    const participant = this.state.participantBy(proof);
    if (participant === undefined) {
      this.refuseRemoved(proof);
      throw new StudyError(403, "consent-first", "Consent comes first.");
    }
    if (participant.isWithdrawn) throw removalError("erased", this.home.study.settings);
    return participant;
  }

  /** What one participant asks for is done in order: a double click changes nothing twice. */
  async asParticipant<Result>(
    session: string,
    work: (participant: ParticipantState) => Promise<Result>,
  ): Promise<Result> {
    const { id } = this.participant(session);
    return this.turns.run(id, () => work(this.participant(session)));
  }

  refuseRemoved(proof: string): void {
    const reason = this.state.removalOf(proof);
    if (reason !== undefined) throw removalError(reason, this.home.study.settings);
  }

  refuseUnscreened({ background }: ParticipantState): void {
    if (this.home.study.settings.screening.length > 0 && background === undefined) {
      throw new StudyError(403, "background-first", "The questions about you come first.");
    }
  }

  async write(participant: ParticipantState, event: ParticipantEvent): Promise<void> {
    await this.home.append(participant.id, event);
    this.state.apply(participant.id, { event });
  }

  /** Notes why somebody who never was a participant is none. */
  async note(reason: RemovalReason, proof: string): Promise<void> {
    const removal: Removal = { at: this.clock(), reason, proofs: [proof] };
    await this.home.note(removal);
    this.state.remove(undefined, removal);
  }

  async remove({ id, proofs }: ParticipantState, reason: RemovalReason): Promise<void> {
    const removal: Removal = { at: this.clock(), reason, proofs };
    await this.home.erase(id, removal);
    this.state.remove(id, removal);
    if (reason === "erased") this.#onErased();
  }
}
