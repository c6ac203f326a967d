import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { ChatModel, Decomposer } from "../../core/models.js";
import { jsonAnswer } from "../chat/json-answer.js";

/**
 * Has a chat model take descriptions apart. Its answer is checked: every entity and every attribute
 * must stand in the text as a word, or the model is told which does not and asked once more.
 *
 * @throws NoAnswer "refused" or "unparsable" where there is no such answer.
 */
export function chatDecomposer({ model }: { readonly model: ChatModel }): Decomposer {
  return {
    identity: model.identity,
    async decompose(text, options) {
      const { instruction, question } = wording();
      const asked = question.replace("{text}", () => text);
      const request = {
        messages: [
          { role: "system", parts: [{ type: "text", text: instruction }] },
          { role: "user", parts: [{ type: "text", text: asked }] },
        ],
        temperature: 0,
      } as const;
      const schema = structureOf(text);
      const answer = await jsonAnswer({ model, request, name: "structure", schema }, options);
      return answer.entities;
    },
  };
}

const promptSchema = z.strictObject({
  instruction: z.string().min(1),
  question: z.string().includes("{text}"),
});

let loaded: z.output<typeof promptSchema> | undefined;

function wording(): z.output<typeof promptSchema> {
  loaded ??= promptSchema.parse(
    parse(readFileSync(new URL("../../../data/decomposer/prompt.yaml", import.meta.url), "utf8")),
  );
  return loaded;
}

/** The form of the answer, with nothing in it that the text does not say. */
function structureOf(text: string) {
  const words = wordsOf(text);
  const said = z
    .string()
    .refine((phrase) => wordsOf(phrase) !== " " && words.includes(wordsOf(phrase)), {
      error: ({ input }) => `${JSON.stringify(input)} does not stand in the description`,
    });
  return z.object({
    entities: z.array(z.object({ entity: said, attributes: z.array(said) })).min(1),
  });
}

/** Lower case words with blanks around, so that "cat" does not stand in "catalogue". */
const wordsOf = (text: string) =>
  ` ${[...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word).join(" ")} `;
