import type {
  ChatModel,
  ChatReply,
  ChatRequest,
  ChatToken,
  ModelIdentity,
  TokenChoice,
} from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { instructionIds } from "./instruction-words.js";
import { lookingModel } from "./looking-model.js";
import type { Runtime } from "./runtime.js";
import { instructionTensor } from "./tensors.js";
import { byLikelihood, chosenToken, tokenChoices } from "./token-choices.js";

/**
 * A judge that rates from 1 to 4 how well a picture shows a text, from a folder as `lookingModel`
 * reads it, with onnx/rating_model.onnx (also instruction_ids -> logits [1, 4]).
 *
 * Of the last message it takes the picture and the text in the first quotation marks; all other
 * words of the system's and the last message are its instruction, and their choice moves its rating
 * a little. It answers with the digit alone or, where the request has an answer schema, with
 * `{"rating": n}`: the likeliest one at temperature 0, else one drawn by the request's seed and the
 * trial. Only the digit is in doubt: its alternatives have their log-probabilities.
 */
export function rater(directory: URL, identity: () => ModelIdentity, runtime?: Runtime): ChatModel {
  const model = lookingModel(directory, "rating_model", { runtime });
  return {
    get identity() {
      return identity();
    },
    madeFor: ["rating"],
    async chat(request, options) {
      const { image, text, instruction } = taskOf(request);
      const beside = { instruction_ids: instructionTensor(instruction) };
      const [logits] = await model.read(image, [text], { ...options, beside });
      const { temperature = 0, seed = 0 } = request;
      const ratings = tokenChoices(["1", "2", "3", "4"], logits?.data ?? []);
      const random = randomFrom("lab:rater", seed, options?.trial ?? 0);
      return replyOf(chosenToken(ratings, temperature, random), ratings, request);
    },
  };
}

function taskOf({ messages }: ChatRequest) {
  const asked = messages.findLast(({ role }) => role === "user")?.parts ?? [];
  const [image, another] = asked.flatMap((part) => (part.type === "image" ? [part.image] : []));
  if (image === undefined || another !== undefined) {
    throw new NoAnswer("not-applicable", "lab:rater rates one picture at a time");
  }
  const said = asked.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const quoted = /"(?<text>[^"]+)"/.exec(said);
  if (quoted?.groups?.text === undefined) {
    throw new NoAnswer(
      "not-applicable",
      "lab:rater rates a picture against the text in quotation marks, and there is none",
    );
  }
  const system = messages.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  const rest = system.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const instruction = [...rest, said.replace(quoted[0], " ")].join("\n");
  if (instructionIds(instruction).length === 0) {
    throw new NoAnswer("not-applicable", "lab:rater needs a word of what it is to do");
  }
  return { image, text: quoted.groups.text, instruction };
}

function replyOf(
  { token, logProbability }: TokenChoice,
  ratings: readonly TokenChoice[],
  { answerSchema, topLogProbabilities }: ChatRequest,
): ChatReply {
  const digit: ChatToken = {
    token,
    logProbability,
    alternatives: byLikelihood(ratings).slice(0, topLogProbabilities ?? 0),
  };
  const around = answerSchema === undefined ? ["", ""] : ['{"rating": ', "}"];
  const [before = "", after = ""] = around;
  const tokens = [
    ...(before === "" ? [] : [certain(before)]),
    digit,
    ...(after === "" ? [] : [certain(after)]),
  ];
  return {
    text: `${before}${token}${after}`,
    finish: "stop",
    ...(topLogProbabilities === undefined ? {} : { tokens }),
  };
}

const certain = (token: string): ChatToken => ({
  token,
  logProbability: 0,
  alternatives: [{ token, logProbability: 0 }],
});
