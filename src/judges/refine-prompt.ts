import { z } from "zod";
import {
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  modelName,
  type Picture,
  type TextEmbedder,
} from "../core/models.js";
import type { Outcome } from "../core/records.js";
import { NoAnswer } from "../core/unscored.js";
import { cosine } from "../metrics/cosine.js";
import { jsonAnswer } from "../models/chat/json-answer.js";
import {
  type RefineTask,
  type RefineWording,
  refineAgain,
  refineMessages,
} from "./refine-message.js";
import { brokenRules, type RefineRules } from "./refine-rules.js";

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
