import { readFile } from "node:fs/promises";
import { keepRecent, once } from "touchstone-t2i/internal/core/cache.js";
import type {
  CallOptions,
  ChatModel,
  ChatPart,
  ChatReply,
  ChatRequest,
  ModelIdentity,
  Picture,
  TokenChoice,
} from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { z } from "zod";
import { instructionIds } from "./instruction-words.js";
import { lookingModel } from "./looking-model.js";
import { openGraph, runInPool } from "./onnx-pool.js";
import type { Runtime } from "./runtime.js";
import { instructionTensor } from "./tensors.js";
import { byLikelihood, chosenToken, tokenChoices } from "./token-choices.js";

const config = z.object({ sharpness: z.number().positive() });

/** Most pairs of picture and caption to keep in memory; each takes some hundred numbers. */
const mostSeen = 256;

/**
 * Makes a judge that says which of two pictures suits a caption better, from a folder as `lookingModel`
 * reads it: onnx/reader_model.onnx (features, input_ids -> seen) and onnx/judge_model.onnx (first,
 * second, instruction_ids -> logits [1, 3] of the first, the second and a tie). Each picture is read once
 * with a caption, however many prompts ask about it.
 *
 * `pairTaskOf` reads the request. All words but the caption are the instruction, which changes how the
 * judge weighs faults and what biases it. It answers with a picture's label, or "tie" where the request
 * allows that: the likeliest at temperature 0, else one drawn by the request's seed and the trial.
 * Alternatives come with log-probabilities.
 *
 * Logits are multiplied by the `sharpness` of config.json, so that the judge is overconfident as large
 * models are.
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

/** A question to a judge of pairs. */
export interface PairTask {
  readonly caption: string;
  /** The pictures in the order shown, each with its label. */
  readonly shown: readonly [ShownPicture, ShownPicture];
  /** All words but the caption, labels included. */
  readonly instruction: string;
  /** True where the judge may answer "tie". */
  readonly ties: boolean;
}

interface ShownPicture {
  readonly picture: Picture;
  /** The label before the picture without punctuation: "A" for "A)". */
  readonly answer: string;
}

/** The answer where neither is better. */
const tieAnswer = "tie";

/**
 * Reads a request made from data/prompts/pairwise.yaml: two pictures in the user's last message, a label
 * before each, the caption in the first quotation marks; ties are allowed where the word "tie" is there.
 *
 * @throws NoAnswer "not-applicable" that says what is missing.
 */
export function pairTaskOf({ messages }: ChatRequest): PairTask {
  const refused = (detail: string) => new NoAnswer("not-applicable", `lab:judge ${detail}`);
  const asked = messages.findLast(({ role }) => role === "user")?.parts ?? [];
  const [first, second, third] = shownIn(asked);
  if (first === undefined || second === undefined || third !== undefined) {
    throw refused("compares two pictures, no more and no fewer");
  }
  const labels = [first, second].map(({ answer }) => answer.toLowerCase());
  if (labels.includes("") || labels[0] === labels[1]) {
    throw refused("needs a label of its own before each of the two pictures");
  }
  const said = textOf(asked);
  const quoted = /"(?<caption>[^"]+)"/.exec(said);
  if (quoted?.groups?.caption === undefined) {
    throw refused("compares pictures for the caption in quotation marks, and there is none");
  }
  const system = messages.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  const instruction = [textOf(system), said.replace(quoted[0], " ")].join("\n");
  if (instructionIds(instruction).length === 0) throw refused("needs a word of what it is to do");
  return {
    caption: quoted.groups.caption,
    shown: [first, second],
    instruction,
    ties: wordsOf(instruction).includes(tieAnswer),
  };
}

const textOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns each picture with the last unquoted word before it, or "" right after another picture. */
function shownIn(parts: readonly ChatPart[]): ShownPicture[] {
  return parts.flatMap((part, at) => {
    if (part.type !== "image") return [];
    const before = parts[at - 1];
    const unquoted = before?.type === "text" ? before.text.replaceAll(/"[^"]*"/g, " ") : "";
    const words = unquoted.match(/[\p{L}\p{N}]+/gu);
    return [{ picture: part.image, answer: words?.at(-1) ?? "" }];
  });
}
