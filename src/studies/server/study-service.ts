import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { Hash } from "../../core/keys.js";
import { nextAssignment } from "../assignment/next-assignment.js";
import type { Assignment } from "../assignment/participation.js";
import { type PersonalOrder, personalOrder } from "../assignment/personal-order.js";
import type { StudySettings } from "../config/study-config.js";
import type { EventOf, ParticipantEvent } from "../home/participant-event.js";
import { readState } from "../home/read-state.js";
import type { Removal, RemovalReason, StudyHome } from "../home/study-home.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import type { StudyBlock } from "../study.js";
import { OneAtATime } from "./one-at-a-time.js";
import { type Progress, progressOf } from "./progress.js";
import { checked, requests } from "./requests.js";
import { screened } from "./screening.js";
import { Showings, type Shown } from "./showings.js";
import { type StudyEnd, StudyError } from "./study-error.js";
import { proofOf, type SessionToken, Tokens } from "./tokens.js";

/** What joining answers: the session, and the study as somebody reads it before they consent. */
export interface Joined {
  readonly participant: string;
  readonly session: string;
  /** What comes next for who holds the session. */
  readonly stage: "consent" | "background" | "items";
  readonly study: JsonObject;
}

export interface StudyServiceOptions {
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Told when somebody was erased: whatever took their answers over must follow. */
  readonly onErased?: () => void;
}

/** What `GET /api/next` answers. */
export interface NextItem {
  readonly assignment: string;
  readonly block: string;
  readonly protocol: string;
  readonly item: JsonObject;
  readonly progress: Progress;
  readonly upcoming: readonly string[];
}

/**
 * A study while it is served: sessions, assignments and answers. Everything that a participant is
 * told is decided here; `studyApp` only speaks HTTP. What a call has answered is on the disk.
 */
export class StudyService {
  readonly home: StudyHome;
  readonly tokens: Tokens;
  readonly state: StudyState;
  readonly #showings: Showings;
  readonly #clock: () => number;
  readonly #turns = new OneAtATime();
  readonly #orders = new Map<string, PersonalOrder>();
  readonly #onErased: () => void;
  #closedAt: number | undefined;

  private constructor(
    home: StudyHome,
    state: StudyState,
    { clock, onErased }: Required<StudyServiceOptions>,
  ) {
    this.home = home;
    this.state = state;
    this.tokens = new Tokens(home.secret);
    this.#showings = new Showings(home.study, this.tokens);
    this.#clock = clock;
    this.#onErased = onErased;
  }

  /**
   * Takes up a study where it was left.
   */
  static async open(
    home: StudyHome,
    { clock = Date.now, onErased = () => {} }: StudyServiceOptions = {},
  ): Promise<StudyService> {
    const state = await readState(home);
    const service = new StudyService(home, state, { clock, onErased });
    service.#closedAt = await home.closedAt();
    return service;
  }

  get closedAt(): number | undefined {
    return this.#closedAt;
  }

  /** Begins or takes up a session. Nothing is written before consent. */
  async join(body: unknown): Promise<Joined> {
    const request = checked(requests.join, body);
    if ("resume" in request) return this.#resume(request.resume);
    if (this.#closedAt !== undefined) {
      throw new StudyError(403, "closed", "This study is closed. Thank you for your interest.");
    }
    if ("invite" in request) {
      if (!this.tokens.isInvitation(request.invite)) {
        throw new StudyError(403, "unknown-invitation", "This invitation is not of this study.");
      }
      const invitation = proofOf(request.invite);
      if (this.state.isUsed(invitation)) throw usedInvitation();
      return this.#joined(this.tokens.newSession({ invitation }));
    }
    const { signature, ...outside } = request.external;
    if (!this.home.study.settings.open) {
      throw new StudyError(403, "by-invitation", "This study is by invitation only.");
    }
    if (signature !== undefined && !this.tokens.isSigned(outside, signature)) {
      throw new StudyError(
        403,
        "forged-signature",
        "The signature does not fit to the outside id.",
      );
    }
    const known = signature === undefined ? undefined : this.state.participantFrom(outside);
    return known === undefined
      ? this.#joined(this.tokens.newSession({ outside }))
      : this.#returned(known.id);
  }

