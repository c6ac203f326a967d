import type {
  ChatModel,
  ChatReply,
  ChatRequest,
  ModelIdentity,
} from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { lookingModel } from "./looking-model.js";
import type { Runtime } from "./runtime.js";
import { byLikelihood, chosenToken, tokenChoices } from "./token-choices.js";

const digits = Array.from({ length: 10 }, (_, digit) => String(digit));

/**
 * A model that scores by one digit how well a picture shows a text, from a folder as `lookingModel` reads
 * it, with onnx/head.onnx (features and the meaning of a text -> logits [1, 10]).
 *
 * Of the last message it takes the picture and the text in the first quotation marks; no other word
 * moves it. It says the likeliest digit at temperature 0, else one drawn by the request's seed and the
 * trial; its alternatives have their log-probabilities.
 */
export function digitScorer(
  directory: URL,
  identity: () => ModelIdentity,
  runtime?: Runtime,
): ChatModel {
  const model = lookingModel(directory, "head", { runtime });
  return {
    get identity() {
      return identity();
    },
    madeFor: ["score"],
    async chat(request, options): Promise<ChatReply> {
      const { model: name } = identity();
      const { image, text } = taskOf(request, `lab:${name}`);
      const [logits] = await model.read(image, [text], options);
      const { temperature = 0, seed = 0, topLogProbabilities } = request;
      const choices = tokenChoices(digits, logits?.data ?? []);
      const random = randomFrom(`lab:${name}`, seed, options?.trial ?? 0);
      const said = chosenToken(choices, temperature, random);
      const alternatives = byLikelihood(choices).slice(0, topLogProbabilities);
      return {
        text: said.token,
        finish: "stop",
        ...(topLogProbabilities === undefined ? {} : { tokens: [{ ...said, alternatives }] }),
      };
    },
  };
}

function taskOf({ messages }: ChatRequest, name: string) {
  const asked = messages.findLast(({ role }) => role === "user")?.parts ?? [];
  const [image, another] = asked.flatMap((part) => (part.type === "image" ? [part.image] : []));
  if (image === undefined || another !== undefined) {
    throw new NoAnswer("not-applicable", `${name} scores one picture at a time`);
  }
  const said = asked.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const text = /"(?<text>[^"]+)"/.exec(said)?.groups?.text;
  if (text === undefined) {
    throw new NoAnswer(
      "not-applicable",
      `${name} scores a picture against the text in quotation marks, and there is none`,
    );
  }
  return { image, text };
}
