import { expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { turn } from "../../src/core/models.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { type YesNoWay, yesNo } from "../../src/models/chat/answers-questions.js";
import { rating } from "../../src/models/chat/rating-answer.js";
import { openAiCompatible } from "../../src/models/openai-compatible/openai-compatible.js";
import { handClock } from "../support/hand-clock.js";
import { type Behaviour, misbehavingServer } from "../support/misbehaving-server.js";

const request = { messages: [turn("user", "Is there a dog?")] };
const log = Math.log;

/** A reply of one choice. */
const choice = (content: unknown, members: object = {}, rest: object = {}) => ({
  choices: [{ message: { role: "assistant", content }, finish_reason: "stop", ...members }],
  usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
  ...rest,
});
const listed = (one: Readonly<Record<string, number>>) =>
  Object.entries(one).map(([token, logprob]) => ({ token, logprob }));
const tokens = (said: string, alternatives: readonly object[], logprob = log(0.6)) => ({
  logprobs: { content: [{ token: said, logprob, top_logprobs: alternatives }] },
});

/** A model at a server on this machine that gives one reply. */
async function behind(reply: Behaviour | object) {
  const trace: JsonObject[] = [];
  const behaviour: Behaviour =
    "kind" in reply ? (reply as Behaviour) : { kind: "reply", json: reply };
  const server = await misbehavingServer({ behave: () => behaviour });
  const model = openAiCompatible("tiny", {
    baseUrl: server.baseUrl,
    clock: handClock(),
    price: { input: 1, output: 1 },
  });
  return { model, server, trace, options: { trace: (entry: JsonObject) => trace.push(entry) } };
}

/** P(yes), or the reason why there is none. */
async function outcome(reply: Behaviour | object, way: YesNoWay = { kind: "tokens" }) {
  const { model, options } = await behind(reply);
  return reasonOr(async () => (await yesNo({ model, request, way }, options)).probability);
}

async function reasonOr(work: () => Promise<number>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoAnswer) return error.reason;
    throw error;
  }
}

const yesNoTokens = [
  { token: "Yes", logprob: log(0.6) },
  { token: "No", logprob: log(0.35) },
];

test.each<[string, object, number | string]>([
  [
    "the choice alone, as 1 and 0 (greedy, a small top_p)",
    choice("Yes", tokens("Yes", listed({ Yes: 0, No: -9999, The: -9999 }), 0)),
    "unparsable",
  ],
  [
    "the choice alone, with -Infinity written as null",
    choice(
      "Yes",
      tokens(
        "Yes",
        [
          { token: "Yes", logprob: 0 },
          { token: "No", logprob: null },
        ],
        0,
      ),
    ),
    "unparsable",
  ],
  [
    "a token that is listed twice",
    choice(
      "Yes",
      tokens(
        "Yes",
        [
          ...listed({ Yes: log(0.45), No: log(0.05), The: log(0.03) }),
          ...listed({ Yes: log(0.45) }),
        ],
        log(0.45),
      ),
    ),
    0.9,
  ],
  [
    "numbers of tokens for tokens",
    choice(
      "Yes",
      tokens("token_id:9642", listed({ "token_id:9642": log(0.6), "token_id:2822": log(0.2) })),
    ),
    "unparsable",
  ],
  [
    "probabilities for log-probabilities",
    choice("Yes", tokens("Yes", listed({ Yes: 0.6, No: 0.2 }), 0.6)),
    "unparsable",
  ],
  ["percentages", choice("Yes", tokens("Yes", listed({ Yes: 60, No: 20 }), 60)), "unparsable"],
  [
    "lists beside each other (completions' layout)",
    choice("Yes", {
      logprobs: {
        tokens: ["Yes"],
        token_logprobs: [log(0.6)],
        top_logprobs: [{ Yes: log(0.6), No: log(0.35) }],
      },
    }),
    0.6 / 0.95,
  ],
  [
    "lists beside each other without alternatives",
    choice("Yes", { logprobs: { tokens: ["Yes"], token_logprobs: [log(0.6)] } }),
    "unparsable",
  ],
  [
    "alternatives by name",
    choice("Yes", {
      logprobs: {
        content: [
          { token: "Yes", logprob: log(0.6), top_logprobs: { Yes: log(0.6), No: log(0.35) } },
        ],
      },
    }),
    0.6 / 0.95,
  ],
  [
    "a list for the object",
    choice("Yes", { logprobs: [{ token: "Yes", logprob: log(0.6), top_logprobs: yesNoTokens }] }),
    0.6 / 0.95,
  ],
  ["what is none", choice("Yes", { logprobs: true }), "not-applicable"],
  [
    "the first token of a word",
    choice("Yes", {
      logprobs: {
        content: [
          { token: "Y", logprob: -0.1, top_logprobs: listed({ Y: -0.1, N: -3 }) },
          { token: "es", logprob: 0, top_logprobs: [] },
        ],
      },
    }),
    "unparsable",
  ],
])("log-probabilities: %s", async (_, reply, expected) => {
  const found = await outcome(reply);
  if (typeof expected === "number") expect(found).toBeCloseTo(expected, 9);
  else expect(found).toBe(expected);
});

