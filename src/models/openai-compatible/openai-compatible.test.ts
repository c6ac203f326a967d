import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import {
  type Behaviour,
  closedPort,
  completion,
  misbehavingServer,
} from "../../../test/support/misbehaving-server.js";
import type { JsonObject } from "../../core/json.js";
import type { ChatRequest } from "../../core/models.js";
import { openPicture } from "../../images/picture.js";
import { type OpenAiCompatibleOptions, openAiCompatible } from "./openai-compatible.js";

const key = "sk-planted-key-0123456789";
const request: ChatRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "Is there a dog?" }] }],
  temperature: 0,
  topLogProbabilities: 20,
};
const about = (text: string): ChatRequest => ({
  ...request,
  messages: [{ role: "user", parts: [{ type: "text", text }] }],
});
const good = {
  kind: "reply",
  json: completion({ probabilities: { Yes: 0.75, No: 0.25 } }),
} as const;
const status = (code: number, message = "no", headers = {}): Behaviour => ({
  kind: "raw",
  status: code,
  text: JSON.stringify({ error: { message } }),
  headers,
});

/** A model behind a server that behaves as the list says; what comes after the list is good. */
async function modelBehind(
  behaviours: readonly Behaviour[],
  options: OpenAiCompatibleOptions = {},
) {
  const clock = handClock();
  let hold = () => {};
  const server = await misbehavingServer({
    behave: (_, number) => behaviours[number] ?? good,
    onHeld: () => hold(),
  });
  const model = openAiCompatible("tiny", {
    baseUrl: server.baseUrl,
    apiKey: key,
    clock,
    ...options,
  });
  const trace: JsonObject[] = [];
  return {
    server,
    clock,
    model,
    trace,
    ask: (asked: ChatRequest = request, signal?: AbortSignal) =>
      model.chat(asked, {
        trace: (entry) => trace.push(entry),
        ...(signal === undefined ? {} : { signal }),
      }),
    held: new Promise<void>((resolve) => {
      hold = resolve;
    }),
  };
}