  /** Takes the consent, or that it was declined. */
  async consent(session: string, body: unknown): Promise<JsonObject> {
    const token = this.#token(session);
    const { version, agreed } = checked(requests.consent, body);
    const proof = proofOf(token.bits);
    return this.#turns.run("consent", async () => {
      if (this.state.participantBy(proof) !== undefined) return { accepted: true };
      this.#refuseRemoved(proof);
      const { consent, settings } = this.home.study;
      if (!agreed) {
        await this.#note("declined", proof);
        return { declined: true, ...endOf(settings.codes.declined) };
      }
      if (version !== consent.version) {
        throw new StudyError(409, "consent-version", "The consent text is another one by now.");
      }
      if (this.#closedAt !== undefined)
        throw new StudyError(403, "closed", "This study is closed.");
      if (token.invitation !== undefined && this.state.isUsed(token.invitation)) {
        throw usedInvitation();
      }
      const first =
        token.outside === undefined ? undefined : this.state.participantFrom(token.outside);
      if (
        first === undefined &&
        settings.participants !== undefined &&
        this.state.people >= settings.participants
      ) {
        await this.#note("quota-full", proof);
        throw removalError("quota-full", settings);
      }
      const event: EventOf<"consent"> = {
        event: "consent",
        at: this.#clock(),
        version,
        ordinal: first?.ordinal ?? this.state.nextOrdinal,
        proof,
        ...(first === undefined ? {} : { sameAs: first.person }),
        ...(token.invitation === undefined ? {} : { invitation: token.invitation }),
      };
      const stored = { id: token.participant, events: [event], outside: token.outside };
      await this.home.admit(stored);
      this.state.add(stored);
      return { accepted: true };
    });
  }

  /** Takes answers about the person; they may let in or not. */
  async background(session: string, body: unknown): Promise<JsonObject> {
    const { settings } = this.home.study;
    return this.#asParticipant(session, async (participant) => {
      const answers = checkedBackground(settings.background, checked(requests.background, body));
      // Two people at a last free place of a quota must not both get it.
      return this.#turns.run("screening", async () => {
        const others = [...this.state.participants.values()].filter(
          ({ id }) => id !== participant.id,
        );
        const outcome = screened(settings, { answers, others });
        if (outcome !== "in") {
          await this.#remove(participant, outcome);
          throw removalError(outcome, settings);
        }
        await this.#write(participant, { event: "background", at: this.#clock(), answers });
        return { accepted: true };
      });
    });
  }

  /** What is to be answered next, the same until it is; undefined where nothing is left. */
  async next(session: string): Promise<NextItem | undefined> {
    return this.#asParticipant(session, async (participant) => {
      this.#refuseUnscreened(participant);
      const shown = await this.#open(participant);
      if (shown === undefined) return undefined;
      const { tally } = this.state;
      return {
        assignment: shown.name,
        block: shown.block.name,
        protocol: shown.protocol.name,
        item: this.#showings.presented(shown),
        progress: progressOf(this.home.study, this.state.participationOf(participant), { tally }),
        upcoming: this.#upcoming(participant)?.showing.names ?? [],
      };
    });
  }

  /** One's own assignment with the answer that counts, for going back. */
  async assignment(session: string, name: string): Promise<JsonObject> {
    const participant = this.#participant(session);
    const shown = this.#ownShown(participant, name);
    const answers = participant.assignments.get(name)?.answers ?? [];
    const latest = answers.at(-1);
    return {
      assignment: name,
      block: shown.block.name,
      protocol: shown.protocol.name,
      item: this.#showings.presented(shown),
      ...(latest === undefined
        ? {}
        : { answer: latest.given ?? null, skipped: latest.answer === null }),
    };
  }

  /** Takes an answer; it is on the disk when this resolves. */
  async answer(session: string, body: unknown): Promise<JsonObject> {
    return this.#asParticipant(session, async (participant) => {
      this.#refuseUnscreened(participant);
      const request = checked(requests.answer, body);
      const shown = this.#ownShown(participant, request.assignment);
      const given = "answer" in request ? request.answer : null;
      const answer =
        given === null
          ? null
          : shown.protocol.recorded(
              checked(shown.protocol.answer(shown.showing), given),
              shown.showing,
            );
      const earlier = participant.assignments.get(shown.name)?.answers ?? [];
      const latest = earlier.at(-1);
      const isSame =
        latest !== undefined &&
        canonicalJson([latest.answer, latest.note ?? null]) ===
          canonicalJson([answer, request.note ?? null]);
      if (isSame) return { accepted: true };
      const { block, item, kind, swapped } = shown.assignment;
      await this.#write(participant, {
        event: "answer",
        at: this.#clock(),
        assignment: shown.name,
        block,
        item,
        kind,
        swapped,
        protocol: shown.protocol.name,
        attempt: earlier.length + 1,
        answer,
        given,
        ...(request.note === undefined ? {} : { note: request.note }),
        ...(request.milliseconds === undefined ? {} : { milliseconds: request.milliseconds }),
      });
      return { accepted: true };
    });
  }

  /** The re-encoded image under a name of this participant's own. */
  async image(session: string, name: string): Promise<{ bytes: Uint8Array; mediaType: string }> {
    const participant = this.#participant(session);
    const hash = this.#imageOf(participant, name);
    if (hash === undefined) throw new StudyError(404, "unknown-image", "There is no such image.");
    return { bytes: await this.home.image(hash), mediaType: "image/webp" };
  }

  /** Leaves the study, with or without the answers so far. */
  async withdraw(session: string, body: unknown): Promise<JsonObject> {
    const { erase } = checked(requests.withdraw, body);
    return this.#asParticipant(session, async (participant) => {
      if (erase) await this.#remove(participant, "erased");
      else await this.#write(participant, { event: "withdrawn", at: this.#clock() });
      return { withdrawn: true, erased: erase };
    });
  }

  /** The end: what was withheld, and the code that proves the work. */
  async finish(session: string): Promise<JsonObject> {
    return this.#asParticipant(session, async (participant) => {
      this.#refuseUnscreened(participant);
      if ((await this.#open(participant)) !== undefined) {
        throw new StudyError(409, "not-finished", "There are items left.");
      }
      if (!participant.isFinished) {
        await this.#write(participant, { event: "finished", at: this.#clock() });
      }
      const { settings, debrief } = this.home.study;
      return {
        ...endOf(settings.codes.finished),
        debrief: debrief?.text ?? null,
        generated: settings.disclose === "at-end",
      };
    });
  }

  /** Erases participants and those seen as the same person; by the experimenter. */
  async erase(id: string): Promise<readonly string[]> {
    const found = this.state.participants.get(id);
    if (found === undefined) {
      throw new StudyError(404, "unknown-participant", `There is no participant ${id}.`);
    }
    const same = [...this.state.participants.values()].filter(
      ({ person }) => person === found.person,
    );
    for (const participant of same) await this.#remove(participant, "erased");
    return same.map((participant) => participant.id);
  }

  async close(): Promise<void> {
    this.#closedAt ??= this.#clock();
    await this.home.close(this.#closedAt);
  }

  #joined(token: SessionToken): Joined {
    const { settings, consent } = this.home.study;
    return {
      participant: token.participant,
      session: this.tokens.sealed(token),
      stage: this.#stageOf(token),
      study: {
        title: settings.title,
        language: settings.language,
        consent: { version: consent.version, text: consent.text },
        ...(settings.warning === undefined ? {} : { warning: settings.warning }),
        // Whoever is not told at the end is told at the start.
        generated: settings.disclose === "at-start",
        moderated: settings.moderated,
        background: settings.background.map(({ name, question, choices }) => ({
          name,
          question,
          ...(choices === undefined ? {} : { choices }),
        })),
        blocks: this.home.study.blocks.map(introduced),
      },
    };
  }

  #stageOf({ bits }: SessionToken): Joined["stage"] {
    const participant = this.state.participantBy(proofOf(bits));
    if (participant === undefined) return "consent";
    const isAsked = this.home.study.settings.background.length > 0;
    return isAsked && participant.background === undefined ? "background" : "items";
  }

  async #resume(resume: string): Promise<Joined> {
    const linked = this.tokens.participantOf(resume);
    if (linked !== undefined) return this.#returned(linked);
    const token = this.#token(resume);
    this.#refuseRemoved(proofOf(token.bits));
    const known = this.state.participantBy(proofOf(token.bits));
    return this.#joined({ ...token, participant: known?.id ?? token.participant });
  }

  /** A further session of somebody who proved by a signature who they are. */
  async #returned(id: string): Promise<Joined> {
    const participant = this.state.participants.get(id);
    if (participant === undefined) {
      throw new StudyError(403, "withdrawn", "Nothing is kept of this participant any more.");
    }
    const token = { ...this.tokens.newSession({}), participant: id };
    await this.#turns.run(id, () =>
      this.#write(participant, { event: "session", at: this.#clock(), proof: proofOf(token.bits) }),
    );
    return this.#joined(token);
  }

  #token(session: string): SessionToken {
    const token = this.tokens.opened(session);
    if (token === undefined) {
      throw new StudyError(401, "unknown-session", "This session is not of this study.");
    }
    return token;
  }

  /** @throws StudyError where the session is nobody's, nobody's any more, or without consent. */
  #participant(session: string): ParticipantState {
    const proof = proofOf(this.#token(session).bits);
    const participant = this.state.participantBy(proof);
    if (participant === undefined) {
      this.#refuseRemoved(proof);
      throw new StudyError(403, "consent-first", "Consent comes first.");
    }
    if (participant.isWithdrawn) throw removalError("erased", this.home.study.settings);
    return participant;
  }

  /** What one participant asks for is done in order: a double click changes nothing twice. */
  async #asParticipant<Result>(
    session: string,
    work: (participant: ParticipantState) => Promise<Result>,
  ): Promise<Result> {
    const { id } = this.#participant(session);
    return this.#turns.run(id, () => work(this.#participant(session)));
  }

  #refuseUnscreened({ background }: ParticipantState): void {
    if (this.home.study.settings.screening.length > 0 && background === undefined) {
      throw new StudyError(403, "background-first", "The questions about you come first.");
    }
  }

  #refuseRemoved(proof: string): void {
    const reason = this.state.removalOf(proof);
    if (reason !== undefined) throw removalError(reason, this.home.study.settings);
  }

  async #open(participant: ParticipantState): Promise<Shown | undefined> {
    if (participant.open !== undefined) return this.#showings.of(participant, participant.open);
    const assignment = this.#plan(participant);
    if (assignment === undefined) return undefined;
    const shown = this.#showings.of(participant, assignment);
    const event = {
      event: "opened",
      at: this.#clock(),
      assignment: shown.name,
      ...assignment,
    } as const;
    // In memory at once, so that nobody else is given it meanwhile.
    this.state.apply(participant.id, { event });
    await this.home.append(participant.id, event, { mustLast: false });
    return shown;
  }

  #plan(
    participant: ParticipantState,
    done = this.state.participationOf(participant),
  ): Assignment | undefined {
    const { study } = this.home;
    return nextAssignment(done, {
      study,
      tally: this.state.tally,
      openElsewhere: this.state.openBeside(participant),
      now: this.#clock(),
      orderOf: (block, ordinal) => this.#orderOf(block, ordinal),
    });
  }

  #orderOf(block: StudyBlock, ordinal: number): PersonalOrder {
    const name = `${block.name} ${ordinal}`;
    const order = this.#orders.get(name) ?? personalOrder(this.home.study, { block, ordinal });
    this.#orders.set(name, order);
    return order;
  }

  /** What is likely to come after what is open, so that its images can be loaded before. */
  #upcoming(participant: ParticipantState): Shown | undefined {
    const { open } = participant;
    if (open === undefined) return undefined;
    const now = this.state.participationOf(participant);
    const after = { ...now, open: undefined, done: [...now.done, { ...open, isAnswered: true }] };
    const assignment = this.#plan(participant, after);
    return assignment && this.#showings.of(participant, assignment);
  }

  /** @throws StudyError 404 where the name is not of an assignment of this participant's. */
  #ownShown(participant: ParticipantState, name: string): Shown {
    const { open } = participant;
    const assignment = open?.name === name ? open : participant.assignments.get(name)?.assignment;
    if (assignment === undefined) {
      throw new StudyError(404, "unknown-assignment", "There is no such assignment of yours.");
    }
    const { block, item, kind, swapped } = assignment;
    return this.#showings.of(participant, { block, item, kind, swapped });
  }

  #imageOf(participant: ParticipantState, name: string): Hash | undefined {
    const { open } = participant;
    const upcoming = this.#upcoming(participant);
    const shown = [
      ...(open === undefined ? [] : [this.#showings.of(participant, open)]),
      ...(upcoming === undefined ? [] : [upcoming]),
    ];
    for (const one of shown) {
      const hash = this.#showings.imageIn(one, name);
      if (hash !== undefined) return hash;
    }
    for (const { assignment } of participant.assignments.values()) {
      const hash = this.#showings.imageIn(this.#showings.of(participant, assignment), name);
      if (hash !== undefined) return hash;
    }
    return undefined;
  }

  async #write(participant: ParticipantState, event: ParticipantEvent): Promise<void> {
    await this.home.append(participant.id, event);
    this.state.apply(participant.id, { event });
  }

  async #note(reason: RemovalReason, proof: string): Promise<void> {
    const removal: Removal = { at: this.#clock(), reason, proofs: [proof] };
    await this.home.note(removal);
    this.state.remove(undefined, removal);
  }

  async #remove({ id, proofs }: ParticipantState, reason: RemovalReason): Promise<void> {
    const removal: Removal = { at: this.#clock(), reason, proofs };
    await this.home.erase(id, removal);
    this.state.remove(id, removal);
    if (reason === "erased") this.#onErased();
  }
}

