import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { type ChatRequest, turn } from "../../src/core/models.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { type YesNoWay, yesNo } from "../../src/models/chat/answers-questions.js";
import { openAiCompatible } from "../../src/models/openai-compatible/openai-compatible.js";
import { handClock } from "../support/hand-clock.js";
import { type Behaviour, completion, misbehavingServer } from "../support/misbehaving-server.js";

const question: ChatRequest = { messages: [turn("user", "Is there a dog?")] };
const json = (value: unknown): Behaviour => ({ kind: "reply", json: value });
const status = (code: number, body: unknown): Behaviour => ({
  kind: "raw",
  status: code,
  text: JSON.stringify(body),
});
const sure = completion({ probabilities: { Yes: 0.8, No: 0.2 } });
const sampled: YesNoWay = { kind: "samples", count: 1 };

/** P(yes) or the reason why there is none, from a server that gives its last reply again and again. */
async function asked(
  behaviours: readonly Behaviour[],
  { way = sampled, request = question }: { way?: YesNoWay; request?: ChatRequest } = {},
) {
  const told: string[] = [];
  const trace: JsonObject[] = [];
  const { baseUrl, received } = await misbehavingServer({
    behave: (_, number) => behaviours[Math.min(number, behaviours.length - 1)] ?? json({}),
  });
  const model = openAiCompatible("tiny", {
    baseUrl,
    clock: handClock(),
    tell: (text) => told.push(text),
  });
  const options = { trace: (entry: JsonObject) => trace.push(entry) };
  const ask = async () => {
    try {
      return (await yesNo({ model, request, way }, options)).probability;
    } catch (error) {
      return error instanceof NoAnswer ? error.reason : String(error);
    }
  };
  return { ask, first: await ask(), calls: () => received.length, sent: received, told };
}

