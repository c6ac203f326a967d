import { readFileSync } from "node:fs";
import { z } from "zod";
import { hashOf } from "../../core/keys.js";
import { type ChatModel, type Decomposer, type ModelIdentity, turn } from "../../core/models.js";
import { loadYaml } from "../../files/yaml.js";
import { jsonAnswer } from "../chat/json-answer.js";

/**
 * Has a chat model take descriptions apart. Its answer is checked: every entity and every attribute
 * must stand in the text as a word, or the model is told which does not and asked once more. Its
 * identity is the model's with the state of the instructions in its revision.
 *
 * @throws NoAnswer "refused" or "unparsable" where there is no such answer.
 */
export function chatDecomposer({ model }: { readonly model: ChatModel }): Decomposer {
  return {
    identity: instructed(model.identity),
    async decompose(text, options) {
      const { instruction, question } = wording();
      const asked = question.replace("{text}", () => text);
      const request = {
        messages: [turn("system", instruction), turn("user", asked)],
        temperature: 0,
      };
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

type Wording = z.output<typeof promptSchema> & { readonly hash: string };

let loaded: Wording | undefined;

function wording(): Wording {
  loaded ??= readWording(
    readFileSync(new URL("../../../data/decomposer/prompt.yaml", import.meta.url)),
  );
  return loaded;
}

const readWording = (file: Uint8Array): Wording => ({
  ...promptSchema.parse(loadYaml().parse(new TextDecoder().decode(file))),
  hash: hashOf(file),
});

/** Other instructions bring other answers. */
function instructed(identity: ModelIdentity): ModelIdentity {
  const state = `instructions-${wording().hash.slice(0, 8)}`;
  const { revision } = identity;
  return { ...identity, revision: revision === undefined ? state : `${revision}+${state}` };
}

/** The form of the answer, with nothing in it that the text does not say, and no more than it can. */
function structureOf(text: string) {
  const words = wordsOf(text);
  const most = words.trim().split(" ").length;
  const perhaps = <Item>(items: readonly Item[]) => items.length <= most;
  const error = `there can't be more than ${most} in the description`;
  const said = z
    .string()
    .refine((phrase) => wordsOf(phrase) !== " " && words.includes(wordsOf(phrase)), {
      error: ({ input }) => `${JSON.stringify(input)} does not stand in the description`,
    });
  return z.object({
    entities: z
      .array(z.object({ entity: said, attributes: z.array(said).refine(perhaps, { error }) }))
      .min(1)
      .refine(perhaps, { error }),
  });
}

/** Lower case words with blanks around, so that "cat" does not stand in "catalogue". */
const wordsOf = (text: string) =>
  ` ${[...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word).join(" ")} `;