test("text, tokens with alternatives, finish and usage of a good reply", async () => {
  const { ask, trace, server } = await modelBehind([]);
  expect(await ask()).toEqual({
    text: "Yes",
    finish: "stop",
    tokens: [
      {
        token: "Yes",
        logProbability: Math.log(0.75),
        alternatives: [
          { token: "Yes", logProbability: Math.log(0.75) },
          { token: "No", logProbability: Math.log(0.25) },
        ],
      },
    ],
    usage: { inputTokens: 100, outputTokens: 1 },
  });
  expect(server.received[0]).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${key}` },
    body: {
      model: "tiny",
      temperature: 0,
      logprobs: true,
      top_logprobs: 20,
      messages: [{ role: "user", content: "Is there a dog?" }],
    },
  });
  expect(trace).toEqual([
    {
      kind: "model-call",
      cached: false,
      baseUrl: server.baseUrl,
      attempts: 1,
      usage: { inputTokens: 100, outputTokens: 1 },
      reply: good.json,
    },
  ]);
});

test.each<[string, Behaviour, string | RegExp]>([
  ["429", status(429), "HTTP 429"],
  ["500", status(500), "HTTP 500"],
  [
    "503 with a web page",
    { kind: "raw", status: 503, text: "<html><title>Busy</title></html>" },
    "Busy",
  ],
  ["408", status(408), "HTTP 408"],
  ["a reset", { kind: "reset" }, /reset|closed/],
  ["a body cut short", { kind: "cut", json: good.json }, /closed|terminated/],
  [
    "a body that is an error",
    { kind: "reply", json: { error: { message: "late", code: 503 } } },
    "late",
  ],
])("%s is asked again", async (_, behaviour, problem) => {
  const { ask, server, trace, clock } = await modelBehind([behaviour, behaviour]);
  expect((await ask()).tokens?.[0]?.token).toBe("Yes");
  expect(server.received).toHaveLength(3);
  expect(clock.slept).toHaveLength(2);
  expect(trace[0]).toMatchObject({
    kind: "attempt-failed",
    attempt: 1,
    problem: expect.stringMatching(problem),
  });
  expect(trace[2]).toMatchObject({ kind: "model-call", attempts: 3 });
});

test.each<[string, Behaviour]>([
  ["truncated JSON", { kind: "raw", text: JSON.stringify(good.json).slice(0, 150) }],
  ["another schema", { kind: "reply", json: { output: "Yes" } }],
  ["empty choices", { kind: "reply", json: { choices: [] } }],
  ["no choices", { kind: "reply", json: { choices: null } }],
  ["a web page", { kind: "raw", text: "<!DOCTYPE html><title>Log in</title>" }],
  ["nothing", { kind: "raw", text: "" }],
  ["an error in place of an answer", { kind: "reply", json: { error: { message: "odd" } } }],
])("%s is asked once more, and no more than that", async (_, behaviour) => {
  const mended = await modelBehind([behaviour]);
  expect((await mended.ask()).tokens?.[0]?.token).toBe("Yes");
  const { ask, server } = await modelBehind(Array(6).fill(behaviour));
  await expect(ask()).rejects.toMatchObject({ reason: "provider-error", retryable: true });
  expect(server.received).toHaveLength(2);
});

test.each<[string, object, object]>([
  ["a spent balance", { code: "insufficient_balance" }, { code: "incomplete" }],
  ["a wrong key", { code: "invalid_api_key" }, { name: "InputError" }],
  ["a retired model", { code: "model_decommissioned" }, { name: "InputError" }],
  ["a filter", { code: "content_filter" }, { reason: "refused", retryable: false }],
])("%s under status 200 is said once", async (_, error, outcome) => {
  const json = { error: { message: "No.", ...error } };
  const { ask, server } = await modelBehind([{ kind: "reply", json }]);
  await expect(ask()).rejects.toMatchObject(outcome);
  expect(server.received).toHaveLength(1);
});

test.each<[string, Behaviour]>([
  ["a header of 0", status(429, "slow down", { "retry-after": "0" })],
  ["a date that has passed", status(429, "", { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" })],
  ["a blink", status(429, "", { "retry-after-ms": "1" })],
])("%s to wait for leaves a pause that grows", async (_, behaviour) => {
  const { ask, clock } = await modelBehind(Array(5).fill(behaviour), { attempts: 6 });
  await ask();
  expect(clock.slept).toHaveLength(5);
  expect(Math.max(...clock.slept)).toBeGreaterThan(100);
});

test("a wait that stands in the body is obeyed, and one of minutes fails the call at once", async () => {
  const json = { error: { code: 429, message: "Quota", details: [{ retryDelay: "34s" }] } };
  const asked = { kind: "raw", status: 429, text: JSON.stringify([json]) } as const;
  const { ask, clock } = await modelBehind([asked, status(429, "Please try again in 6m0s.")]);
  await expect(ask()).rejects.toMatchObject({ reason: "rate-limited" });
  expect(clock.slept).toEqual([34_000]);
});

test.each<[string, Behaviour, string]>([
  ["429", status(429), "rate-limited"],
  ["500", status(500), "provider-error"],
  ["504", status(504), "timeout"],
  ["a reset", { kind: "reset" }, "provider-error"],
])("%s every time is no answer that may come later", async (_, behaviour, reason) => {
  const { ask, server } = await modelBehind(Array(4).fill(behaviour), { attempts: 4 });
  await expect(ask()).rejects.toMatchObject({ name: "NoAnswer", reason, retryable: true });
  expect(server.received).toHaveLength(4);
});

test("Retry-After is obeyed, in seconds and as a date; a very long one is not waited for", async () => {
  const date = new Date(7000 + 5000).toUTCString();
  const { ask, clock, server } = await modelBehind([
    status(429, "slowly", { "retry-after": "7" }),
    status(429, "slowly", { "retry-after": date }),
    status(429, "slowly", { "retry-after": "7200" }),
  ]);
  await expect(ask()).rejects.toMatchObject({
    reason: "rate-limited",
    message: expect.stringContaining("120 minutes"),
  });
  expect(clock.slept).toEqual([7000, 5000]);
  expect(server.received).toHaveLength(3);
});

test.each(["999999999", "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT", "301"])(
  "Retry-After: %s fails its own item at once; the others go on",
  async (wait) => {
    const told: string[] = [];
    const { ask, clock } = await modelBehind([status(429, "slowly", { "retry-after": wait })], {
      tell: (text) => told.push(text),
    });
    await expect(ask()).rejects.toMatchObject({ reason: "rate-limited", retryable: true });
    // Nothing moves the time on: a pause for all would never end.
    expect((await ask()).text).toBe("Yes");
    expect(clock.now()).toBe(0);
    expect(told).toEqual([]);
  },
);

test("a wait of more than 5 seconds is told of, with its reason and its end", async () => {
  const told: string[] = [];
  const { ask, server } = await modelBehind(
    [
      status(429, "slowly", { "retry-after": "7" }),
      status(503, "busy", { "retry-after": "120" }),
      status(503, "busy", { "retry-after": "4" }),
    ],
    { tell: (text) => told.push(text) },
  );
  await ask();
  const end = /\d\d:\d\d:\d\d/.source;
  expect(told).toEqual([
    expect.stringMatching(`^${server.baseUrl}: HTTP 429: slowly.* 7 s, at ${end}\\. All calls`),
    expect.stringMatching(`^${server.baseUrl}: HTTP 503: busy.* 120 s, at ${end}\\.$`),
  ]);
});

test("of two waits the longer one is told of, though it begins within the shorter", async () => {
  const told: string[] = [];
  const clock = { ...handClock(), sleep: () => new Promise<void>(() => {}) };
  const { ask, held } = await modelBehind(
    [
      status(503, "busy", { "retry-after": "7" }),
      status(503, "busy", { "retry-after": "8" }),
      status(503, "busy", { "retry-after": "200" }),
      { kind: "stall" },
    ],
    { tell: (text) => told.push(text), clock, limits: { concurrency: 1 } },
  );
  for (let call = 0; call < 4; call++) void ask();
  await held;
  expect(told).toEqual([expect.stringContaining("in 7 s"), expect.stringContaining("in 200 s")]);
});

test.each([301, 302, 303, 307, 308])(
  "a redirect (%i) is not followed: neither the image nor the key goes elsewhere",
  async (code) => {
    const elsewhere = await misbehavingServer({ behave: () => good });
    const location = `${elsewhere.baseUrl}/chat/completions?key=secret`;
    const { ask, server } = await modelBehind([status(code, "moved", { location })]);
    const { origin } = new URL(elsewhere.baseUrl);
    await expect(ask()).rejects.toMatchObject({
      reason: "provider-error",
      message:
        `${server.baseUrl} answers with HTTP ${code}: a redirect to ${origin}, which is not ` +
        "followed. Where that is its right address, make it the base URL (baseUrl in the settings)",
    });
    expect(elsewhere.received).toEqual([]);
    expect(server.received).toHaveLength(1);
  },
);

test.each([{}, { location: "http://[" }, { location: "/v2" }])(
  "a redirect to nowhere or to the same host is none that is followed either: %j",
  async (headers) => {
    const { ask, server } = await modelBehind([status(307, "moved", headers)]);
    await expect(ask()).rejects.toMatchObject({ reason: "provider-error" });
    expect(server.received).toHaveLength(1);
  },
);

test("waits without Retry-After are jittered and grow", async () => {
  const { ask, clock } = await modelBehind(Array(5).fill(status(500)));
  await ask();
  expect(clock.slept).toHaveLength(5);
  for (const [index, wait] of clock.slept.entries()) {
    expect(wait).toBeGreaterThanOrEqual(0);
    expect(wait).toBeLessThan(1000 * 2 ** index);
  }
});

test("a reply that stalls is given up after its time without a byte", async () => {
  const { ask, clock, held, server } = await modelBehind([{ kind: "stall" }]);
  const asked = ask();
  await held;
  await clock.advance(60_000);
  expect((await asked).text).toBe("Yes");
  expect(server.received).toHaveLength(2);
});

test("a reply that drips is given up after its whole time, and is then a time-out", async () => {
  const { ask, clock, held, trace } = await modelBehind([{ kind: "drip" }], {
    attempts: 1,
    timeOuts: { total: 120_000, stall: 200_000 },
  });
  const asked = ask();
  const outcome = expect(asked).rejects.toMatchObject({ reason: "timeout", retryable: true });
  await held;
  await clock.advance(120_000);
  await outcome;
  expect(trace[0]).toMatchObject({ problem: "no whole reply within 120 s" });
});

test.each([
  ["NaN as Python writes it", '{"choices": [{"message": {"content": "Yes"}, "logprobs": NaN}]}'],
  [
    "a log-probability of NaN",
    JSON.stringify(good.json).replace(/"logprob":[^,}]+/, '"logprob": NaN'),
  ],
  [
    "one of -Infinity",
    JSON.stringify(good.json).replace(/"logprob":[^,}]+/, '"logprob": -Infinity'),
  ],
  ["one of null", JSON.stringify(good.json).replace(/"logprob":[^,}]+/, '"logprob": null')],
  ["one above 0", JSON.stringify(good.json).replace(/"logprob":[^,}]+/, '"logprob": 0.5')],
  [
    "one too large for a number",
    JSON.stringify(good.json).replace(/"logprob":[^,}]+/, '"logprob": 1e999'),
  ],
  [
    "a log-probability that is an object of its own mind",
    JSON.stringify(good.json).replace(/"logprob":[^,}]+/, '"logprob": {"toString": 1}'),
  ],
  [
    "a log-probability that stands twice",
    JSON.stringify(good.json).replace(/("logprob":[^,}]+)/, '$1, "logprob": -0.1'),
  ],
  [
    "a text that stands twice",
    JSON.stringify(good.json).replace(/("content":"Yes")/, '$1, "content": "No"'),
  ],
  [
    "a list of two answers that differ",
    JSON.stringify({ choices: ["Yes", "No"].map((content) => ({ message: { content } })) }),
  ],
])("%s is unparsable, once", async (_, text) => {
  const { ask, server } = await modelBehind([{ kind: "raw", text }]);
  await expect(ask()).rejects.toMatchObject({ reason: "unparsable", retryable: false });
  expect(server.received).toHaveLength(1);
});

test("a reply that broke off by an error is no answer, whatever it had said", async () => {
  const broken = { kind: "reply", json: completion({ finish_reason: "error" }) } as const;
  const { ask } = await modelBehind([broken]);
  await expect(ask()).rejects.toMatchObject({ reason: "provider-error", retryable: true });
});

test("refusals, by the model and by a filter", async () => {
  const refusal = {
    kind: "reply",
    json: completion({ refusal: "I can't judge people." }),
  } as const;
  const filtered = {
    kind: "reply",
    json: completion({ finish_reason: "content_filter" }),
  } as const;
  const moderated = status(400, "Your request was rejected by our content management policy");
  const { ask } = await modelBehind([refusal, filtered, moderated]);
  expect(await ask()).toMatchObject({ finish: "refused", text: "I can't judge people." });
  expect(await ask()).toMatchObject({ finish: "refused" });
  await expect(ask()).rejects.toMatchObject({ reason: "refused", retryable: false });
});

test.each([
  [401, "refuses access", /Is the key in OPENAI_API_KEY right/],
  [403, "refuses access", /may it use tiny/],
  [404, "does not know the model tiny", /base URL/],
])("%i is the user's to mend, at once, without the key", async (code, message, hint) => {
  const { ask, server } = await modelBehind([status(code, `Incorrect API key: ${key}`)]);
  const error = await ask().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: "InputError",
    message: expect.stringContaining(message),
    hint: expect.stringMatching(hint),
  });
  expect(String(error)).not.toContain(key);
  expect(server.received).toHaveLength(1);
});

test.each([401, 403, 404, 405])(
  "%i of a model that has answered before is the item's own",
  async (code) => {
    const { ask } = await modelBehind([good, status(code, "blocked by a firewall")]);
    await ask();
    await expect(ask()).rejects.toMatchObject({
      reason: "provider-error",
      message: expect.stringContaining(`HTTP ${code}`),
    });
    expect((await ask()).text).toBe("Yes");
  },
);

test("without a key the message says which variable to set", async () => {
  const { ask } = await modelBehind([status(401)], { apiKey: "", keyName: "MY_KEY" });
  await expect(ask()).rejects.toMatchObject({
    hint: expect.stringContaining("MY_KEY="),
  });
});

test("another bad request is the item's own", async () => {
  const { ask, server } = await modelBehind([good, status(400, "image too strange")]);
  await ask();
  await expect(ask()).rejects.toMatchObject({ reason: "bad-input", retryable: false });
  expect(server.received).toHaveLength(2);
});

test("a bad request of a model that has answered nothing yet is asked again another time", async () => {
  const { ask } = await modelBehind([status(400, "image too strange")]);
  await expect(ask()).rejects.toMatchObject({ reason: "bad-input", retryable: true });
});

test("an account without credit stops the work, which stays to be done", async () => {
  const text = JSON.stringify({ error: { message: "pay", code: "insufficient_quota" } });
  const { ask } = await modelBehind([{ kind: "raw", status: 429, text }]);
  await expect(ask()).rejects.toMatchObject({ code: "incomplete" });
});

test("where nobody listens at the address, the work stays to be done", async () => {
  const baseUrl = `http://127.0.0.1:${await closedPort()}/v1`;
  const model = openAiCompatible("tiny", { baseUrl, clock: handClock() });
  await expect(model.chat(request)).rejects.toMatchObject({
    code: "incomplete",
    message: `Can't reach ${baseUrl}: the connection was refused`,
  });
});

