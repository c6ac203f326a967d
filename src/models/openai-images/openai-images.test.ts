import { expect, test } from "vitest";
import { labServer } from "../../../packages/lab/src/serve/lab-server.js";
import {
  generatorBehind,
  madeImage,
  madeImageUrl,
  plantedKey,
  status,
} from "../../../test/support/generator-behind.js";
import type { Behaviour, Received } from "../../../test/support/misbehaving-server.js";
import { InputError } from "../../core/errors.js";
import { openAiImages } from "./openai-images.js";

const b64 = madeImageUrl.split(",")[1] ?? "";
const good: Behaviour = { kind: "reply", json: { created: 1, data: [{ b64_json: b64 }] } };

const behind = (
  behave: (call: Received, number: number, baseUrl: string) => Behaviour,
  settings: Parameters<typeof openAiImages>[1] = {},
) => generatorBehind((options) => openAiImages("painter", { ...options, ...settings }), behave);

const noAnswer = (reason: string, words: string | RegExp = "") =>
  expect.objectContaining({
    name: "NoAnswer",
    reason,
    message:
      words instanceof RegExp ? expect.stringMatching(words) : expect.stringContaining(words),
  });

test("sends the prompt, what it was told and the key, and gives the image", async () => {
  const revised = {
    ...good,
    json: { data: [{ b64_json: b64, revised_prompt: "a big red wall" }] },
  };
  const { generate, server, trace, generator } = await behind(() => revised, {
    size: "40x30",
    quality: "low",
    input: { background: "opaque" },
    price: 0.25,
  });
  const { bytes, revisedPrompt } = await generate();
  expect(Buffer.compare(bytes, madeImage)).toBe(0);
  expect(revisedPrompt).toBe("a big red wall");
  const [call] = server.received;
  expect(call?.path).toBe("/v1/images/generations");
  expect(call?.headers.authorization).toBe(`Bearer ${plantedKey}`);
  expect(call?.body).toEqual({
    model: "painter",
    prompt: "a red wall",
    n: 1,
    size: "40x30",
    quality: "low",
    background: "opaque",
    response_format: "b64_json",
    seed: 5,
  });
  expect(trace).toEqual([
    expect.objectContaining({ kind: "model-call", cached: false, attempts: 1, cost: 0.25 }),
  ]);
  expect(JSON.stringify(trace)).not.toContain(b64);
  expect(generator.identity).toEqual({
    provider: "openai-images",
    model: "painter",
    revision: expect.stringMatching(/^40x30\+low\+input-[0-9a-f]{8}$/),
    baseUrl: server.baseUrl,
  });
});

test("fetches an image that the reply only names, without the key", async () => {
  const { generate, server } = await behind(({ path }, _, baseUrl) =>
    path.startsWith("/files")
      ? { kind: "raw", text: madeImage }
      : {
          kind: "reply",
          json: { data: [{ url: `${new URL(baseUrl).origin}/files/1.png?sig=x` }] },
        },
  );
  expect(Buffer.compare((await generate()).bytes, madeImage)).toBe(0);
  expect(server.received[1]?.path).toBe("/files/1.png?sig=x");
  expect(server.received[1]?.headers.authorization).toBeUndefined();
});

test("follows no redirect, neither from the provider nor from where an image lies", async () => {
  const redirect = (location: string) =>
    ({ kind: "raw", status: 302, text: "", headers: { location } }) as const;
  const { generate, server } = await behind(({ path }, _, baseUrl) =>
    path.startsWith("/files")
      ? redirect(`${baseUrl}/inside`)
      : { kind: "reply", json: { data: [{ url: `${new URL(baseUrl).origin}/files/1.png` }] } },
  );
  await expect(generate()).rejects.toMatchObject({
    reason: "provider-error",
    message: expect.stringMatching(/1\.png .*HTTP 302.* http:/),
  });
  expect(server.received).toHaveLength(2);
  const moved = await behind((_, __, baseUrl) => redirect(`${baseUrl}/elsewhere`));
  await expect(moved.generate()).rejects.toMatchObject({
    reason: "provider-error",
    message: expect.stringContaining("HTTP 302"),
  });
  expect(moved.server.received).toHaveLength(1);
});

test("leaves out what the server does not understand, once it has said so", async () => {
  const { generate, server } = await behind(({ body }) =>
    "response_format" in body
      ? // LocalAI's words, in Go's.
        status(500, { error: { message: "json: cannot unmarshal string of response_format" } })
      : "seed" in body
        ? status(422, { detail: "Extra inputs are not permitted: seed" })
        : good,
  );
  await generate();
  await generate();
  expect(server.received.map(({ body }) => ["response_format" in body, "seed" in body])).toEqual([
    [true, true],
    [false, true],
    [false, false],
    [false, false],
  ]);
});

