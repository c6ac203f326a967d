import { canonicalJson, type JsonObject } from "../../core/json.js";
import { type ForeignFile, refuse } from "../../tables/foreign/foreign-table.js";
import {
  annotatorOf,
  type LabelStudioAnnotation,
  type LabelStudioTask,
  type LabelStudioValue,
  labelStudioTasks,
  resultsOf,
} from "../../tables/foreign/label-studio-export.js";
import type { EventOf, ParticipantEvent } from "../home/participant-event.js";
import { readState } from "../home/read-state.js";
import type { StudyChange } from "../home/study-change.js";
import type { StudyHome } from "../home/study-home.js";
import type { ParticipantState } from "../home/study-state.js";
import { protocolOf } from "../protocols/protocols.js";
import { proofOf, type Tokens } from "../server/signed-tokens.js";
import type { Study, StudyBlock } from "../study.js";
import {
  type LabelStudioTaskItem,
  noteQuestion,
  questionsOf,
  showingOf,
  tasksOf,
} from "./label-studio-tasks.js";

/** An answer in Label Studio to an item of a study. */
interface ReadAnnotation {
  /** As Label Studio names them: an address, or a number of that server. */
  readonly annotator: string;
  readonly block: StudyBlock;
  readonly task: LabelStudioTaskItem;
  /** In the item's own terms; null where the task was skipped. */
  readonly answer: JsonObject | null;
  readonly given: JsonObject | null;
  readonly note: string | undefined;
  readonly milliseconds: number | undefined;
  /** Milliseconds since 1970; undefined where the export doesn't say. */
  readonly at: number | undefined;
}

export interface ReadAnnotations {
  readonly annotations: readonly ReadAnnotation[];
  /** Notes on what was left out, and why. */
  readonly notes: readonly string[];
}

/**
 * Reads a JSON export of projects that were made of a study. Annotations that came from the study itself
 * are skipped.
 * @throws InputError that lists what was not understood: tasks of another study, other questions, regions,
 * answers that the protocol doesn't have.
 */
export function readAnnotations(
  study: Study,
  { files, tokens }: { readonly files: readonly ForeignFile[]; readonly tokens: Tokens },
): ReadAnnotations {
  const blocks = new Map(
    study.blocks.map((block) => [
      block.name,
      { block, tasks: new Map(tasksOf(block, tokens).map((task) => [task.key, task])) },
    ]),
  );
  const problems: string[] = [];
  const annotations: ReadAnnotation[] = [];
  const count = { own: 0, predictions: 0, drafts: 0 };
  for (const task of files.flatMap((file) => labelStudioTasks(file))) {
    const found = blocks.get(String(task.data.block));
    const of = found?.tasks.get(String(task.data.task));
    if (task.data.study !== study.id || found === undefined || of === undefined) {
      problems.push(`task ${task.id}: its study, block and task are none of this study`);
      continue;
    }
    count.predictions += task.predictions?.length ?? 0;
    count.drafts += task.drafts?.length ?? 0;
    for (const annotation of task.annotations) {
      const read = readAnnotation(annotation, { task, of, block: found.block });
      if (read === "own") count.own += 1;
      else if (typeof read === "string") problems.push(read);
      else annotations.push(read);
    }
  }
  refuse(problems, `annotations of the study ${study.settings.title}`);
  return { annotations, notes: notesOn(count) };
}

function notesOn({ own, predictions, drafts }: Record<"own" | "predictions" | "drafts", number>) {
  const left = [
    [own, "this study's own answers"],
    [predictions, "predictions, which nobody answered"],
    [drafts, "drafts, which nobody submitted"],
  ] as const;
  return left.flatMap(([count, what]) => (count === 0 ? [] : [`Left out ${what}: ${count}.`]));
}

/** Reads an annotation; "own" where it came from the study, any other text says what is wrong. */
function readAnnotation(
  annotation: LabelStudioAnnotation,
  {
    task: { id },
    of,
    block,
  }: {
    readonly task: LabelStudioTask;
    readonly of: LabelStudioTaskItem;
    readonly block: StudyBlock;
  },
): ReadAnnotation | string {
  const place = `task ${id}, annotation ${annotation.id}`;
  const at = Date.parse(annotation.updated_at ?? "");
  const about = {
    annotator: annotatorOf(annotation),
    block,
    task: of,
    milliseconds:
      typeof annotation.lead_time === "number"
        ? Math.round(annotation.lead_time * 1000)
        : undefined,
    at: Number.isNaN(at) ? undefined : at,
  };
  // Label Studio lets people send a pair without a choice: that is no answer.
  if (annotation.was_cancelled === true || annotation.result.length === 0) {
    return { ...about, answer: null, given: null, note: undefined };
  }
  const protocol = protocolOf(block.settings.protocol);
  const form = protocol.labelStudio;
  if (form === undefined) return `${place}: Label Studio has no ${block.settings.protocol}`;
  const asked = questionsOf(form, block).map(({ name }) => name);
  const fields = new Map<string, LabelStudioValue>();
  for (const result of resultsOf(annotation)) {
    if (result === undefined) return `${place}: a result without from_name, type and value`;
    const { question, value, words, meta } = result;
    if (typeof meta === "object" && meta !== null && "participant" in meta) return "own";
    if (!asked.includes(question)) {
      return `${place}, ${question}: not among ${asked.join(", ")} (${words})`;
    }
    if (value === undefined || fields.has(question)) return `${place}, ${question}: ${words}`;
    fields.set(question, value);
  }
  const note = fields.get(noteQuestion);
  fields.delete(noteQuestion);
  const showing = showingOf(of, block);
  const given = protocol.answer(showing).safeParse(form.given(Object.fromEntries(fields)));
  if (!given.success) {
    const [issue] = given.error.issues;
    return `${place}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`;
  }
  return {
    ...about,
    given: given.data,
    answer: protocol.recorded(given.data, showing),
    note: note === undefined ? undefined : [note].flat().join("\n"),
  };
}

/** Counts of annotations taken over, and of those that were not. */
export interface TakenAnnotations {
  /** Participants who are new. */
  readonly participants: number;
  readonly answers: number;
  /** Other answers by a person to an item answered before; both are kept, the latest counts. */
  readonly corrections: number;
  /** Answers that the study had already. */
  readonly known: number;
  /** Answers of people who were erased; left out. */
  readonly erased: number;
}

/**
 * Stores annotations as answers of participants whose consent was collected elsewhere. A person is
 * identified by `source` and the name there, which is stored with the outside ids. An annotation that is
 * read again changes nothing. The study must not be served meanwhile.
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
    // The same mark for the same person, so that an erased person is recognised without their name.
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

/** Marks a consent that was given outside this study. */
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