/** A block as it is introduced to participants. */
const introduced = ({ name, settings }: StudyBlock): JsonObject => ({
  name,
  protocol: settings.protocol,
  ...(settings.question === undefined ? {} : { question: settings.question }),
  ...(settings.guide === undefined ? {} : { guide: settings.guide }),
  ...(settings.levels === undefined
    ? {}
    : {
        levels: settings.levels.map(({ value, label, description = null }) => ({
          value,
          label,
          description,
        })),
      }),
});

/** A code is shown; an address is gone to. */
const endOf = (code: string | undefined): StudyEnd =>
  code === undefined ? {} : /^https?:\/\//.test(code) ? { redirect: code } : { code };

const usedInvitation = () =>
  new StudyError(
    409,
    "used-invitation",
    "This invitation was used. Go on in the browser you began in, or ask for a link back.",
  );

function removalError(reason: RemovalReason, { codes }: StudySettings): StudyError {
  const end = {
    declined: codes.declined,
    "screened-out": codes.screenedOut,
    "quota-full": codes.full,
    erased: undefined,
  }[reason];
  const code = reason === "erased" ? "withdrawn" : reason;
  return new StudyError(403, code, removalTexts[reason], endOf(end));
}

const removalTexts: Readonly<Record<RemovalReason, string>> = {
  declined: "You declined to take part. Nothing was kept.",
  "screened-out": "Thank you. This study looks for other participants; nothing was kept.",
  "quota-full": "Thank you. This study has enough participants; nothing was kept.",
  erased: "You have left this study.",
};

/** @throws StudyError 400 where an answer is not to a question of the study. */
function checkedBackground(
  questions: StudySettings["background"],
  answers: JsonObject,
): JsonObject {
  for (const [name, answer] of Object.entries(answers)) {
    const question = questions.find((one) => one.name === name);
    const fits =
      answer === null ||
      (typeof answer === "string" &&
        answer.length <= 2_000 &&
        (question?.choices?.includes(answer) ?? true));
    if (question === undefined || !fits) {
      throw new StudyError(400, "malformed", `${name}: not an answer to a question of this study`);
    }
  }
  return answers;
}