test("OpenAI is asked for neither a seed nor, of its newer models, a format", async () => {
  const bodies: object[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)));
    return Response.json({
      data: [{ b64_json: b64 }],
      usage: { input_tokens: 100_000, output_tokens: 50_000 },
    });
  };
  const costs: unknown[] = [];
  for (const model of ["gpt-image-1", "dall-e-3"]) {
    const generator = openAiImages(model, { fetch, apiKey: plantedKey, size: "1024x1024" });
    await generator.generate(
      { prompt: "a wall", seed: 1 },
      { trace: (entry) => costs.push(entry.cost) },
    );
  }
  const asked = { prompt: "a wall", n: 1, size: "1024x1024" };
  expect(bodies).toEqual([
    { ...asked, model: "gpt-image-1" },
    { ...asked, model: "dall-e-3", response_format: "b64_json" },
  ]);
  // 5 dollars for a million tokens in and 40 out; and 4 cents.
  expect(costs).toEqual([expect.closeTo(2.5, 9), 0.04]);
});

const declined = {
  error: { message: "Rejected by the safety system", code: "moderation_blocked" },
};
test.each<[string, Behaviour, ReturnType<typeof noAnswer>]>([
  ["declines the prompt", status(400, declined), noAnswer("refused", "safety system")],
  ["turns the request down", status(400), noAnswer("bad-input", "status 400")],
  [
    "sends what is no image",
    { kind: "reply", json: { data: [{ b64_json: "AAAA" }] } },
    noAnswer("provider-error", "not an image"),
  ],
  [
    "sends half of an image",
    { kind: "reply", json: { data: [{ b64_json: b64.slice(0, 60) }] } },
    noAnswer("provider-error", "cut short"),
  ],
  [
    "sends neither image nor address",
    { kind: "reply", json: { data: [{}] } },
    noAnswer("provider-error", "no image"),
  ],
  [
    "names an address that is none of the web's",
    { kind: "reply", json: { data: [{ url: "file:///etc/passwd" }] } },
    noAnswer("provider-error", "Expected a web address"),
  ],
])("a server that %s", async (_, behaviour, error) => {
  const { generate, server, trace } = await behind(() => behaviour);
  await expect(generate()).rejects.toThrow(error);
  expect(server.received).toHaveLength(1);
  expect(JSON.stringify(trace)).not.toContain(plantedKey);
});

test.each<[string, Behaviour, string]>([
  ["429", status(429), "rate-limited"],
  ["500", status(500), "provider-error"],
  ["a reset", { kind: "reset" }, "provider-error"],
  ["a reply cut short", { kind: "cut", json: { data: [{ b64_json: b64 }] } }, "provider-error"],
  ["a web page", { kind: "raw", text: "<html>" }, "provider-error"],
])("after %s it is asked again; for good it is unscored", async (_, behaviour, reason) => {
  const once = await behind((_call, number) => (number === 0 ? behaviour : good));
  await once.generate();
  expect(once.server.received).toHaveLength(2);
  // Less often than the breaker needs to take the provider for dead.
  const always = await behind(() => behaviour, { attempts: 2 });
  await expect(always.generate()).rejects.toThrow(noAnswer(reason));
  expect(always.server.received).toHaveLength(2);
});

test.each<[string, Behaviour]>([
  ["another schema", { kind: "reply", json: { images: [] } }],
  ["half of some JSON", { kind: "raw", text: '{"data": [{"b64_json": "iVBO' }],
])("a whole reply with %s may be paid for, so it is not asked again", async (_, behaviour) => {
  const { generate, server } = await behind(() => behaviour);
  await expect(generate()).rejects.toThrow(noAnswer("provider-error"));
  expect(server.received).toHaveLength(1);
});

test("an image that is not where the reply says is asked for again, then unscored", async () => {
  const { generate, server } = await behind(({ path }, _, baseUrl) =>
    path.startsWith("/v1")
      ? { kind: "reply", json: { data: [{ url: `${new URL(baseUrl).origin}/a.png?sig=secret` }] } }
      : status(503),
  );
  const failure = await generate().catch((error: unknown) => error);
  expect(failure).toEqual(noAnswer("provider-error", /a\.png can't be fetched: HTTP 503/));
  expect(String(failure)).not.toContain("sig=secret");
  expect(server.received).toHaveLength(5);
});

test("a wrong key is the user's to mend; a stop is a stop", async () => {
  const { generate } = await behind(() => status(401));
  await expect(generate()).rejects.toThrow(InputError);
  const { generate: again } = await behind(() => good);
  await expect(again("a wall", AbortSignal.abort())).rejects.toThrow(
    expect.objectContaining({ name: "AbortError" }),
  );
});

test("the lab's server is such a server", async () => {
  const app = labServer();
  const generator = openAiImages("painter", {
    baseUrl: "http://localhost/v1",
    fetch: async (url, init) => app.request(String(url), init),
  });
  const prompt = "A dog is in the snow.";
  const first = await generator.generate({ prompt, seed: 3 });
  expect(await generator.generate({ prompt, seed: 3 })).toEqual(first);
  const other = await generator.generate({ prompt, seed: 4 });
  expect(Buffer.compare(first.bytes, other.bytes)).not.toBe(0);
});
