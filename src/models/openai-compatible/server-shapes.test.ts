import { describe, expect, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import { type Behaviour, misbehavingServer } from "../../../test/support/misbehaving-server.js";
import type { JsonObject } from "../../core/json.js";
import { type ChatRequest, turn } from "../../core/models.js";
import { yesNo } from "../chat/answers-questions.js";
import { openAiCompatible } from "./openai-compatible.js";

const question: ChatRequest = { messages: [turn("user", "Is there a dog?")] };
const json = (value: unknown): Behaviour => ({ kind: "reply", json: value });
const status = (code: number, body: unknown): Behaviour => ({
  kind: "raw",
  status: code,
  text: JSON.stringify(body),
});
const refusing = (message: string, code = 400) => status(code, { error: { message } });

/** A model behind a server on this machine that answers one call after another. */
async function modelBehind(...behaviours: readonly Behaviour[]) {
  const told: string[] = [];
  const trace: JsonObject[] = [];
  const { baseUrl, received } = await misbehavingServer({
    behave: (_, number) => behaviours[Math.min(number, behaviours.length - 1)] ?? json({}),
  });
  const model = openAiCompatible("tiny", {
    baseUrl,
    clock: handClock(),
    price: { input: 1, output: 1 },
    tell: (text) => told.push(text),
  });
  const options = { trace: (entry: JsonObject) => trace.push(entry) };
  return {
    told,
    trace,
    sent: () => received.map(({ body }) => body),
    chat: (request = question) => model.chat(request, options),
    probability: async () => (await yesNo({ model, request: question }, options)).probability,
    sampled: async () =>
      yesNo({ model, request: question, way: { kind: "samples", count: 1 } }, options),
  };
}

/** A token with its alternatives, by their probabilities or as they are written. */
const token = (
  said: string,
  listed: Readonly<Record<string, number | null>> = { [said]: -0.01 },
) => ({
  token: said,
  logprob: listed[said],
  top_logprobs: Object.entries(listed).map(([one, logprob]) => ({ token: one, logprob })),
});
const sure = token("Yes", { Yes: Math.log(0.8), No: Math.log(0.2) });
const reply = (message: object, tokens?: readonly object[], rest: object = {}) => ({
  choices: [
    {
      message: { role: "assistant", ...message },
      finish_reason: "stop",
      ...(tokens && { logprobs: { content: tokens } }),
      ...rest,
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 9 },
});

describe("the text of a reply", () => {
  test.each<[string, object]>([
    ["a list of parts", { content: [{ type: "text", text: "Yes" }] }],
    ["a part that is cut into several", { content: [{ type: "text", text: "Y" }, { text: "es" }] }],
    [
      "a thinking part before it (Mistral)",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "No dog?" }] },
          { type: "text", text: "Yes" },
        ],
      },
    ],
    [
      "a thinking part as text (Cohere)",
      { content: [{ type: "thinking", thinking: "No." }, "Yes"] },
    ],
    ["a thought before it", { content: "<think>\nNo dog?\n</think>\n\nYes" }],
    ["a thought whose beginning is the server's", { content: "No dog?\n</think>\n\nYes" }],
    ["a thought apart", { content: "Yes", reasoning_content: "No dog?" }],
    ["a thought apart (OpenRouter, Ollama)", { content: "\n\nYes", reasoning: "No dog?" }],
    ["a thought under another name", { content: "Yes", thinking: "No dog?" }],
    ["a member that is true", { content: '{"answer": true}' }],
    ["a box (GLM)", { content: "\n<|begin_of_box|>Yes<|end_of_box|>" }],
    ["a special token at its end", { content: "Yes<|im_end|>" }],
  ])("%s", async (_, message) => {
    const { sampled } = await modelBehind(json(reply(message)));
    expect((await sampled()).yes).toBe(1);
  });

  test.each<[string, object]>([
    ["prose that begins with an answer", { content: "No doubt: there is one, so yes." }],
    ["nothing but a thought", { content: null, reasoning_content: "Yes" }],
    ["parts without text", { content: [{ type: "thinking", thinking: "Yes" }] }],
  ])("%s is no answer", async (_, message) => {
    const { sampled } = await modelBehind(json(reply(message)));
    await expect(sampled()).rejects.toMatchObject({ reason: "unparsable" });
  });
});

