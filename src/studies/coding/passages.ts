import { isPlainObject, type JsonObject } from "../../core/json.js";
import type { StudyHome } from "../home/study-home.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import type { AnswerTable } from "../protocols/protocol.js";
import { Showings, type Shown, stepsOf } from "../server/showings.js";
import { Tokens } from "../server/signed-tokens.js";
import type { StudyItem } from "../study.js";
import type { KeptAnswer } from "../tables/counted-answers.js";

/** A text to be coded: what somebody wrote or said about a query or about a model's images of it. */
export interface Passage {
  readonly passage: string;
  readonly participant: string;
  readonly query: string;
  /** Empty where the passage is about no model's images. Coders don't see it. */
  readonly model: string;
  /** The letter under which the participant saw the model's images; empty where the passage is about none. */
  readonly images: string;
  /** The question, such as "expectation" or "stereotypes". */
  readonly part: string;
  readonly text: string;
}

/** The passages of a study's answers: expectations, comments by model, reasons and notes. */
export function passagesOf(answers: readonly KeptAnswer[]): readonly Passage[] {
  return answers.flatMap(({ block, item, kind, participant, answer, note }) => {
    if (kind !== "item") return [];
    const about = {
      participant,
      query: queryOf(item),
      id: `${block}/${item.id}/${participant}`,
    };
    return [
      ...passage(about, { part: "expectation", text: answer?.words }),
      ...passage(about, { part: "why", text: answer?.why }),
      ...passage(about, { part: "note", text: note }),
      ...Object.entries(objectOf(answer?.comments)).flatMap(([model, comments]) => {
        const images = letterOf(model, answer);
        return Object.entries(objectOf(comments)).flatMap(([part, own]) =>
          passage(about, { model, images, part, text: own }),
        );
      }),
    ];
  });
}

/** The letter of a model's images: its place in the order in which they were shown. */
function letterOf(model: string, answer: JsonObject | null): string {
  const order = Array.isArray(answer?.order) ? answer.order : [];
  const at = order.indexOf(model);
  return at < 0 ? "" : String.fromCharCode(65 + at);
}

/** Subject of an item, in words. */
const queryOf = ({ id, content: { query, caption, text } }: StudyItem): string =>
  String(query ?? caption ?? text ?? id);

function passage(
  { participant, query, id }: { participant: string; query: string; id: string },
  {
    model = "",
    images = "",
    part,
    text,
  }: { model?: string; images?: string; part: string; text: unknown },
): Passage[] {
  if (typeof text !== "string" || text.trim() === "") return [];
  const name = [id, images, part].filter((word) => word !== "").join("/");
  return [{ passage: name, participant, query, model, images, part, text: text.trim() }];
}

const objectOf = (value: unknown): JsonObject =>
  isPlainObject(value) ? (value as JsonObject) : {};

/** A facilitator's note, or an utterance of a transcript, and what was shown then. */
export interface SessionPassage extends Passage {
  readonly kind: "note" | "transcript";
  /** Milliseconds since 1970; undefined where a transcript does not say. */
  readonly at: number | undefined;
  /** Seconds since consent; since the transcript's first line where its beginning is unknown. */
  readonly seconds: number | undefined;
  readonly block: string;
  readonly item: string;
  /** Codes that the facilitator gave during the session. */
  readonly codes: readonly string[];
}

/**
 * Notes and utterances of moderated sessions, in order. An utterance is about what was shown
 * at its time, where the transcript's beginning is known.
 */
export function sessionPassages(home: StudyHome, state: StudyState): readonly SessionPassage[] {
  const showings = new Showings(home.study, new Tokens(home.secret));
  return [...state.participants.values()].flatMap((participant) => [
    ...notesOf(participant, showings),
    ...utterancesOf(participant, showings),
  ]);
}

/** The passages as a table for other programs. */
export const sessionTable = (passages: readonly SessionPassage[]): AnswerTable =>
  passages.map(({ participant, kind, at, seconds, part, block, item, query, model, ...said }) => ({
    participant,
    kind,
    at: at === undefined ? null : new Date(at).toISOString(),
    seconds: seconds ?? null,
    part,
    block,
    item,
    query,
    model,
    text: said.text,
    codes: said.codes.join(";"),
  }));

function notesOf(participant: ParticipantState, showings: Showings): SessionPassage[] {
  const { id, person, notes, consentedAt } = participant;
  return [...notes.values()].flatMap(({ id: note, at, text, codes, assignment, step }) =>
    text === "" && codes.length === 0
      ? []
      : [
          {
            passage: `note/${id}/${note}`,
            participant: person,
            kind: "note",
            at,
            seconds: (at - consentedAt) / 1000,
            ...about(participant, { assignment, step, showings }),
            part: "facilitator's note",
            text,
            codes,
          } as const,
        ],
  );
}

function utterancesOf(participant: ParticipantState, showings: Showings): SessionPassage[] {
  const { id, person, transcripts, consentedAt } = participant;
  return [...transcripts.values()].flatMap(({ name, query, begunAt, utterances }) =>
    utterances.map(({ speaker, at: seconds, text }, place) => {
      const at =
        begunAt === undefined || seconds === undefined ? undefined : begunAt + 1000 * seconds;
      const shown =
        at === undefined ? undefined : participant.shown.findLast((one) => one.at <= at);
      const seen = about(participant, {
        assignment: shown?.assignment ?? null,
        step: shown?.step ?? 0,
        showings,
      });
      return {
        passage: `transcript/${id}/${name}/${place + 1}`,
        participant: person,
        kind: "transcript",
        at,
        seconds: at === undefined ? seconds : (at - consentedAt) / 1000,
        ...seen,
        query: query ?? seen.query,
        part: speaker === "" ? "said" : `said by ${speaker}`,
        text,
        codes: [],
      } as const;
    }),
  );
}

/** Item that was shown: its query, and its model where the step showed the images of one. */
function about(
  participant: ParticipantState,
  {
    assignment: name,
    step,
    showings,
  }: { readonly assignment: string | null; readonly step: number; readonly showings: Showings },
): Pick<SessionPassage, "block" | "item" | "query" | "model" | "images"> {
  const shown = name === null ? undefined : shownUnder(participant, { name, showings });
  if (shown === undefined) {
    return { block: "", item: "", query: "", model: "", images: "" };
  }
  const models = stepsOf(shown)[step] ?? [];
  const [only] = models.length === 1 ? models : [];
  const { item } = shown.showing;
  return {
    block: shown.block.name,
    item: item.id,
    query: queryOf(item),
    model: only?.model ?? "",
    images: only?.label ?? "",
  };
}

function shownUnder(
  participant: ParticipantState,
  { name, showings }: { readonly name: string; readonly showings: Showings },
): Shown | undefined {
  const { open, assignments } = participant;
  const assignment = open?.name === name ? open : assignments.get(name)?.assignment;
  return assignment && showings.of(participant, assignment);
}
