import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { ParticipantEvent } from "../home/participant-event.js";
import type {
  OutsideId,
  RemovalReason,
  StoredParticipant,
  StudyChange,
} from "../home/study-change.js";
import type { StudyHome } from "../home/study-home.js";
import { type ParticipantState, StudyState } from "../home/study-state.js";
import { proofOf, type SessionToken, Tokens } from "./signed-tokens.js";
import { isTurnedAway, leftError, removalError } from "./study-ends.js";
import { StudyError } from "./study-error.js";

/** Identifies participants by their session and writes what they do. All parts of a served study share it. */
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

  /**
   * Returns what is stored of an outside id that was turned away; without the study's secret it identifies
   * nobody.
   */
  markOf({ source, id }: OutsideId): string {
    return proofOf(this.tokens.mac("barred", JSON.stringify([source, id])));
  }

  /** @throws StudyError where somebody with this id was turned away by their answers. */
  refuseBarred(mark: string): void {
    const reason = this.state.barredFor(mark);
    if (isTurnedAway(reason)) throw removalError(reason, this.home.study);
  }

  /** @throws StudyError where the session is unknown, has ended or lacks consent. */
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

  /** Stores what somebody has not sent yet of an assignment; null deletes it. */
  keepDraft({ id, drafts }: ParticipantState, name: string, draft: JsonObject | null): void {
    if (canonicalJson(drafts[name] ?? null) === canonicalJson(draft)) return;
    const { [name]: _, ...others } = drafts;
    const now = draft === null ? others : { ...others, [name]: draft };
    this.#decisions.write({ change: "drafts", participant: id, drafts: now });
  }

  /** Deletes all drafts of somebody who leaves. */
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

  /** Records why somebody did not become a participant. */
  note(reason: RemovalReason, proof: string): void {
    const removal = { at: this.clock(), reason, proofs: [proof] };
    this.#decisions.write({ change: "removed", removal });
  }

  /**
   * Removes a participant; a person who was turned away by their answers can't answer again with the same
   * outside id.
   */
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

interface Job {
  readonly decides: boolean;
  readonly run: () => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Queue of all requests to a study, one after another over all servers: brings its state up to date and
 * decides on it. Requests that wait for the home's turn share the next one, so that many changes are
 * stored at once. A decision is reported only when it is stored.
 */
export class StudyDecisions {
  readonly #home: Pick<StudyHome, "changes" | "turn" | "isShared">;
  #state = new StudyState();
  /** Change number that the state includes; undefined where it must be read anew. */
  #upTo: number | undefined;
  #waiting: Job[] = [];
  #isWorking = false;
  /** Changes decided in this turn; undefined outside a decision. */
  #changes: StudyChange[] | undefined;

  constructor(home: Pick<StudyHome, "changes" | "turn" | "isShared">) {
    this.#home = home;
  }

  get state(): StudyState {
    return this.#state;
  }

  /** Reads the state, which includes everything that any server had stored before the call. */
  async look<Result>(read: () => Result): Promise<Result> {
    if (!this.#home.isShared && this.#upTo !== undefined) return read();
    return this.#queued(read, { decides: false });
  }

  /**
   * Decides on the state. `work` writes by `write`, last of all: an error that it throws is passed on, and
   * what it wrote before that stays.
   */
  decide<Result>(work: () => Result): Promise<Result> {
    return this.#queued(work, { decides: true });
  }

  /** Changes the state; the result of `decide` is returned once the change is stored. */
  write(change: StudyChange): void {
    if (this.#changes === undefined) throw new Error("Expected a decision to be under way");
    this.#changes.push(change);
    this.#state.apply(change);
  }

  #queued<Result>(work: () => Result, { decides }: { decides: boolean }): Promise<Result> {
    return new Promise((resolve, reject) => {
      let tell = () => {};
      const run = () => {
        try {
          const result = work();
          tell = () => resolve(result);
        } catch (error) {
          tell = () => reject(error);
        }
      };
      this.#waiting.push({ decides, run, done: () => tell(), failed: reject });
      if (!this.#isWorking) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    // Requests of this turn of the event loop are decided on together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting;
      this.#waiting = [];
      try {
        await this.#round(jobs);
        for (const { done } of jobs) done();
      } catch (error) {
        // Nobody knows how much of it was stored.
        this.#upTo = undefined;
        for (const { failed } of jobs) failed(error);
      }
    }
    this.#isWorking = false;
  }

  async #round(jobs: readonly Job[]): Promise<void> {
    this.#upTo ??= await this.#readAnew();
    const since = this.#upTo;
    if (!jobs.some(({ decides }) => decides)) {
      if (this.#home.isShared) this.#upTo = this.#take(await this.#home.changes(since));
      for (const { run } of jobs) run();
      return;
    }
    this.#upTo = await this.#home.turn(since, (others) => {
      for (const change of others) this.#state.apply(change);
      const changes: StudyChange[] = [];
      this.#changes = changes;
      for (const { run } of jobs) run();
      this.#changes = undefined;
      return changes;
    });
  }

  async #readAnew(): Promise<number> {
    const all = await this.#home.changes(0);
    this.#state = new StudyState();
    return this.#take(all);
  }

  #take({ changes, upTo }: { readonly changes: readonly StudyChange[]; readonly upTo: number }) {
    for (const change of changes) this.#state.apply(change);
    return upTo;
  }
}
