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
import type { Outcome, RecordOf } from "../core/records.js";
import { NoAnswer } from "../core/unscored.js";
import { cosine } from "../metrics/cosine.js";
import { jsonAnswer } from "../models/chat/json-answer.js";
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

/** Rules that rewrites are checked against; data/stereotypes/refine.yaml and stereotype-words.yaml have them. */
export interface RefineRules {
  /** The longest rewrite, in words. */
  readonly words: number;
  /** Words of pictures that are made of several. */
  readonly collage: readonly string[];
  /** Words that mode meaning may leave out. */
  readonly small: readonly string[];
  /** Words that bring a stereotype; * stands for any ending. */
  readonly stereotypes: readonly string[];
}

/**
 * The rules that a rewrite of a query breaks, a sentence each, as its writer is told them. Each
 * begins with the rule's name: empty, query, length, collage, stereotype-word.
 *
 * @param keepsMeaning whether something else checks that a rewrite in mode meaning keeps the query's
 *   sense; else every word of the query but the small ones must be in it
 */
export function brokenRules(
  {
    query,
    prompt,
    mode,
    keepsMeaning = false,
  }: {
    readonly query: string;
    readonly prompt: string;
    readonly mode: RecordOf<"refinement">["mode"];
    readonly keepsMeaning?: boolean;
  },
  rules: RefineRules,
): string[] {
  const said = wordsOf(prompt);
  const asked = wordsOf(query);
  if (said.length === 0) return ["empty: the prompt has no words"];
  return [
    ...queryProblem({ asked, said, mode, keepsMeaning, small: rules.small }),
    ...(said.length > rules.words
      ? [`length: the prompt has ${said.length} words, more than ${rules.words}`]
      : []),
    ...newWords(rules.collage, { asked, said }).map(
      (word) => `collage: "${word}" is a word of several pictures; describe one scene`,
    ),
    ...newWords(rules.stereotypes, { asked, said }).map(
      (word) => `stereotype-word: "${word}" may bring a stereotype that the query has not`,
    ),
  ];
}

function queryProblem({
  asked,
  said,
  mode,
  keepsMeaning,
  small,
}: {
  readonly asked: readonly string[];
  readonly said: readonly string[];
  readonly mode: "verbatim" | "meaning";
  readonly keepsMeaning: boolean;
  readonly small: readonly string[];
}): string[] {
  if (mode === "verbatim") {
    return stands(asked, said)
      ? []
      : [`query: the query "${asked.join(" ")}" does not stand in the prompt word for word`];
  }
  if (keepsMeaning) return [];
  const lost = asked.filter((word) => !small.includes(word) && !said.includes(word));
  return lost.length === 0 ? [] : [`query: the prompt lacks ${lost.join(", ")} of the query`];
}

/** The listed words and phrases that the rewrite has and the query has not. */
function newWords(
  listed: readonly string[],
  { asked, said }: { readonly asked: readonly string[]; readonly said: readonly string[] },
): string[] {
  return listed.filter((phrase) => {
    const words = listedWords(phrase);
    return stands(words, said) && !stands(words, asked);
  });
}

/** Whether a phrase stands in a text as whole words in a row. */
function stands(phrase: readonly string[], text: readonly string[]): boolean {
  if (phrase.length === 0) return false;
  return text.some((_, start) =>
    phrase.every((word, at) => {
      const there = text[start + at];
      if (there === undefined) return false;
      return word.endsWith("*") ? there.startsWith(word.slice(0, -1)) : there === word;
    }),
  );
}

/** Lower case, no punctuation; hyphens part words, so that "third-world" is two. */
const wordsOf = (text: string): string[] =>
  foundIn(text, /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu);

/** The same, and the * at the end of a listed word. */
const listedWords = (text: string): string[] =>
  foundIn(text, /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*\*?/gu);

const foundIn = (text: string, word: RegExp): string[] =>
  [...text.normalize("NFC").toLowerCase().matchAll(word)].map(([found]) => found);
