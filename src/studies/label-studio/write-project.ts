import { InputError } from "../../core/errors.js";
import type { Json, JsonObject } from "../../core/json.js";
import type { Hash } from "../../core/keys.js";
import { listText } from "../../core/phrases.js";
import { protocolOf } from "../protocols/protocols.js";
import type { Tokens } from "../server/signed-tokens.js";
import type { Study, StudyBlock } from "../study.js";
import type { KeptAnswer } from "../tables/counted-answers.js";
import type { LabelStudioForm } from "./label-studio-form.js";
import {
  aboutOf,
  givenFrom,
  type LabelStudioTaskItem,
  labellingConfig,
  noteQuestion,
  questionsOf,
  showingOf,
  tasksOf,
} from "./label-studio-tasks.js";

/** A block as a project of Label Studio. */
export interface LabelStudioProject {
  readonly block: string;
  /** The labelling configuration. */
  readonly config: string;
  readonly tasks: number;
  readonly annotations: number;
  /** The tasks to import, as a JSON list, piece by piece. */
  json(): AsyncGenerator<string>;
}

export interface WriteProjectOptions {
  readonly answers: readonly KeptAnswer[];
  readonly tokens: Tokens;
  /** Returns what stands for an image in a task: an address, or the image itself as a data URI. */
  readonly addressOf: (image: Hash) => Promise<string>;
}

/** Why a block can't be asked in Label Studio; undefined where it can. */
function whyNotLabelStudio(block: StudyBlock): string | undefined {
  const form = protocolOf(block.settings.protocol).labelStudio;
  return form === undefined
    ? `Label Studio has no ${block.settings.protocol}`
    : form.unsaid?.(block);
}

/**
 * Makes a project of a block: what its tasks show is what participants are shown, and nothing beside.
 * Answers to items and gold items are annotations; repeats and skipped items are left out.
 */
export function labelStudioProject(
  study: Study,
  block: StudyBlock,
  { answers, tokens, addressOf }: WriteProjectOptions,
): LabelStudioProject {
  const form = protocolOf(block.settings.protocol).labelStudio;
  const why = whyNotLabelStudio(block);
  if (form === undefined || why !== undefined) {
    throw new InputError(`Expected a block for Label Studio but ${block.name} is none: ${why}`);
  }
  const tasks = tasksOf(block, tokens);
  const columns = columnsOf(form, { tasks, block });
  const given = new Map<string, KeptAnswer[]>();
  for (const answer of answers) {
    if (answer.block !== block.name || answer.kind === "repeat" || answer.answer === null) continue;
    given.set(answer.item.id, [...(given.get(answer.item.id) ?? []), answer]);
  }
  return {
    block: block.name,
    config: labellingConfig(form, { block, columns }),
    tasks: tasks.length,
    annotations: [...given.values()].reduce((sum, own) => sum + own.length, 0),
    async *json() {
      for (const [index, task] of tasks.entries()) {
        const names = await Promise.all(task.item.images.map(addressOf));
        const data = dataOf(form, { task, block, columns, names });
        const annotations = (given.get(task.item.id) ?? []).map((answer) =>
          annotationOf(form, { answer, task, block }),
        );
        const whole = {
          data: { study: study.id, block: block.name, task: task.key, ...data },
          ...(annotations.length === 0 ? {} : { annotations }),
        };
        yield `${index === 0 ? "[" : ","}\n${JSON.stringify(whole)}`;
      }
      yield "\n]\n";
    },
  };
}

type Columns = ReadonlyMap<string, "one" | "list">;

/** Columns that the tasks of a block show, and whether each is a list. */
function columnsOf(
  { shown }: LabelStudioForm,
  { tasks, block }: { readonly tasks: readonly LabelStudioTaskItem[]; readonly block: StudyBlock },
): Columns {
  const presented = tasks.map((task) => presentedOf(task, block));
  const columns = new Map<string, "one" | "list">();
  for (const { name } of shown) {
    const values = presented.flatMap((item) => item[name] ?? []);
    const isList = presented.some((item) => Array.isArray(item[name]) && item[name].length !== 1);
    if (values.length > 0) columns.set(name, isList ? "list" : "one");
  }
  return columns;
}

const presentedOf = (
  task: LabelStudioTaskItem,
  { settings }: StudyBlock,
  names?: readonly string[],
): JsonObject =>
  protocolOf(settings.protocol).present(
    showingOf(task, { settings, ...(names === undefined ? {} : { names }) }),
  );

/** Every column in every task: Label Studio takes no task that lacks one. */
function dataOf(
  form: LabelStudioForm,
  {
    task,
    block,
    columns,
    names,
  }: {
    readonly task: LabelStudioTaskItem;
    readonly block: StudyBlock;
    readonly columns: Columns;
    readonly names: readonly string[];
  },
): JsonObject {
  const presented = presentedOf(task, block, names);
  return Object.fromEntries(
    [...columns].map(([name, kind]): [string, Json] => {
      const value = presented[name] ?? "";
      const isText = form.shown.some((one) => one.name === name && one.kind === "text");
      if (isText) return [name, value];
      const images = Array.isArray(value) ? value : [value];
      return [name, kind === "list" ? images : (images[0] ?? "")];
    }),
  );
}

/** An answer as an annotation. Label Studio takes no annotator it doesn't know: the pseudonym is a meta. */
function annotationOf(
  form: LabelStudioForm,
  {
    answer: { answer, participant, note, milliseconds },
    task,
    block,
  }: {
    readonly answer: KeptAnswer;
    readonly task: LabelStudioTaskItem;
    readonly block: StudyBlock;
  },
): JsonObject {
  const fields = {
    ...form.fields(givenFrom(answer ?? {}, { task, block })),
    ...(note === undefined ? {} : { [noteQuestion]: note }),
  };
  const result = questionsOf(form, block).flatMap((question): JsonObject[] => {
    const value = new Map(Object.entries(fields)).get(question.name);
    if (value === undefined) return [];
    const words = typeof value === "object" ? [...value] : [String(value)];
    const [type, held]: [string, JsonObject] = {
      rating: ["rating", { rating: Number(value) }] as [string, JsonObject],
      pairwise: ["pairwise", { selected: String(value) }] as [string, JsonObject],
      choices: ["choices", { choices: words }] as [string, JsonObject],
      several: ["choices", { choices: words }] as [string, JsonObject],
      text: ["textarea", { text: words }] as [string, JsonObject],
    }[question.kind];
    const to = aboutOf(form, question);
    const about = { id: `${participant}-${question.name}`, from_name: question.name, to_name: to };
    return [{ ...about, type, value: held, meta: { participant } }];
  });
  return {
    result,
    ...(milliseconds === undefined ? {} : { lead_time: milliseconds / 1000 }),
  };
}

/** @throws InputError where no block of a study can be asked in Label Studio. */
export function blocksForLabelStudio(
  study: Study,
  wanted: string | undefined,
): { readonly blocks: readonly StudyBlock[]; readonly left: readonly string[] } {
  const named = study.blocks.filter(({ name }) => wanted === undefined || name === wanted);
  if (named.length === 0) {
    const names = listText(study.blocks.map(({ name }) => name));
    throw new InputError(`Expected one of ${names} for --block but received "${wanted}"`);
  }
  const blocks = named.filter((block) => whyNotLabelStudio(block) === undefined);
  const left = named.flatMap((block) => {
    const why = whyNotLabelStudio(block);
    return why === undefined ? [] : [`${block.name}: ${why}`];
  });
  if (blocks.length > 0) return { blocks, left };
  throw new InputError("Expected a block that Label Studio can ask but there is none", {
    problems: left,
  });
}