test("a model without log-probabilities says so, and they are not read into its words", async () => {
  const bare = { kind: "reply", json: completion() } as const;
  const { ask } = await modelBehind([bare]);
  await expect(ask()).rejects.toMatchObject({ reason: "not-applicable", retryable: false });
});

test("what a server does not understand is left out, and stays so", async () => {
  const { ask, server, trace } = await modelBehind([
    status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    status(400, "Invalid parameter: response_format of type json_schema is not supported"),
    status(400, "top_logprobs must be at most 5"),
    status(422, "temperature does not support 0 with this model"),
    status(400, "unknown field seed"),
  ]);
  const full = {
    ...request,
    maxTokens: 8,
    seed: 1,
    answerSchema: { name: "a", schema: { type: "object" } },
  };
  await ask(full);
  await ask(full);
  expect(server.received).toHaveLength(7);
  expect(trace.filter(({ kind }) => kind === "left-out")).toHaveLength(5);
  const { model: _, messages: __, ...last } = server.received[6]?.body ?? {};
  expect(last).toEqual({
    max_completion_tokens: 8,
    response_format: { type: "json_object" },
    logprobs: true,
    top_logprobs: 5,
  });
});

test("a schema is strict where all its members are required", async () => {
  const { ask, server } = await modelBehind([]);
  const inner = (required: readonly string[]) => ({
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "string" } },
    required,
    additionalProperties: false,
  });
  for (const required of [["a", "b"], ["a"]]) {
    const schema = { type: "array", items: inner(required) };
    await ask({ ...request, answerSchema: { name: "list", schema } });
  }
  expect(server.received.map(({ body }) => body.response_format)).toMatchObject([
    { type: "json_schema", json_schema: { name: "list", strict: true } },
    { type: "json_schema", json_schema: { name: "list", strict: false } },
  ]);
});

