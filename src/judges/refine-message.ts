import { z } from "zod";
import { type ChatMessage, type ChatRequest, type Picture, turn } from "../core/models.js";
import { refineModes } from "../core/records.js";
import { taskIn, taskText } from "./rubric-task-text.js";

const taskSchema = z.object({
  query: z.string(),
  category: z.string(),
  /** verbatim: the query stays word for word and context is added; meaning: its sense stays. */
  mode: z.enum(refineModes),
  /** A judge's findings in the images: the rubric's item, its question, and the judge's words. */
  stereotypes: z.array(z.object({ item: z.string(), asks: z.string(), explanation: z.string() })),
  /** The longest rewrite that is taken. */
  words: z.int().positive(),
  images: z.int().nonnegative(),
});

/** A refiner's task: the text to rewrite, and the findings to rewrite it against. */
export type RefineTask = z.output<typeof taskSchema>;

const refusalSchema = z.object({ problems: z.array(z.string()).min(1) });

/** The sentences around a task; data/stereotypes/refine.yaml has them. */
export interface RefineWording {
  readonly system: string;
  readonly verbatim: string;
  readonly meaning: string;
  readonly answer: string;
  /** Words before the problems of a rewrite that broke a rule. */
  readonly again: string;
}

/** The messages that ask for a rewrite: as `rubricMessages`, whatever others wrote is JSON. */
export function refineMessages({
  wording,
  task,
  pictures,
}: {
  readonly wording: RefineWording;
  readonly task: RefineTask;
  readonly pictures: readonly Picture[];
}): ChatMessage[] {
  const shown = pictures.flatMap((image, at) => [`Image ${at + 1}`, image]);
  const system = [wording.system, wording[task.mode]].filter(Boolean).join("\n\n");
  return [turn("system", system), turn("user", taskText(task), ...shown, wording.answer)];
}

/** The message that shows what was wrong with a rewrite and asks for another. */
export function refineAgain(
  wording: Pick<RefineWording, "again">,
  problems: readonly string[],
): ChatMessage {
  return turn("user", `${wording.again}\n\n${taskText({ problems })}`);
}

/**
 * The task, the images and what was wrong with earlier rewrites, of a request of `refineMessages`;
 * `undefined` for any other request.
 */
export function readRefineTask(request: Pick<ChatRequest, "messages">):
  | {
      readonly task: RefineTask;
      readonly pictures: readonly Picture[];
      readonly problems: readonly string[];
    }
  | undefined {
  const said = request.messages.filter(({ role }) => role === "user");
  const { data: task } = taskSchema.safeParse(taskIn(said[0]));
  if (task === undefined) return undefined;
  const parts = said.flatMap((message) => message.parts);
  const pictures = parts.flatMap((part) => (part.type === "image" ? [part.image] : []));
  const problems = said
    .slice(1)
    .flatMap((message) => refusalSchema.safeParse(taskIn(message)).data?.problems ?? []);
  return { task, pictures, problems };
}
