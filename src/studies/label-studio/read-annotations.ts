import type { JsonObject } from "../../core/json.js";
import { type ForeignFile, refuse } from "../../tables/foreign/foreign-table.js";
import {
  annotatorOf,
  type LabelStudioAnnotation,
  type LabelStudioTask,
  type LabelStudioValue,
  labelStudioTasks,
  resultsOf,
} from "../../tables/foreign/label-studio-export.js";
import { protocols } from "../protocols/protocols.js";
import type { Tokens } from "../server/signed-tokens.js";
import type { Study, StudyBlock } from "../study.js";
import { type LabelStudioTaskItem, showingOf, tasksOf } from "./label-studio-tasks.js";
import { noteQuestion, questionsOf } from "./labelling-config.js";

/** Somebody's answer in Label Studio to an item of a study. */
export interface ReadAnnotation {
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
 * Reads a JSON export of projects that were made of a study. Annotations that the study itself had
 * given are its own already.
 *
 * @throws InputError that lists what was not understood: tasks of another study, other questions,
 *   regions, answers that the protocol doesn't have.
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

/** Reads an annotation; "own" where the study had given it, other words for what is wrong. */
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
  // Pairwise can be sent without a side: that is no answer.
  if (annotation.was_cancelled === true || annotation.result.length === 0) {
    return { ...about, answer: null, given: null, note: undefined };
  }
  const protocol = protocols[block.settings.protocol];
  const form = protocol.labelStudio;
  if (form === undefined) return `${place}: Label Studio has no ${protocol.name}`;
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