test("a request that does not fit is mended, also where the server says 500 of it", async () => {
  const said =
    "1 validation error: {'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}";
  const { ask, server } = await modelBehind([status(500, said)]);
  await ask({ ...request, answerSchema: { name: "a", schema: { type: "object" } } });
  expect(server.received.map(({ body }) => body.response_format)).toMatchObject([
    { type: "json_schema" },
    { type: "json_object" },
  ]);
});

test("a server without log-probabilities is not asked for them again", async () => {
  const { ask, server } = await modelBehind([
    status(400, "logprobs is not supported"),
    status(400, "logprobs is not supported"),
  ]);
  await expect(ask()).rejects.toMatchObject({ reason: "not-applicable" });
  await expect(ask()).rejects.toMatchObject({ reason: "not-applicable" });
  expect(server.received).toHaveLength(2);
});

test("images are sent upright, flattened, and no larger than allowed", async () => {
  const picture = async (pipeline: Sharp) => openPicture(await pipeline.toBuffer());
  const blank = (width: number, height: number, alpha = 1) =>
    sharp({ create: { width, height, channels: 4, background: { r: 9, g: 9, b: 9, alpha } } });
  const small = await picture(blank(20, 10).removeAlpha().png());
  const clear = await picture(blank(20, 10, 0).png());
  const turned = await picture(blank(200, 100).jpeg().withMetadata({ orientation: 6 }));
  const { ask, server } = await modelBehind([], { longestSide: 50 });
  const parts = [small, clear, turned].map((image) => ({ type: "image", image }) as const);
  await ask({ ...request, messages: [{ role: "user", parts }] });
  const content = server.received[0]?.body.messages?.[0]?.content as readonly {
    readonly image_url: { readonly url: string };
  }[];
  const sent = content.map(({ image_url: { url } }) => {
    const [head = "", body = ""] = url.split(",");
    return { head, bytes: Buffer.from(body, "base64") };
  });
  expect(sent.map(({ head }) => head)).toEqual([
    "data:image/png;base64",
    "data:image/png;base64",
    "data:image/jpeg;base64",
  ]);
  expect(sent[0]?.bytes.equals(small.bytes)).toBe(true);
  expect((await sharp(sent[1]?.bytes).stats()).channels[0]?.min).toBe(255);
  expect(await sharp(sent[2]?.bytes).metadata()).toMatchObject({ width: 25, height: 50 });
});

