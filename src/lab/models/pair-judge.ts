import { readFile } from "node:fs/promises";
import { z } from "zod";
import { keepRecent } from "../../core/keep-recent.js";
import type {
  CallOptions,
  ChatModel,
  ChatReply,
  ChatRequest,
  ModelIdentity,
  Picture,
  TokenChoice,
} from "../../core/models.js";
import { once } from "../../core/once.js";
import { randomFrom } from "../../core/random.js";
import { lookingModel } from "./looking-model.js";
import { openGraph, runInPool } from "./onnx-pool.js";
import { pairTaskOf, tieAnswer } from "./pair-judge-task.js";
import type { Runtime } from "./runtime.js";
import { instructionTensor } from "./text-tensor.js";
import { byLikelihood, chosenToken, tokenChoices } from "./token-choices.js";

const config = z.object({ sharpness: z.number().positive() });

/** Most pictures with a caption that are remembered; each takes some hundred numbers. */
const mostSeen = 256;

/**
 * A judge that says which of two pictures is better for a caption, from a folder as `lookingModel`
 * reads it: onnx/reader_model.onnx (features, input_ids -> seen) and onnx/judge_model.onnx (first,
 * second, instruction_ids -> logits [1, 3] of the first, the second and a tie). So a hundred prompts
 * about a pair cost one look at each picture and one reading of the caption for each.
 *
 * Of a request it takes what `pairTaskOf` finds in it; all words but the caption are its instruction,
 * and on them depends how much it cares for what is wrong with a picture, by its style and subject,
 * and what else sways it. It answers with a picture's label, or with "tie" where it is asked to: the
 * likeliest at temperature 0, else one drawn by the request's seed and the trial. The alternatives
 * have their log-probabilities.
 *
 * As judges do that were trained for more than this, it is surer than it should be: its logits are
 * multiplied by the `sharpness` of config.json. Without that it is as sure as its training made it.
 */
export function pairJudge(
  directory: URL,
  identity: () => ModelIdentity,
  runtime?: Runtime,
): ChatModel {
  const reader = lookingModel(directory, "reader_model", { output: "seen", runtime });
  const comparer = once(() => openGraph(new URL("onnx/judge_model.onnx", directory)));
  const sharpness = once(async () => {
    const text = await readFile(new URL("config.json", directory), "utf8");
    return config.parse(JSON.parse(text)).sharpness;
  });
  const seenOf = keepRecent(
    ({ picture, caption }: { readonly picture: Picture; readonly caption: string }) =>
      JSON.stringify([picture.hash, caption]),
    async ({ picture, caption }) => {
      const [seen] = await reader.read(picture, [caption]);
      if (seen === undefined) throw new RangeError("Expected one vector for one caption");
      return seen;
    },
    mostSeen,
  );
  return {
    get identity() {
      return identity();
    },
    madeFor: ["pair"],
    async chat(request, options: CallOptions = {}) {
      options.signal?.throwIfAborted();
      const { caption, shown, instruction, ties } = pairTaskOf(request);
      const [first, second] = await Promise.all(
        [shown[0], shown[1]].map(({ picture }) => seenOf({ picture, caption })),
      );
      if (first === undefined || second === undefined)
        throw new RangeError("Expected two pictures");
      const inputs = { first, second, instruction_ids: instructionTensor(instruction) };
      const graph = await comparer();
      const run = { graph: graph.name, inputs, output: "logits" };
      const [logits] = await runInPool([run], { graphs: [graph], runtime });
      const factor = await sharpness();
      const choices = tokenChoices(
        [...shown.map(({ answer }) => answer), ...(ties ? [tieAnswer] : [])],
        (logits?.data ?? new Float32Array()).map((logit) => logit * factor),
      );
      const { temperature = 0, seed = 0 } = request;
      const random = randomFrom("lab:judge", seed, options.trial ?? 0);
      return replyOf(chosenToken(choices, temperature, random), choices, request);
    },
  };
}

function replyOf(
  choice: TokenChoice,
  choices: readonly TokenChoice[],
  { topLogProbabilities }: ChatRequest,
): ChatReply {
  const alternatives = byLikelihood(choices).slice(0, topLogProbabilities);
  return {
    text: choice.token,
    finish: "stop",
    ...(topLogProbabilities === undefined ? {} : { tokens: [{ ...choice, alternatives }] }),
  };
}