const samples: YesNoWay = { kind: "samples", count: 1 };

test.each<[string, object, number | string]>([
  [
    "insufficient_system_resource",
    choice("Yes", { finish_reason: "insufficient_system_resource" }),
    "provider-error",
  ],
  ["abort", choice("Yes", { finish_reason: "abort" }), "provider-error"],
  ["a time that is up", choice("Yes", { finish_reason: "timeout" }), "provider-error"],
  ["a limit by another name", choice("Yes", { finish_reason: "max_new_tokens" }), "unparsable"],
  ["a limit by another name still", choice("Yes", { finish_reason: "MODEL_LENGTH" }), "unparsable"],
  ["repetition that was cut", choice("Yes", { finish_reason: "repetition" }), "unparsable"],
  ["no name", choice("Yes", { finish_reason: null }), 1],
  ["a name of Google's", choice("Yes", { finish_reason: "FINISH_REASON_STOP" }), 1],
  [
    "a tool that was called",
    choice(null, {
      message: { content: null, tool_calls: [{ function: { arguments: '{"answer":"yes"}' } }] },
      finish_reason: "tool_calls",
    }),
    "unparsable",
  ],
])("an ending: %s", async (_, reply, expected) => {
  expect(await outcome(reply, samples)).toBe(expected);
});

test.each<[string, string, number | string]>([
  ["MedGemma's marks of thought", "<unused94>thought\nNo dog?<unused95>Yes", 1],
  [
    "gpt-oss whose marks were stripped",
    "analysisIs there a dog? No.assistantfinalYes",
    "unparsable",
  ],
  [
    "gpt-oss with its marks",
    "<|channel|>analysis<|message|>No dog?<|end|><|start|>assistant<|channel|>final<|message|>Yes<|return|>",
    1,
  ],
  ["a thought after the answer", "Yes<think>Or no?</think>", "unparsable"],
  ["a thought that begins anew", "<think>No</think>Yes<think>Or no?", 1],
  ["an answer that is struck through", "~~Yes~~ No", "unparsable"],
  ["a negation of it", "Yes? No!", "unparsable"],
  ["JSON of an answer and a certainty", '{"answer": "Yes", "confidence": 0.9}', 1],
  ["JSON of a reason and an answer", '{"reasoning": "no", "answer": "unclear"}', "unparsable"],
  ["JSON of two parts", '{"dog": "no", "cat": "unclear"}', "unparsable"],
  [
    "JSON of several in fences",
    '```json\n{"answer": "yes"}\n```\n```json\n{"answer": "no"}\n```',
    "unparsable",
  ],
])("what is said: %s", async (_, text, expected) => {
  expect(await outcome(choice(text), samples)).toBe(expected);
});