const ending = (finish_reason: string) => json(completion({ text: "", finish_reason }));
const said = (content: unknown, rest: object = {}) =>
  json({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop", ...rest }] });

describe("an answer that comes in another shape is read", () => {
  test.each<[string, Behaviour]>([
    // https://github.com/Calcium-Ion/new-api-horizon/issues/9
    [
      "beside an error without words (new-api)",
      json({ ...sure, error: { message: "", type: "", param: "", code: null } }),
    ],
    ["beside no error at all", json({ ...sure, error: null })],
    // https://github.com/vllm-project/vllm/issues/48645
    ["with its tokeniser's end (DeepSeek)", said("Yes<｜end▁of▁sentence｜>")],
    ["with its template's end (Gemma)", said("Yes<end_of_turn>\n")],
    ["in a part of the newer interface", said([{ type: "output_text", text: "Yes" }])],
    ["without a name for its end", said("Yes", { finish_reason: "" })],
    ["beside tools that nobody called", said("Yes", { tool_calls: [] })],
    ["as a completion's text", json({ choices: [{ text: "Yes", finish_reason: "stop" }] })],
    [
      "as a stream's piece in one reply",
      json({
        object: "chat.completion.chunk",
        choices: [{ delta: { content: "Yes" }, finish_reason: "stop" }],
      }),
    ],
  ])("%s", async (_, behaviour) => {
    const { first, calls } = await asked([behaviour]);
    expect([first, calls()]).toEqual([1, 1]);
  });
});

describe("refusals of a filter are one call, whatever their status", () => {
  test.each<[string, Behaviour]>([
    // https://github.com/UKGovernmentBEIS/inspect_ai/pull/2267
    [
      "403 that names a permission (xAI)",
      status(403, {
        code: "The caller does not have permission to execute the specified operation",
        error: "Content violates usage guidelines. Team: x, Failed check: SAFETY_CHECK_TYPE_BIO",
      }),
    ],
    [
      "403 without the check's name",
      status(403, { code: "permission", error: "Content violates usage guidelines." }),
    ],
    ["a usage policy", status(400, { error: { message: "This violates our usage policies" } })],
    // https://github.com/ai-forever/gigachain/issues/252
    ["an ending of blacklist (GigaChat)", ending("blacklist")],
    // https://docs.oracle.com/en-us/iaas/tools/python/2.154.3/api/generative_ai_inference/models/oci.generative_ai_inference.models.CohereChatResponse.html
    ["an ending of ERROR_TOXIC (Cohere on OCI)", ending("ERROR_TOXIC")],
    ["words of a check in Chinese", status(400, { error: { message: "内容审核不通过" } })],
    // https://github.com/QwenLM/qwen-code/issues/2905
    [
      "a code within the words (DashScope)",
      status(400, {
        error: { message: "<400> InternalError.Algo.DataInspectionFailed: Input text data" },
      }),
    ],
    // https://github.com/whiteguo233/OpenBiliClaw/issues/199
    ["an error without its envelope", status(400, { code: "x", message: "Content Exists Risk" })],
  ])("%s", async (_, behaviour) => {
    const { first, calls } = await asked([behaviour]);
    expect([first, calls()]).toEqual(["refused", 1]);
  });
});

describe("what asking again does not change is asked once", () => {
  test.each<[string, Behaviour, string]>([
    // https://github.com/ggml-org/llama.cpp/issues/15377
    [
      "500 of a model without eyes (llama.cpp)",
      status(500, { error: { code: 500, message: "image input is not supported - hint: mmproj" } }),
      "bad-input",
    ],
    // https://github.com/ggml-org/llama.cpp/issues/12947
    [
      "500 of a part that is not taken (llama.cpp)",
      status(500, {
        error: { message: 'Failed to parse messages: Unsupported content part type: "image_url"' },
      }),
      "bad-input",
    ],
    // https://github.com/huggingface/text-generation-inference/issues/2749
    [
      "200 of a request that does not fit (TGI)",
      json({ error: "Input validation error: inputs too long", error_type: "validation" }),
      "bad-input",
    ],
    [
      "an ending for want of room (Cohere on OCI)",
      json(completion({ text: "Yes", finish_reason: "ERROR_LIMIT" })),
      "unparsable",
    ],
  ])("%s", async (_, behaviour, reason) => {
    const { first, calls } = await asked([behaviour]);
    expect([first, calls()]).toEqual([reason, 1]);
  });
});

test.each([
  // https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py
  ["409, as OpenAI's own client", 409],
  ["424, of a container behind a gateway", 424],
  ["425", 425],
  ["499, of a gateway that went away (Groq, Cohere)", 499],
])("a call that another try may pass is made again: %s", async (_, code) => {
  const { first, calls } = await asked([status(code, { error: { message: "later" } }), json(sure)]);
  expect([first, calls()]).toEqual([1, 2]);
});

describe("a part of the request that is refused is left out", () => {
  const bounded = { ...question, maxTokens: 8, temperature: 0, seed: 1 };
  const tokens: YesNoWay = { kind: "tokens" };

  test.each<[string, Behaviour, object]>([
    // https://github.com/togethercomputer/openapi/pull/104
    [
      "a flag where a count is wanted (Together)",
      status(400, { error: { message: "logprobs: Input should be a valid integer" } }),
      { logprobs: 20 },
    ],
    [
      "more alternatives than it has (vLLM)",
      status(400, {
        error: { message: "Requested sample logprobs of 20, which is greater than max allowed: 5" },
      }),
      { logprobs: true, top_logprobs: 5 },
    ],
    // https://github.com/smixs/iva-agent/pull/18
    [
      "by a router's raw object (OpenRouter)",
      status(400, {
        error: {
          message: "Provider returned error",
          code: 400,
          metadata: { raw: { error: { message: "top_logprobs must be at most 5" } } },
        },
      }),
      { top_logprobs: 5 },
    ],
    // https://github.com/NousResearch/hermes-agent/pull/94199
    [
      "by a router without an envelope (OpenRouter)",
      status(400, {
        message: "Provider returned error",
        code: 400,
        metadata: { raw: "top_logprobs must be at most 5" },
      }),
      { top_logprobs: 5 },
    ],
  ])("%s", async (_, behaviour, expected) => {
    const { first, sent } = await asked([behaviour, json(sure)], { way: tokens });
    expect(first).toBeCloseTo(0.8, 12);
    expect(sent.at(-1)?.body).toMatchObject(expected);
  });

  test.each<[string, string, Behaviour]>([
    [
      "seed, by the list of a validator (Mistral)",
      "seed",
      status(422, {
        object: "error",
        message: {
          detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs" }],
        },
        type: "invalid_request_error",
      }),
    ],
    // https://github.com/argilla-io/synthetic-data-generator/issues/48
    [
      "temperature, by a flat error (TGI)",
      "temperature",
      status(422, {
        error: "Input validation error: `temperature` must be strictly positive",
        error_type: "validation",
      }),
    ],
    [
      "temperature, by the same under status 200",
      "temperature",
      json({
        error: "Input validation error: `temperature` must be strictly positive",
        error_type: "validation",
      }),
    ],
  ])("%s", async (_, name, behaviour) => {
    const { first, sent } = await asked([behaviour, json(sure)], { request: bounded });
    expect(first).toBe(1);
    expect(sent.map(({ body }) => name in body)).toEqual([true, false]);
  });

  // https://github.com/theroyallab/tabbyAPI/pull/430
  test.each([
    ["an empty list", { content: [] }],
    ["null", { content: null }],
  ])("log-probabilities that never come: %s", async (_, logprobs) => {
    const { ask, first, calls } = await asked([said("Yes", { logprobs })], { way: tokens });
    const others = [await ask(), await ask(), await ask(), await ask()];
    expect([first, ...others]).toEqual(Array(5).fill("not-applicable"));
    expect(calls()).toBe(3);
  });

  // https://github.com/BerriAI/litellm/issues/36881
  test("a limit that thought used up, told by no choices at all (LiteLLM)", async () => {
    const empty = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 8 } };
    const { first, sent } = await asked([json(empty), json(sure)], { request: bounded });
    expect(first).toBe(1);
    expect(sent.map(({ body }) => body.max_tokens)).toEqual([8, 4096]);
  });
});