test("cost, where the price is known; the provider's own figure comes first", async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 10 };
  const priced = { kind: "reply", json: completion({ usage }) } as const;
  const billed = { kind: "reply", json: completion({ usage: { ...usage, cost: 0.5 } }) } as const;
  const { ask, trace } = await modelBehind([priced, billed], { price: { input: 2, output: 10 } });
  const plain = { messages: request.messages };
  await ask(plain);
  await ask(plain);
  expect(trace.map(({ cost }) => cost)).toEqual([expect.closeTo(0.0021, 12), 0.5]);
});

test("an answer that can't be read has cost something all the same", async () => {
  const text = JSON.stringify(good.json).replace(/"logprob":[^,}]+/, '"logprob": 0.5');
  const { ask, trace } = await modelBehind([{ kind: "raw", text }], {
    price: { input: 1, output: 1 },
  });
  await expect(ask()).rejects.toMatchObject({ reason: "unparsable" });
  expect(trace[0]?.cost).toBeCloseTo(101e-6, 12);
});

test("a key that the server repeats is hidden in what is kept", async () => {
  const { ask, trace } = await modelBehind([
    { kind: "reply", json: completion({ text: `Your key is ${key}` }) },
  ]);
  const { text } = await ask({ messages: request.messages });
  expect(text).toBe("Your key is [OPENAI_API_KEY]");
  expect(JSON.stringify(trace)).not.toContain(key);
});