test.each<[string, string, string]>([
  ["a sign", "-3", "unparsable"],
  ["a sign of print", "−3", "unparsable"],
  ["a fraction", "3/5", "unparsable"],
  ["a range", "3-4", "unparsable"],
  ["less than it", "<3", "unparsable"],
])("a number with %s is another number", async (_, text, expected) => {
  const marks = [...text].map((token) => ({
    token,
    logprob: -0.001,
    top_logprobs: listed({ [token]: -0.001 }),
  }));
  const { model, options } = await behind(choice(text, { logprobs: { content: marks } }));
  const found = await reasonOr(
    async () => (await rating({ model, request, scale: 5, way: "tokens" }, options)).value,
  );
  expect(found).toBe(expected);
});

test.each<[string, Behaviour | object, string]>([
  [
    "FastChat's",
    { object: "error", message: "model is not loaded", code: 50001 },
    "model is not loaded",
  ],
  [
    "MiniMax's",
    { choices: null, base_resp: { status_code: 2013, status_msg: "invalid params" } },
    "invalid params",
  ],
  ["GLM's", { code: 1301, msg: "unsafe content", success: false }, "unsafe content"],
  [
    "FastAPI's",
    { detail: [{ loc: ["body", "seed"], msg: "extra fields", type: "value_error" }] },
    "extra fields",
  ],
])("an error under status 200 is said as it is: %s", async (_, reply, words) => {
  const { model, options } = await behind(reply);
  await expect(model.chat(request, options)).rejects.toThrow(words);
});

const cost = async (usage: object | undefined, text = "Yes") => {
  const { model, trace, options } = await behind({ ...choice(text), usage });
  await model.chat(request, options);
  const call = trace.find(({ kind }) => kind === "model-call");
  return { cost: call?.cost, isForecast: call?.isForecast === true };
};

test.each<[string, object, number]>([
  ["input_tokens and output_tokens", { input_tokens: 20, output_tokens: 5 }, 25e-6],
  ["no completion_tokens, but a total", { prompt_tokens: 20, total_tokens: 25 }, 25e-6],
  ["a bill of its own", { prompt_tokens: 20, completion_tokens: 5, cost: 0.5 }, 0.5],
  [
    "a fee beside the bill of another (a key of one's own)",
    {
      prompt_tokens: 20,
      completion_tokens: 5,
      cost: 0.01,
      is_byok: true,
      cost_details: { upstream_inference_cost: 0.5 },
    },
    0.51,
  ],
  [
    "a bill of 0 for a model with a price",
    { prompt_tokens: 20, completion_tokens: 5, cost: 0 },
    25e-6,
  ],
])("what is billed: %s", async (_, usage, expected) => {
  expect(await cost(usage)).toEqual({ cost: expect.closeTo(expected, 12), isForecast: false });
});

test.each<[string, object | undefined]>([
  ["none", undefined],
  ["empty", {}],
  ["as texts", { prompt_tokens: "20", completion_tokens: "5" }],
  ["below 0", { prompt_tokens: -1, completion_tokens: -1 }],
  ["of no token of an answer", { prompt_tokens: 20, completion_tokens: 0, total_tokens: 20 }],
  ["of parts of tokens", { prompt_tokens: 20.5, completion_tokens: 0.5 }],
  ["of more tokens than any model takes", { prompt_tokens: 1e12, completion_tokens: 5 }],
  ["in another place", { details: { prompt_tokens: 20, completion_tokens: 5 } }],
])("a usage that is %s: the forecast stands in, and is marked", async (_, usage) => {
  const found = await cost(usage);
  expect(found.isForecast).toBe(true);
  expect(found.cost).toBeGreaterThan(0);
  expect(found.cost).toBeLessThan(1e-3);
});
