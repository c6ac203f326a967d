import { InputError } from "../../core/errors.js";
import { canonicalJson, type JsonObject } from "../../core/json.js";
import { readTranscript, type Utterance } from "../coding/transcript.js";
import type { ParticipantState } from "../home/study-state.js";
import { introduced } from "./joining.js";
import type { LedSession, Place } from "./led-session.js";
import { type ParticipantItems, progressOf } from "./participant-items.js";
import type { ParticipantSessions } from "./participant-sessions.js";
import { checked, requests } from "./requests.js";
import { type Shown, stepsOf } from "./showings.js";
import { StudyError } from "./study-error.js";

/**
 * Actions of a facilitator beside a participant: sees what they see, leads them, notes what they say.
 * What a call has answered is on the disk, in the participant's own file, and goes with it.
 */
export interface Facilitator {
  /** The study, as the facilitator's page needs it. */
  study(): JsonObject;
  /** Who agreed to take part, those who came last first. */
  sessions(): Promise<JsonObject>;
  /** A participant's present view, and all that was noted of them. */
  session(id: string): Promise<JsonObject>;
  /** @throws StudyError 409 where there is nothing before, or nothing was answered yet. */
  steer(id: string, body: unknown): Promise<JsonObject>;
  /** Takes a note with its time; the same id again is a correction. */
  note(id: string, body: unknown): Promise<JsonObject>;
  /**
   * Takes the transcript of a recording; the same name again takes its place.
   *
   * @throws StudyError 400 where nothing was said in it.
   */
  transcript(id: string, body: unknown): Promise<JsonObject>;
  /** An image that the participant sees, or saw. */
  image(id: string, name: string): Promise<{ bytes: Uint8Array; mediaType: string }>;
}

export class FacilitatorService implements Facilitator {
  readonly #sessions: ParticipantSessions;
  readonly #items: ParticipantItems;
  readonly #led: LedSession;

  constructor(
    sessions: ParticipantSessions,
    { items, led }: { readonly items: ParticipantItems; readonly led: LedSession },
  ) {
    this.#sessions = sessions;
    this.#items = items;
    this.#led = led;
  }

  study(): JsonObject {
    const { settings, blocks, codebook = [] } = this.#sessions.home.study;
    return {
      title: settings.title,
      language: settings.language,
      seesModels: settings.facilitatorSeesModels,
      codebook: codebook.map(({ code, description = null }) => ({ code, description })),
      blocks: blocks.map(introduced),
    };
  }

  sessions(): Promise<JsonObject> {
    return this.#sessions.look(() => {
      const participants = [...this.#sessions.state.participants.values()]
        .filter(({ elsewhere }) => elsewhere === undefined)
        .sort((one, other) => other.consentedAt - one.consentedAt);
      return {
        sessions: participants.map((participant) => ({
          participant: participant.id,
          consentedAt: participant.consentedAt,
          stage: stageOf(participant, this.#led.placeOf(participant)),
          progress: this.#progressOf(participant),
          notes: participant.notes.size,
        })),
      };
    });
  }

  session(id: string): Promise<JsonObject> {
    return this.#sessions.look(() => this.#session(this.#participant(id)));
  }

  #session(participant: ParticipantState): JsonObject {
    const { id } = participant;
    const place = this.#led.placeOf(participant);
    return {
      participant: id,
      consentedAt: participant.consentedAt,
      stage: stageOf(participant, place),
      progress: this.#progressOf(participant),
      step: place?.step ?? 0,
      ...(place?.shown === undefined ? {} : this.#seen(participant, place.shown)),
      notes: [...participant.notes.values()].map(({ id: note, at, text, codes }) => ({
        id: note,
        at,
        seconds: (at - participant.consentedAt) / 1000,
        text,
        codes,
      })),
      transcripts: [...participant.transcripts.values()].map(({ name, at, utterances }) => ({
        name,
        at,
        utterances: utterances.length,
      })),
    };
  }