test("stops when told to: before, during a call, and during a wait", async () => {
  const { ask, held } = await modelBehind([{ kind: "stall" }]);
  await expect(ask(request, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  const interruption = new AbortController();
  const asked = ask(request, interruption.signal);
  const outcome = expect(asked).rejects.toMatchObject({ name: "AbortError" });
  await held;
  interruption.abort();
  await outcome;
});

test("of many items behind a server that does everything wrong, none is lost or guessed", async () => {
  const wrong: readonly Behaviour[] = [
    status(500),
    { kind: "reset" },
    { kind: "cut", json: good.json },
    status(408),
    status(429, "slow down", { "retry-after": "0" }),
  ];
  let turn = 0;
  const clock = handClock();
  const server = await misbehavingServer({
    // Each item is wronged a few times in its own way before it is answered.
    behave: () => (turn++ % 3 === 2 ? good : (wrong[turn % wrong.length] ?? good)),
  });
  const model = openAiCompatible("tiny", {
    baseUrl: server.baseUrl,
    clock,
    attempts: 40,
    limits: { concurrency: 4 },
  });
  const replies = await Promise.all(Array.from({ length: 40 }, () => model.chat(request)));
  expect(replies).toHaveLength(40);
  for (const { tokens } of replies) expect(tokens?.[0]?.logProbability).toBeCloseTo(Math.log(0.75));
});

test("a provider that is down is left alone, and the rest of the plan stays to be done", async () => {
  const clock = handClock();
  const server = await misbehavingServer({ behave: () => status(503) });
  const model = openAiCompatible("tiny", { baseUrl: server.baseUrl, clock, attempts: 6 });
  let settled = false;
  const plan = Promise.allSettled(
    Array.from({ length: 500 }, (_, at) => model.chat(about(`item ${at}`))),
  ).finally(() => {
    settled = true;
  });
  while (!settled) await clock.advance(1000);
  const outcomes = await plan;
  const reasons = outcomes.map((outcome) =>
    outcome.status === "rejected" ? outcome.reason.code : "answered",
  );
  expect(new Set(reasons)).toEqual(new Set(["incomplete"]));
  // Those under way when it went down, and five tries.
  expect(server.received.length).toBeLessThan(60);
});

test.each([
  ["ftp://x", "Expected a base URL such as"],
  ["localhost:8000", "Expected a base URL such as"],
  ["http://user:secret@localhost/v1", "without user, password"],
  ["http://localhost/v1?key=secret", "without user, password"],
])("the base URL %s is refused without repeating what is secret", (baseUrl, message) => {
  const make = () => openAiCompatible("tiny", { baseUrl });
  expect(make).toThrow(message);
  expect(make).not.toThrow("secret");
});

test("the identity names address, revision and an unusual size", () => {
  const baseUrl = "http://localhost:8000/v1/";
  expect(openAiCompatible("tiny", { baseUrl, revision: "may", longestSide: 512 }).identity).toEqual(
    {
      provider: "openai-compatible",
      model: "tiny",
      revision: "may+side-512",
      baseUrl: "http://localhost:8000/v1",
    },
  );
});