describe("a stream that nobody asked for", () => {
  const chunk = (delta: object, rest: object = {}) =>
    `data: ${JSON.stringify({ object: "chat.completion.chunk", model: "tiny", choices: [{ index: 0, delta, finish_reason: null, ...rest }], usage: null })}\n\n`;
  const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 } })}\n\n`;
  const begin =
    ": OPENROUTER PROCESSING\n\n" +
    chunk({ role: "assistant", content: "" }) +
    chunk({ reasoning_content: "No dog?" }) +
    chunk({ content: "Yes" }, { logprobs: { content: [sure] } });
  const end = chunk({}, { finish_reason: "stop" });

  test("is one reply", async () => {
    const { chat, probability } = await modelBehind({
      kind: "raw",
      text: `${begin}${end}${usage}data: [DONE]\n\n`,
    });
    expect(await chat()).toMatchObject({
      text: "Yes",
      finish: "stop",
      usage: { inputTokens: 100, outputTokens: 3 },
    });
    expect(await probability()).toBeCloseTo(0.8, 12);
  });

  test("that ends without a reason is one (LiteLLM)", async () => {
    const { chat } = await modelBehind({ kind: "raw", text: `${begin}data: [DONE]\n\n` });
    expect(await chat()).toMatchObject({ text: "Yes", finish: "stop" });
  });

  test("is none where it breaks off", async () => {
    const { chat } = await modelBehind({ kind: "raw", text: begin });
    await expect(chat()).rejects.toMatchObject({ reason: "provider-error" });
  });

  test("may hold an error, which is said and whose status counts", async () => {
    const text = `${begin}data: {"error": {"message": "overloaded", "code": 502}}\n\n`;
    const { chat } = await modelBehind({ kind: "raw", text });
    const error = { reason: "provider-error", message: expect.stringContaining("502: overloaded") };
    await expect(chat()).rejects.toMatchObject(error);
  });
});

describe("log-probabilities", () => {
  const thought = ["<think>", "No", " dog", "?", "</think>", "\n\n"].map((said) => token(said));

  test.each<[string, object]>([
    [
      "of a thought come first (SGLang, vLLM)",
      reply({ content: "Yes", reasoning_content: "No dog?" }, [...thought, sure]),
    ],
    [
      "of a thought without its marks",
      reply({ content: "Yes", reasoning: "No dog?" }, [...thought.slice(1, 4), sure]),
    ],
    [
      "of a thought told apart in details (OpenRouter)",
      reply({ content: "Yes", reasoning_details: [{ type: "reasoning.text", text: "No dog?" }] }, [
        ...thought.slice(1, 4),
        sure,
      ]),
    ],
    [
      "of a thought within the text",
      reply({ content: "<think>No dog?</think>\n\nYes" }, [...thought, sure]),
    ],
    ["with the end of the turn (vLLM)", reply({ content: "Yes" }, [sure, token("<|im_end|>")])],
    [
      "with one of no number that nobody needs",
      reply({ content: "Yes" }, [
        token("Yes", { Yes: Math.log(0.8), No: Math.log(0.2), The: null }),
      ]),
    ],
  ])("%s: those of the answer's own token count", async (_, value) => {
    const { probability } = await modelBehind(json(value));
    expect(await probability()).toBeCloseTo(0.8, 12);
  });

  test.each(["NaN", "-Infinity", "null"])("with %s at one that nobody needs", async (number) => {
    const value = reply({ content: "Yes" }, [
      token("Yes", { Yes: Math.log(0.8), No: Math.log(0.2), The: 7777 }),
    ]);
    const text = JSON.stringify(value).replace("7777", number);
    const { probability } = await modelBehind({ kind: "raw", text });
    expect(await probability()).toBeCloseTo(0.8, 12);
  });

  test.each<[string, object]>([
    [
      "masked but for the first",
      reply({ content: "Yes" }, [token("Yes", { Yes: Math.log(0.6), No: -9999, The: -9999 })]),
    ],
    [
      "null where one is needed",
      reply({ content: "Yes" }, [token("Yes", { Yes: Math.log(0.6), No: null })]),
    ],
    [
      "of the thought alone",
      reply({ content: "Yes", reasoning_content: "No dog, or a yes" }, [token("No"), sure]),
    ],
    [
      "of a reply that goes on",
      reply({ content: "Yes, a dog" }, [sure, token(","), token(" a"), token(" dog")]),
    ],
    [
      "of a reply that was cut off",
      reply({ content: "Yes" }, [sure], { finish_reason: "max_tokens" }),
    ],
  ])("%s give no answer", async (_, value) => {
    const { probability } = await modelBehind(json(value));
    await expect(probability()).rejects.toMatchObject({ reason: "unparsable" });
  });

  test("are asked for no more where a server ignores that they are (Anthropic)", async () => {
    const { probability, sent, told } = await modelBehind(json(reply({ content: "Yes" })));
    for (let item = 0; item < 5; item++) {
      await expect(probability()).rejects.toMatchObject({ reason: "not-applicable" });
    }
    expect(sent()).toHaveLength(3);
    expect(told).toEqual([expect.stringContaining("no log-probabilities")]);
  });

  test("are asked for always where some replies had them, as a router's may", async () => {
    const without = json(reply({ content: "Yes" }));
    const { probability, sent } = await modelBehind(
      json(reply({ content: "Yes" }, [sure])),
      without,
    );
    await probability();
    for (let item = 0; item < 5; item++) {
      await expect(probability()).rejects.toMatchObject({ reason: "not-applicable" });
    }
    expect(sent()).toHaveLength(6);
  });
});

describe("refusals by their names", () => {
  test.each([
    ...["SAFETY", "PROHIBITED_CONTENT", "RECITATION", "BLOCKLIST", "SPII", "IMAGE_SAFETY"],
    ...["content_filter", "content_filter: PROHIBITED_CONTENT", "sensitive", "refusal"],
    ...["moderation", "policy_violation", "risk_control"],
  ])("an ending of %s", async (finish_reason) => {
    const value = reply({ content: null }, undefined, { finish_reason });
    const { probability, sent } = await modelBehind(json(value));
    await expect(probability()).rejects.toMatchObject({ reason: "refused" });
    expect(sent()).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["no message at all", { choices: [{ finish_reason: "content_filter: SAFETY", index: 0 }] }],
    [
      "a reason beside no choices (Gemini)",
      { choices: [], promptFeedback: { blockReason: "SAFETY" } },
    ],
    [
      "an empty answer that a filter took (Azure)",
      reply({ content: "" }, undefined, {
        content_filter_results: { hate: { filtered: false }, violence: { filtered: true } },
      }),
    ],
    ["a part that refuses", reply({ content: [{ type: "refusal", refusal: "I can't." }] })],
    ["a reason beside null", { choices: null, prompt_feedback: { block_reason: "OTHER" } }],
    [
      "a filter of the prompt (Azure)",
      {
        choices: [],
        prompt_filter_results: [{ content_filter_results: { violence: { filtered: true } } }],
      },
    ],
    [
      "a router's own name beside (OpenRouter)",
      reply({ content: "" }, undefined, { native_finish_reason: "SAFETY" }),
    ],
    [
      "an error in the choice (OpenRouter)",
      reply({ content: "" }, undefined, {
        finish_reason: "error",
        error: { code: 403, message: "Input was flagged by moderation" },
      }),
    ],
  ])("%s", async (_, value) => {
    const { probability, sent } = await modelBehind(json(value));
    await expect(probability()).rejects.toMatchObject({ reason: "refused", retryable: false });
    expect(sent()).toHaveLength(1);
  });

  test("no choices without a reason are no reply", async () => {
    const { chat } = await modelBehind(json({ choices: [], error: null }));
    await expect(chat()).rejects.toMatchObject({ reason: "provider-error" });
  });
});

describe("what is billed", () => {
  const used = async (usage: object, message: object = { content: "Yes" }) => {
    const { chat, trace } = await modelBehind(json({ ...reply(message), usage }));
    const { usage: counted } = await chat();
    const call = trace.find(({ kind }) => kind === "model-call");
    return { counted, cost: call?.cost, isForecast: call?.isForecast };
  };

  test.each<[string, object]>([
    [
      "in the total alone (Gemini)",
      { prompt_tokens: 100, completion_tokens: 1, total_tokens: 601 },
    ],
    [
      "beside it (xAI)",
      {
        prompt_tokens: 100,
        completion_tokens: 1,
        completion_tokens_details: { reasoning_tokens: 500 },
      },
    ],
    [
      "beside and in the total",
      {
        prompt_tokens: 100,
        completion_tokens: 1,
        total_tokens: 601,
        completion_tokens_details: { reasoning_tokens: 500 },
      },
    ],
    [
      "beside it, without details (SGLang)",
      { prompt_tokens: 100, completion_tokens: 1, reasoning_tokens: 500 },
    ],
    [
      "by the newer interface's names",
      { input_tokens: 100, output_tokens: 1, output_tokens_details: { reasoning_tokens: 500 } },
    ],
    [
      "within (OpenAI)",
      {
        prompt_tokens: 100,
        completion_tokens: 501,
        total_tokens: 601,
        completion_tokens_details: { reasoning_tokens: 500 },
      },
    ],
  ])("thought that is counted %s", async (_, usage) => {
    const { counted, cost } = await used(usage);
    expect(counted).toEqual({ inputTokens: 100, outputTokens: 501 });
    expect(cost).toBeCloseTo(601e-6, 12);
  });

  test.each<[string, object, object?]>([
    ["no token of a prompt", { prompt_tokens: 0, completion_tokens: 1 }],
    ["less than its parts", { prompt_tokens: 100, completion_tokens: 9, total_tokens: 20 }],
    [
      "less than the thought that came with it",
      { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 },
      { content: "Yes", reasoning_content: "There may be a dog. ".repeat(100) },
    ],
  ])("is not known of a usage that can't be true, but forecast: %s", async (_, usage, message) => {
    const { counted, cost, isForecast } = await used(usage, message);
    expect([counted, isForecast]).toEqual([undefined, true]);
    expect(cost).toBeGreaterThan(0);
  });
});

describe("what a server refuses is left out once, and said", () => {
  const asked = { ...question, messages: [turn("system", "Answer."), ...question.messages] };
  const schema = {
    type: "object",
    properties: { minimum: { type: "integer", minimum: 1, maximum: 5 } },
    required: ["minimum"],
    additionalProperties: false,
  };
  const rated = { ...question, answerSchema: { name: "a", schema } };

  test.each([
    refusing("System role not supported"),
    refusing("Prompting with images is incompatible with system messages."),
    refusing("Only user and assistant roles are supported!", 500),
    refusing("Developer instruction is not enabled for models/gemma-3-27b-it"),
    refusing("Unsupported value: 'messages[0].role' does not support 'system' with this model."),
    refusing("Conversation roles must alternate user/assistant/user/assistant/...", 500),
  ])("the system's message goes into the user's turn", async (behaviour) => {
    const { chat, sent, told } = await modelBehind(behaviour, json(reply({ content: "Yes" })));
    await chat(asked);
    await chat(asked);
    expect(sent().map(({ messages }) => messages)).toEqual([
      [
        { role: "system", content: "Answer." },
        { role: "user", content: "Is there a dog?" },
      ],
      ...Array(2).fill([{ role: "user", content: "Answer.\nIs there a dog?" }]),
    ]);
    expect(told).toHaveLength(1);
  });

  test("a schema without the words that are refused, then JSON, then by instruction", async () => {
    const { chat, sent, told } = await modelBehind(
      refusing(
        "Invalid JSON payload received. Unknown name \"additional_properties\" at 'generation_config.response_schema'",
      ),
      refusing("For 'integer' type, properties maximum, minimum are not supported"),
      refusing("This response_format type is unavailable now"),
      refusing("'response_format.type' : value must be 'text'"),
      json(reply({ content: "{}" })),
    );
    await chat(rated);
    const formats = sent().map(({ response_format }) => response_format);
    expect(formats).toEqual([
      { type: "json_schema", json_schema: { name: "a", schema, strict: true } },
      {
        type: "json_schema",
        json_schema: {
          name: "a",
          schema: {
            type: "object",
            properties: { minimum: { type: "integer", minimum: 1, maximum: 5 } },
            required: ["minimum"],
          },
          strict: false,
        },
      },
      {
        type: "json_schema",
        json_schema: {
          name: "a",
          schema: {
            type: "object",
            properties: { minimum: { type: "integer" } },
            required: ["minimum"],
          },
          strict: false,
        },
      },
      { type: "json_object" },
      undefined,
    ]);
    const wordings = sent().map(({ messages }) => JSON.stringify(messages).includes("JSON Schema"));
    expect(wordings).toEqual([false, false, false, true, true]);
    expect(told).toHaveLength(4);
  });

  test.each([
    refusing("You are not allowed to request logprobs from this model", 403),
    refusing("Logprobs is not enabled for models/gemini-2.5-pro"),
    status(422, { detail: [{ type: "extra_forbidden", loc: ["body", "logprobs"] }] }),
    refusing("logprobs is not supported for models created with logits_all=False", 500),
  ])(
    "log-probabilities: what is read from them is unscored, not sampled in silence",
    async (behaviour) => {
      const { probability, sent, told } = await modelBehind(behaviour);
      await expect(probability()).rejects.toMatchObject({ reason: "not-applicable" });
      await expect(probability()).rejects.toMatchObject({ reason: "not-applicable" });
      expect(sent()).toHaveLength(2);
      expect(told).toEqual([expect.stringContaining("no log-probabilities")]);
    },
  );

  test("a stream is asked for where a model answers by nothing else (DashScope)", async () => {
    const { chat, sent } = await modelBehind(
      refusing("parameter.enable_thinking must be set to false for non-streaming calls"),
      json(reply({ content: "Yes" })),
    );
    await chat(question);
    await chat(question);
    expect(sent().map(({ stream = false }) => stream)).toEqual([false, true, true]);
  });

  test("a limit by its old name, and a temperature", async () => {
    const { chat, sent, told } = await modelBehind(
      refusing(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      refusing("Unsupported value: 'temperature' does not support 0 with this model."),
      json(reply({ content: "Yes" })),
    );
    await chat({ ...question, maxTokens: 8, temperature: 0 });
    expect(sent().at(-1)).toMatchObject({ max_completion_tokens: 8 });
    expect(sent().at(-1)).not.toHaveProperty("temperature");
    expect(told).toEqual([expect.stringContaining("temperature")]);
  });
});

describe("a limit too small for thought grows once for the model", () => {
  const short = { ...question, maxTokens: 8 };
  const cut = { finish_reason: "length" };

  test.each<[string, Behaviour]>([
    ["an empty reply", json(reply({ content: "" }, undefined, cut))],
    [
      "null and a thought",
      json(reply({ content: null, reasoning_content: "A dog" }, undefined, cut)),
    ],
    ["a thought without an end", json(reply({ content: "<think>A dog" }, undefined, cut))],
    ["Gemini's name for it", json(reply({}, undefined, { finish_reason: "MAX_TOKENS" }))],
    [
      "a refusal",
      refusing(
        "Could not finish the message because max_tokens or model output limit was reached.",
      ),
    ],
    [
      "another refusal",
      refusing("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16"),
    ],
  ])("%s", async (_, behaviour) => {
    const { chat, sent, told } = await modelBehind(behaviour, json(reply({ content: "Yes" })));
    expect((await chat(short)).text).toBe("Yes");
    await chat(short);
    expect(sent().map(({ max_tokens }) => max_tokens)).toEqual([8, 4096, 4096]);
    expect(told).toHaveLength(1);
  });

  test("and no further than the server takes; each reply is paid for", async () => {
    const { chat, sent, trace } = await modelBehind(
      json(reply({ content: "" }, undefined, cut)),
      json(reply({ content: "" }, undefined, cut)),
      refusing(
        "max_tokens is too large: 16384. This model supports at most 8192 completion tokens",
      ),
      json(reply({ content: "" }, undefined, cut)),
    );
    expect(await chat(short)).toMatchObject({ text: "", finish: "length" });
    expect(sent().map(({ max_tokens }) => max_tokens)).toEqual([8, 4096, 16_384, 4096]);
    expect(trace.filter(({ kind }) => kind === "model-call")).toHaveLength(3);
  });

  test("an answer that was cut off is no thought", async () => {
    const { chat, sent } = await modelBehind(
      json(reply({ content: "Yes, there" }, undefined, cut)),
    );
    expect((await chat(short)).finish).toBe("length");
    expect(sent()).toHaveLength(1);
  });
});

test.each<[string, Behaviour]>([
  [
    "Bedrock's",
    refusing("An error occurred (ThrottlingException) when calling the Converse operation"),
  ],
  ["Groq's", status(498, { error: { type: "capacity_exceeded", message: "Flex tier" } })],
  ["LM Studio's", status(400, { error: "Model unloaded." })],
])("a server that is busy is asked again, whatever its status: %s", async (_, busy) => {
  const { sampled, sent } = await modelBehind(busy, json(reply({ content: "Yes" })));
  expect([(await sampled()).probability, sent().length]).toEqual([1, 2]);
});

test.each<[string, object]>([
  [
    "a router's words of it (OpenRouter)",
    {
      error: {
        message: "Provider returned error",
        metadata: { raw: '{"error": {"message": "top_logprobs must be at most 5"}}' },
      },
    },
  ],
  [
    "its server's own name for it (TGI)",
    { error: "Input validation error: `top_n_tokens` must be >= 0 and <= 5. Given: 20" },
  ],
])("what a provider refuses is learned from %s", async (_, body) => {
  const answer = json(reply({ content: "Yes" }, [sure]));
  const { probability, sent } = await modelBehind(status(422, body), answer);
  expect(await probability()).toBeCloseTo(0.8, 12);
  expect(sent().at(-1)).toMatchObject({ top_logprobs: 5 });
});

test.each<[string, unknown, boolean]>([
  ["Ollama's own", { message: { content: "Yes" }, done: true }, false],
  ["content of another kind", reply({ content: { text: "Yes" } }), true],
  ["choices that are no list", { choices: { message: { content: "Yes" } } }, true],
  ["an error", { error: "busy" }, false],
])("an answer that can't be read may be paid for, an error not: %s", async (_, value, isBilled) => {
  const { chat, trace } = await modelBehind(json(value));
  await expect(chat()).rejects.toMatchObject({ reason: "provider-error" });
  const attempts = trace.filter(({ kind }) => kind === "attempt-failed");
  expect(attempts.map((attempt) => attempt.isBilled ?? false)).toEqual([isBilled, isBilled]);
});

test("a snapshot of the model that was asked is no other model, and is told of once", async () => {
  const { chat, trace, told } = await modelBehind(
    json({ ...reply({ content: "Yes" }), model: "tiny-2024-07-18" }),
    json({ ...reply({ content: "Yes" }), model: "tiny-2024-07-18" }),
    json({ ...reply({ content: "Yes" }), model: "tiny:latest" }),
  );
  const replies = [await chat(), await chat(), await chat()];
  const named = ["tiny-2024-07-18", "tiny-2024-07-18", undefined];
  expect(replies.map(({ snapshot }) => snapshot)).toEqual(named);
  expect(replies.map(({ answeredBy }) => answeredBy)).toEqual([undefined, undefined, undefined]);
  expect(trace.map(({ snapshot }) => snapshot)).toEqual(named);
  expect(told.filter((text) => text.includes("answers as tiny-2024"))).toHaveLength(1);
});

test("what costs nothing is no forecast", async () => {
  const { baseUrl } = await misbehavingServer({
    behave: () => json({ ...reply({ content: "Yes" }), usage: undefined }),
  });
  const trace: JsonObject[] = [];
  const told: string[] = [];
  const model = openAiCompatible("tiny", {
    baseUrl,
    price: { input: 0, output: 0 },
    tell: (text) => told.push(text),
  });
  await model.chat(question, { trace: (entry) => trace.push(entry) });
  expect([trace[0]?.cost, trace[0]?.isForecast, told]).toEqual([0, undefined, []]);
});

test("a cost that is a forecast is told of once", async () => {
  const { chat, told, trace } = await modelBehind(
    json({ ...reply({ content: "Yes" }), usage: undefined }),
    json({ ...reply({ content: "Yes" }), usage: { prompt_tokens: 0, completion_tokens: 0 } }),
  );
  for (const _ of [1, 2]) await chat();
  expect(trace.map(({ isForecast }) => isForecast)).toEqual([true, true]);
  expect(told.filter((text) => text.includes("is a forecast"))).toHaveLength(1);
});

test("a reply that names another model than was asked says so, also in the trace", async () => {
  const { chat, trace } = await modelBehind(
    json({ ...reply({ content: "Yes" }), model: "tiny" }),
    json({ ...reply({ content: "Yes" }), model: "loaded-one" }),
    json(reply({ content: "Yes" })),
  );
  const answerers = [await chat(), await chat(), await chat()].map(({ answeredBy }) => answeredBy);
  expect(answerers).toEqual([undefined, "loaded-one", undefined]);
  expect(trace.map(({ answeredBy }) => answeredBy)).toEqual(answerers);
});
