import { KeptBytes } from "../../core/cache.js";
import type { JsonObject } from "../../core/json.js";
import type { StudyHome } from "../home/study-home.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import { type GoldVerdict, goldVerdict } from "../quality/participant-quality.js";
import type { StudyBlock } from "../study.js";
import { keptAnswers } from "../tables/counted-answers.js";
import { background, consent } from "./admission.js";
import { answer } from "./answering.js";
import { type Facilitator, FacilitatorService } from "./facilitator-service.js";
import { introduction, type Joined, join } from "./joining.js";
import { LedSession, type Place } from "./led-session.js";
import { ParticipantItems, type Progress, progressOf } from "./participant-items.js";
import { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import type { Shown } from "./showings.js";
import { proofOf, type Tokens } from "./signed-tokens.js";
import { endWithAnswers, failedError } from "./study-ends.js";
import { StudyError } from "./study-error.js";

export interface StudyServiceOptions {
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Told when somebody was erased: whatever took their answers over must follow. */
  readonly onErased?: () => void;
}

/** Bytes of images that are kept in memory: an item is shown to several people, often at about the same time. */
const mostKeptBytes = 64e6;

/** Answer of `GET /api/next`. */
export interface NextItem {
  readonly assignment: string;
  readonly block: string;
  readonly protocol: string;
  readonly item: JsonObject;
  /** The how-manieth item of this participant, from 1; the one that comes after practice. */
  readonly number: number;
  /** Of a practice item: the how-manieth of its block's. */
  readonly practice?: { readonly number: number; readonly total: number };
  /** The assignment before it; null at the first. */
  readonly before: string | null;
  /** The draft that the page sent of it. */
  readonly draft?: JsonObject;
  readonly progress: Progress;
  readonly upcoming: readonly string[];
  /** Whether gold items say that more care is needed. */
  readonly warning?: true;
  /** With `warning`: whether the session ends where more are missed. */
  readonly endsEarly?: true;
}

/**
 * A study while it is served: sessions, assignments and answers. Everything that a participant is
 * told is decided here; `studyApp` only speaks HTTP. What a call has answered is on the disk.
 */
export class StudyService {
  readonly #sessions: ParticipantSessions;
  readonly #items: ParticipantItems;
  readonly #led: LedSession;
  readonly #images = new KeptBytes<Uint8Array>(mostKeptBytes);
  /** The facilitator's part in moderated sessions. */
  readonly facilitator: Facilitator;

  private constructor(sessions: ParticipantSessions) {
    this.#sessions = sessions;
    this.#items = new ParticipantItems(sessions);
    this.#led = new LedSession(sessions, this.#items);
    this.facilitator = new FacilitatorService(sessions, { items: this.#items, led: this.#led });
  }

  /** Takes up a study where it was left. */
  static async open(
    home: StudyHome,
    { clock = Date.now, onErased = () => {} }: StudyServiceOptions = {},
  ): Promise<StudyService> {
    const sessions = new ParticipantSessions(home, { clock, onErased });
    await sessions.look(() => {});
    return new StudyService(sessions);
  }

  get home(): StudyHome {
    return this.#sessions.home;
  }

  get tokens(): Tokens {
    return this.#sessions.tokens;
  }

  get state(): StudyState {
    return this.#sessions.state;
  }

  get closedAt(): number | undefined {
    return this.state.closedAt;
  }

  /** Begins or takes up a session. Nothing is written before consent. */
  join(body: unknown): Promise<Joined> {
    return join(this.#sessions, body);
  }

  /** The study as somebody may read it who has not joined. */
  introduction(): Promise<JsonObject> {
    return this.#sessions.look(() => introduction(this.#sessions));
  }

  /** Takes the consent, or that it was declined. */
  consent(session: string, body: unknown): Promise<JsonObject> {
    return consent(this.#sessions, session, body);
  }

  /** Takes answers about the person; they may let in or not. */
  background(session: string, body: unknown): Promise<JsonObject> {
    return background(this.#sessions, session, body);
  }

  /** The next item to answer, the same until it is answered; undefined where nothing is left. */
  async next(session: string): Promise<NextItem | undefined> {
    const known = await this.#sessions.look(() => {
      const participant = this.#screened(session);
      return participant.open && this.#nextItem(participant);
    });
    return known ?? this.#sessions.decide(() => this.#nextItem(this.#screened(session)));
  }

  /** Moderated: what the facilitator leads to; a null assignment where nothing is left. */
  async place(session: string): Promise<JsonObject> {
    const known = await this.#sessions.look(() => {
      const participant = this.#screened(session);
      const place = this.#led.placeOf(participant);
      return place && this.#placed(participant, place);
    });
    if (known !== undefined) return known;
    return this.#sessions.decide(() => {
      const participant = this.#screened(session);
      return this.#placed(participant, this.#led.begin(participant));
    });
  }

  /** One's own assignment with the answer that counts, for going back. */
  assignment(session: string, name: string): Promise<JsonObject> {
    return this.#sessions.look(() => {
      const participant = this.#sessions.participant(session);
      const shown = this.#items.own(participant, name);
      const latest = participant.assignments.get(name)?.answers.at(-1);
      return {
        ...this.#assigned(participant, shown),
        ...(latest === undefined
          ? {}
          : {
              answer: latest.given ?? null,
              skipped: latest.answer === null,
              ...(latest.note === undefined ? {} : { note: latest.note }),
            }),
      };
    });
  }

  /** Takes an answer; it is on the disk when this resolves. */
  answer(session: string, body: unknown): Promise<JsonObject> {
    return answer(this.#sessions, { session, body, items: this.#items });
  }

  /** Keeps what somebody has not sent yet, so that it is found again; it is no answer. */
  keepDraft(session: string, body: unknown): Promise<JsonObject> {
    return keepDraft(this.#sessions, { session, body, items: this.#items });
  }

  /** The re-encoded image under a name of this participant's own. */
  async image(session: string, name: string): Promise<{ bytes: Uint8Array; mediaType: string }> {
    const hash = await this.#sessions.look(() =>
      this.#items.image(this.#sessions.participant(session), name),
    );
    if (hash === undefined) throw new StudyError(404, "unknown-image", "There is no such image.");
    const bytes = this.#images.get(hash) ?? (await this.home.image(hash));
    this.#images.set(hash, bytes, bytes.length);
    return { bytes, mediaType: "image/webp" };
  }

  /** Leaves the study, with or without the answers so far; whoever left may still have them erased. */
  async withdraw(session: string, body: unknown): Promise<JsonObject> {
    const { erase } = checked(requests.withdraw, body);
    const proof = proofOf(this.#sessions.token(session).bits);
    return this.#sessions.decide(() => {
      const { study } = this.home;
      const end = endWithAnswers(study, {
        code: study.settings.codes.left,
        now: this.#sessions.clock(),
      });
      const left = { withdrawn: true, erased: erase, ...end, ...(erase && { canErase: false }) };
      if (this.state.removalOf(proof) === "erased") {
        return { ...left, erased: true, canErase: false };
      }
      const participant = this.state.participantBy(proof) ?? this.#sessions.participant(session);
      if (erase) this.#sessions.remove(participant, "erased");
      else if (!participant.isWithdrawn) {
        this.#sessions.write(participant, { event: "withdrawn", at: this.#sessions.clock() });
        this.#sessions.dropDrafts(participant);
      }
      return left;
    });
  }

  /** The end: what was withheld, and the code that proves the work. */
  finish(session: string): Promise<JsonObject> {
    return this.#sessions.decide(() => {
      const participant = this.#screened(session);
      if (this.#items.open(participant) !== undefined) {
        throw new StudyError(409, "not-finished", "There are items left.");
      }
      if (!participant.isFinished) {
        this.#sessions.write(participant, { event: "finished", at: this.#sessions.clock() });
        this.#sessions.dropDrafts(participant);
      }
      const { study } = this.home;
      const code = study.settings.codes.finished;
      return { ...endWithAnswers(study, { code, now: this.#sessions.clock() }) };
    });
  }

  /** Erases participants and those seen as the same person; by the experimenter. */
  erase(id: string): Promise<readonly string[]> {
    return this.#sessions.decide(() => {
      const found = this.state.participants.get(id);
      if (found === undefined) {
        throw new StudyError(404, "unknown-participant", `There is no participant ${id}.`);
      }
      const same = [...this.state.participants.values()].filter(
        ({ person }) => person === found.person,
      );
      for (const participant of same) this.#sessions.remove(participant, "erased");
      return same.map((participant) => participant.id);
    });
  }

  close(): Promise<void> {
    return this.#sessions.decide(() => {
      if (this.closedAt === undefined) this.#sessions.closeStudy();
    });
  }

  #screened(session: string): ParticipantState {
    const participant = this.#sessions.participant(session);
    this.#sessions.refuseUnscreened(participant);
    if (this.#goldVerdict(participant) === "end") {
      throw failedError(this.home.study, this.#sessions.clock());
    }
    return participant;
  }

  /** By all that the same person answered, in however many sessions. */
  #goldVerdict({ person }: ParticipantState): GoldVerdict {
    const { study } = this.home;
    if (study.settings.goldCheck === undefined) return "go-on";
    const sessions = [...this.state.participants.values()].filter((one) => one.person === person);
    return goldVerdict(study, keptAnswers(study, sessions));
  }

  #nextItem(participant: ParticipantState): NextItem | undefined {
    const shown = this.#items.open(participant);
    if (shown === undefined) return undefined;
    return {
      ...this.#assigned(participant, shown),
      progress: this.#progressOf(participant),
      upcoming: this.#items.upcoming(participant)?.showing.names ?? [],
      ...(this.#goldVerdict(participant) === "warn" && {
        warning: true,
        ...(this.home.study.settings.goldCheck?.endBelow !== undefined && { endsEarly: true }),
      }),
    };
  }

  #assigned(participant: ParticipantState, shown: Shown) {
    const { assignments, drafts } = participant;
    const { item, kind } = shown.assignment;
    // What was told of practice items is not gone back to.
    const names = [...assignments].flatMap(([name, of]) =>
      of.assignment.kind === "practice" ? [] : [name],
    );
    const at = names.includes(shown.name) ? names.indexOf(shown.name) : names.length;
    // What the same person did in another session came before.
    const elsewhere = this.#progressOf(participant).done - names.length;
    const draft = drafts[shown.name];
    return {
      assignment: shown.name,
      block: shown.block.name,
      protocol: shown.block.settings.protocol,
      item: this.#items.showings.presented(shown),
      number: elsewhere + at + 1,
      before: kind === "practice" ? null : (names[at - 1] ?? null),
      ...(kind === "practice" && { practice: placeIn(shown.block.practice, item) }),
      ...(draft === undefined ? {} : { draft }),
    };
  }

  #placed(participant: ParticipantState, { shown, step }: Place): JsonObject {
    const progress = { ...this.#progressOf(participant) };
    return { assignment: shown?.name ?? null, step, progress };
  }

  #progressOf(participant: ParticipantState): Progress {
    const { state } = this;
    return progressOf(this.home.study, state.participationOf(participant), state);
  }
}

const placeIn = (items: StudyBlock["practice"] = [], id: string) => ({
  number: items.findIndex((item) => item.id === id) + 1,
  total: items.length,
});

/** Characters of all that one participant has not sent yet. */
const mostCharacters = 4_000_000;

/**
 * Keeps a draft of an assignment, so that a page that is loaded again finds it. It is no answer: no table has
 * it, and it goes with the answer, with who leaves, and with who is erased.
 *
 * @throws StudyError 413 where somebody's drafts are too long.
 */
function keepDraft(
  sessions: ParticipantSessions,
  {
    session,
    body,
    items,
  }: { readonly session: string; readonly body: unknown; readonly items: ParticipantItems },
): Promise<JsonObject> {
  const { assignment, draft } = checked(requests.draft, body);
  return sessions.decide(() => {
    const participant = sessions.participant(session);
    sessions.refuseUnscreened(participant);
    const { name } = items.own(participant, assignment);
    const length = JSON.stringify([participant.drafts, draft]).length;
    if (draft !== null && length > mostCharacters) {
      throw new StudyError(413, "too-large", `Expected at most ${mostCharacters} of drafts.`);
    }
    sessions.keepDraft(participant, name, draft);
    return { accepted: true };
  });
}
