import { z } from "zod";
import { refineModes } from "../core/audit-records.js";
import {
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
  modelName,
  type Picture,
  type TextEmbedder,
  turn,
} from "../core/models.js";
import type { Outcome } from "../core/records.js";
import { NoAnswer } from "../core/unscored.js";
import { cosine } from "../metrics/cosine.js";
import { jsonAnswer } from "../models/chat/json-answer.js";
import { brokenRules, type RefineRules } from "./refine-rules.js";
import { taskIn, taskText } from "./rubric-message.js";

/** That a rewrite in mode meaning keeps the query's sense, by the cosine of their embeddings. */
export interface SimilarityCheck {
  readonly model: TextEmbedder;
  /** The least cosine of query and rewrite. */
  readonly minimum: number;
}

const answerSchema = z.object({ prompt: z.string().min(1) });

/**
 * Has a chat model rewrite a query, and checks what it writes. A rewrite that breaks a rule is shown
 * to the model with the rules it breaks, `askings` times in all.
 *
 * @throws NoAnswer "unparsable" where the last one breaks a rule too, with all that was broken;
 *   whatever the model itself throws.
 * @example await refinePrompt({ model, wording, rules, task, pictures, askings: 3 })
 */
export async function refinePrompt(
  {
    model,
    wording,
    rules,
    task,
    pictures,
    askings,
    similarity,
  }: {
    readonly model: ChatModel;
    readonly wording: RefineWording;
    readonly rules: RefineRules;
    readonly task: RefineTask;
    readonly pictures: readonly Picture[];
    readonly askings: number;
    readonly similarity?: SimilarityCheck | undefined;
  },
  options: CallOptions = {},
): Promise<Outcome<"refinement">> {
  let messages: readonly ChatMessage[] = refineMessages({ wording, task, pictures });
  const refused: { prompt: string; problems: string[] }[] = [];
  for (let asking = 1; asking <= askings; asking++) {
    const { prompt } = await jsonAnswer(
      {
        model,
        name: "rewrite",
        schema: answerSchema,
        request: { messages: [...messages], temperature: asking === 1 ? 0 : 0.7 },
      },
      options,
    );
    const said = prompt.trim().replaceAll(/\s+/g, " ");
    const cosine = await similarityOf(task, said, { similarity, options });
    const problems = [
      ...brokenRules(
        { ...task, prompt: said, keepsMeaning: cosine !== undefined },
        { ...rules, words: task.words },
      ),
      ...(similarity !== undefined && cosine !== undefined && cosine < similarity.minimum
        ? [`query: the prompt says another thing (similarity ${cosine.toFixed(2)})`]
        : []),
    ];
    if (problems.length === 0) {
      const measured = cosine === undefined ? {} : { similarity: cosine };
      return { prompt: said, askings: asking, refused, ...measured };
    }
    refused.push({ prompt: said, problems });
    const answer = JSON.stringify({ prompt: said });
    messages = [
      ...messages,
      { role: "assistant", parts: [{ type: "text", text: answer }] },
      refineAgain(wording, problems),
    ];
  }
  const broken = [...new Set(refused.flatMap(({ problems }) => problems))];
  throw new NoAnswer(
    "unparsable",
    `${modelName(model.identity)} wrote no prompt that keeps the rules, asked ` +
      `${askings === 1 ? "once" : `${askings} times`}: ${broken.join("; ")}`,
  );
}

/** `undefined` where the words decide, not an embedder. */
async function similarityOf(
  { query, mode }: RefineTask,
  prompt: string,
  {
    similarity,
    options,
  }: { readonly similarity: SimilarityCheck | undefined; readonly options: CallOptions },
): Promise<number | undefined> {
  if (similarity === undefined || mode === "verbatim") return undefined;
  const { model } = similarity;
  const [one, other] = await Promise.all([
    model.embedText(query, options),
    model.embedText(prompt, options),
  ]);
  return cosine(one, other);
}

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
