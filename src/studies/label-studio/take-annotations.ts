import { canonicalJson } from "../../core/json.js";
import type { EventOf, ParticipantEvent } from "../home/participant-event.js";
import { readState } from "../home/read-state.js";
import type { StudyChange } from "../home/study-change.js";
import type { StudyHome } from "../home/study-home.js";
import type { ParticipantState } from "../home/study-state.js";
import { proofOf, type Tokens } from "../server/signed-tokens.js";
import type { ReadAnnotation } from "./read-annotations.js";

/** Counts of annotations taken over, and of those that were not. */
export interface TakenAnnotations {
  /** Participants who are new. */
  readonly participants: number;
  readonly answers: number;
  /** Other answers to what the same person had answered; both are kept, the latest counts. */
  readonly corrections: number;
  /** Answers that the study had already. */
  readonly known: number;
  /** Answers of people who were erased, left out: they would be back. */
  readonly erased: number;
}

/**
 * Takes annotations over as answers of participants whose consent was collected elsewhere. A person
 * is who `source` calls by the same name; that name lies with the outside ids. Read again, an
 * annotation changes nothing. A study that is served must not be written to.
 *
 * @param options.clock milliseconds since 1970
 */
export async function takeAnnotations(
  home: StudyHome,
  {
    annotations,
    source,
    tokens,
    clock,
  }: {
    readonly annotations: readonly ReadAnnotation[];
    readonly source: string;
    readonly tokens: Tokens;
    readonly clock: () => number;
  },
): Promise<TakenAnnotations> {
  const state = await readState(home);
  const known = new Map(
    [...state.participants.values()].flatMap((one) =>
      one.elsewhere !== undefined && one.outside?.source === source
        ? [[one.outside.id, one] as const]
        : [],
    ),
  );
  const byPerson = new Map<string, ReadAnnotation[]>();
  for (const one of annotations) {
    byPerson.set(one.annotator, [...(byPerson.get(one.annotator) ?? []), one]);
  }
  const taken: StudyChange[] = [];
  const count = { participants: 0, answers: 0, corrections: 0, known: 0, erased: 0 };
  for (const [annotator, own] of byPerson) {
    const participant = known.get(annotator);
    // The same for the same person, so that who was erased is known again, and says nothing of them.
    const proof = proofOf(tokens.mac("elsewhere", source, annotator));
    if (state.removalOf(proof) !== undefined) {
      count.erased += own.length;
      continue;
    }
    const id = participant?.id ?? tokens.newSession({}).participant;
    const answers = new Map<string, EventOf<"answer">>();
    const events: ParticipantEvent[] = [];
    for (const annotation of own) {
      const event = eventOf(annotation, { id, tokens, clock, participant, answers });
      if (event === undefined) count.known += 1;
      else {
        count[event.attempt > 1 ? "corrections" : "answers"] += 1;
        answers.set(event.assignment, event);
        events.push(event);
      }
    }
    if (participant === undefined) {
      const consent = { at: clock(), version: elsewhere, elsewhere: source, ordinal: 0, proof };
      events.unshift({ event: "consent", ...consent });
      const outside = { source, id: annotator };
      taken.push({ change: "admitted", participant: { id, events, outside } });
      count.participants += 1;
    } else for (const event of events) taken.push({ change: "event", participant: id, event });
  }
  await home.turn(0, () => taken);
  return count;
}

/** The version of a consent that is not this study's. */
const elsewhere = "elsewhere";

function eventOf(
  { block, task, answer, given, note, milliseconds, at }: ReadAnnotation,
  {
    id,
    tokens,
    clock,
    participant,
    answers,
  }: {
    readonly id: string;
    readonly tokens: Tokens;
    readonly clock: () => number;
    readonly participant: ParticipantState | undefined;
    readonly answers: ReadonlyMap<string, EventOf<"answer">>;
  },
): EventOf<"answer"> | undefined {
  const assignment = tokens.mac("assignment", id, block.name, task.item.id, task.kind);
  const before =
    answers.get(assignment) ?? participant?.assignments.get(assignment)?.answers.at(-1);
  if (before !== undefined && canonicalJson(before.answer) === canonicalJson(answer)) {
    return undefined;
  }
  return {
    event: "answer",
    at: at ?? clock(),
    assignment,
    block: block.name,
    item: task.item.id,
    kind: task.kind,
    swapped: task.swapped,
    protocol: block.settings.protocol,
    attempt: (before?.attempt ?? 0) + 1,
    answer,
    given,
    ...(note === undefined ? {} : { note }),
    ...(milliseconds === undefined ? {} : { milliseconds }),
  };
}