  async steer(id: string, body: unknown): Promise<JsonObject> {
    const { to } = checked(requests.steer, body);
    return this.#as(id, (participant) => {
      this.#refuseGone(participant);
      this.#sessions.refuseUnscreened(participant);
      this.#led.steer(participant, to);
      return this.#session(participant);
    });
  }

  async note(id: string, body: unknown): Promise<JsonObject> {
    const { id: note, text, codes } = checked(requests.note, body);
    const known = (this.#sessions.home.study.codebook ?? []).map(({ code }) => code);
    const foreign = codes.find((code) => !known.includes(code));
    if (foreign !== undefined) {
      throw new StudyError(400, "malformed", `codes: ${foreign} is not in the study's codebook`);
    }
    return this.#as(id, (participant) => {
      this.#refuseGone(participant);
      const before = participant.notes.get(note);
      if (before === undefined && text === "" && codes.length === 0) {
        throw new StudyError(400, "malformed", "Expected text or codes.");
      }
      const isSame =
        before !== undefined &&
        canonicalJson([before.text, before.codes]) === canonicalJson([text, codes]);
      if (isSame) return { accepted: true };
      const place = this.#led.placeOf(participant);
      // A correction stays where and when the note was taken.
      const { at, assignment, step } = before ?? {
        at: this.#sessions.clock(),
        assignment: place?.shown?.name ?? null,
        step: place?.step ?? 0,
      };
      this.#sessions.write(participant, {
        event: "note",
        at,
        id: note,
        text,
        codes,
        assignment,
        step,
      });
      return { accepted: true };
    });
  }

  async transcript(id: string, body: unknown): Promise<JsonObject> {
    const { name, text, query, begunAt } = checked(requests.transcript, body);
    const utterances = utterancesOf(text, name);
    return this.#as(id, (participant) => {
      this.#refuseGone(participant);
      const known = participant.transcripts.get(name);
      const isSame =
        known !== undefined &&
        wordsOf(known.utterances) === wordsOf(utterances) &&
        known.query === query &&
        known.begunAt === begunAt;
      if (!isSame) {
        this.#sessions.write(participant, {
          event: "transcript",
          at: this.#sessions.clock(),
          name,
          ...(query === undefined ? {} : { query }),
          ...(begunAt === undefined ? {} : { begunAt }),
          utterances: utterances.map(({ at, ...said }) => ({
            ...said,
            ...(at === undefined ? {} : { at }),
          })),
        });
      }
      return { accepted: true, utterances: utterances.length };
    });
  }

  async image(id: string, name: string): Promise<{ bytes: Uint8Array; mediaType: string }> {
    const hash = await this.#sessions.look(() => this.#items.image(this.#participant(id), name));
    if (hash === undefined) throw new StudyError(404, "unknown-image", "There is no such image.");
    return { bytes: await this.#sessions.home.image(hash), mediaType: "image/webp" };
  }

  #seen(participant: ParticipantState, shown: Shown): JsonObject {
    const answers = participant.assignments.get(shown.name)?.answers ?? [];
    const latest = answers.at(-1);
    const steps = stepsOf(shown);
    const sees = this.#sessions.home.study.settings.facilitatorSeesModels;
    return {
      assignment: shown.name,
      block: shown.block.name,
      protocol: shown.block.settings.protocol,
      item: this.#items.showings.presented(shown),
      steps: steps.length,
      attempt: answers.length,
      ...(latest === undefined
        ? {}
        : { answer: latest.given ?? null, skipped: latest.answer === null }),
      ...(sees
        ? { models: (steps.at(-1) ?? []).map(({ label, model }) => ({ label, model })) }
        : {}),
    };
  }

  #progressOf(participant: ParticipantState): JsonObject {
    const { state, home } = this.#sessions;
    return { ...progressOf(home.study, state.participationOf(participant), state) };
  }

  #as<Result>(id: string, work: (participant: ParticipantState) => Result): Promise<Result> {
    return this.#sessions.decide(() => work(this.#participant(id)));
  }

  #participant(id: string): ParticipantState {
    const participant = this.#sessions.state.participants.get(id);
    if (participant !== undefined) return participant;
    throw new StudyError(404, "unknown-participant", "There is no such participant.");
  }

  #refuseGone({ isWithdrawn }: ParticipantState): void {
    if (isWithdrawn) throw new StudyError(403, "withdrawn", "The participant has left the study.");
  }
}

const stageOf = (
  { isFinished, isWithdrawn }: ParticipantState,
  place: Place | undefined,
): string => {
  if (isWithdrawn) return "left";
  if (isFinished || (place !== undefined && place.shown === undefined)) return "finished";
  return place === undefined ? "waiting" : "items";
};

const wordsOf = (utterances: readonly Partial<Utterance>[]): string =>
  JSON.stringify(utterances.map(({ speaker, at, text }) => [speaker, at ?? null, text]));

function utterancesOf(text: string, name: string) {
  try {
    return readTranscript(text, name);
  } catch (error) {
    if (error instanceof InputError) throw new StudyError(400, "malformed", error.message);
    throw error;
  }
}
