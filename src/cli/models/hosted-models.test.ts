import { join } from "node:path";
import { expect, test } from "vitest";
import { completion, misbehavingServer } from "../../../test/support/misbehaving-server.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import type { ChatModel } from "../../core/models.js";
import { keeps } from "../../models/contracts.js";
import type { JsonClient } from "../../models/http/json-client.js";
import type { Environment } from "../environment.js";
import { hostedEmbedder } from "./hosted-models.js";
import { hostingFor } from "./hosting.js";
import { chooseModel } from "./model-choice.js";

const good = {
  kind: "reply",
  json: completion({ probabilities: { Yes: 0.75, No: 0.25 } }),
} as const;
const request = {
  messages: [{ role: "user", parts: [{ type: "text", text: "A dog?" }] }],
} as const;
const hosting = (variables: Environment["variables"], workingDirectory = ".") =>
  hostingFor({ variables, workingDirectory });

async function chatOf(...choice: Parameters<typeof chooseModel>): Promise<ChatModel> {
  const { model } = await chooseModel(...choice);
  if (!keeps(model, "ChatModel")) throw new Error("Expected a chat model");
  return model;
}

test("a hosted model by provider and its whole name, at the address of the environment, with its key", async () => {
  const server = await misbehavingServer({ behave: () => good });
  const variables = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-123456" };
  const text = "openai-compatible:llama3.2:3b@may";
  const chosen = await chooseModel(text, {}, hosting(variables));
  expect(chosen.model.identity).toEqual({
    provider: "openai-compatible",
    model: "llama3.2:3b@may",
    baseUrl: server.baseUrl,
  });
  expect(chosen).toMatchObject({ judgesPhotographs: true, callsAtOnce: 16 });
  expect(keeps(chosen.model, "VisualQuestionAnswering")).toBe(true);
  await (await chatOf(text, {}, hosting(variables))).chat(request);
  expect(server.received[0]?.headers.authorization).toBe("Bearer sk-123456");
});

test("an address in the settings gets no key but the one that is named for it", async () => {
  const server = await misbehavingServer({ behave: () => good });
  const own = { provider: "openai-compatible", model: "tiny", baseUrl: server.baseUrl } as const;
  const configured = { own, keyed: { ...own, keyVariable: "MY_KEY" } };
  const variables = { OPENAI_API_KEY: "sk-123456", MY_KEY: "mk-123456" };
  await (await chatOf("own", configured, hosting(variables))).chat(request);
  await (await chatOf("keyed", configured, hosting(variables))).chat(request);
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    "Bearer mk-123456",
  ]);
});

test("OpenAI without a key is refused before any work is done", async () => {
  const { load } = await chooseModel("openai-compatible:gpt-4o-mini", {}, hosting({}));
  await expect(load()).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining("in OPENAI_API_KEY but it is not set"),
    hint: expect.stringContaining("OPENAI_BASE_URL"),
  });
});

test("a key of three characters is a key, and is not printed where the server repeats it", async () => {
  const variables = { OPENAI_API_KEY: "abc" };
  const { load } = await chooseModel("openai-compatible:gpt-4o-mini", {}, hosting(variables));
  await expect(load()).resolves.toBeUndefined();
  const refusal = { error: { message: "Incorrect API key: abc. Read as: Bearer abc" } };
  const server = await misbehavingServer({
    behave: () => ({ kind: "reply", status: 401, json: refusal }),
  });
  const own = { ...variables, OPENAI_BASE_URL: server.baseUrl };
  const model = await chatOf("openai-compatible:tiny", {}, hosting(own));
  await expect(model.chat(request)).rejects.toMatchObject({
    message: expect.stringContaining(
      "Incorrect API key: [OPENAI_API_KEY]. Read as: Bearer [OPENAI_API_KEY]",
    ),
    hint: "Is the key in OPENAI_API_KEY right, and may it use tiny?",
  });
  expect(server.received[0]?.headers.authorization).toBe("Bearer abc");
});

test("models of one server stay within the strictest of their limits together", async () => {
  const one = hosting({});
  const baseUrl = "http://localhost:1/v1";
  let atOnce = 0;
  let most = 0;
  const fetch = async () => {
    most = Math.max(most, ++atOnce);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    atOnce--;
    return new Response("{}");
  };
  const client = (concurrency: number | undefined, apiKey = "a", address = baseUrl) =>
    one.client({ baseUrl: address, apiKey, fetch, limits: { concurrency } });
  const atMost = async (clients: readonly JsonClient[]) => {
    most = 0;
    const calls = clients.flatMap((each) => [each, each, each]);
    await Promise.all(calls.map((each) => each.call({ path: "p", read: () => 0 })));
    return most;
  };
  const together = [await client(4), await client(undefined), await client(2, "a", `${baseUrl}/`)];
  expect(await atMost(together)).toBe(2);
  // Who has another key has another account.
  expect(await atMost([...together, await client(2, "b")])).toBe(4);
});

test("replies are kept in the user's folder, that of the settings, or not at all", async () => {
  const at = (variables: Environment["variables"], options = {}) =>
    hostingFor({ variables, workingDirectory: "/here" }, options).replies.directory;
  expect(at({ HOME: "/a" })).toBe(join("/a", ".cache", "touchstone", "replies"));
  expect(at({ HOME: "/a", XDG_CACHE_HOME: "/c" })).toBe(join("/c", "touchstone", "replies"));
  expect(at({ HOME: "/a" }, { settings: { directory: "kept" } })).toBe("/here/kept");
  expect(at({ HOME: "/a" }, { settings: { enabled: false } })).toBeUndefined();
  expect(at({ HOME: "/a" }, { useCache: false })).toBeUndefined();
  expect(at({})).toBeUndefined();
});

test("the same question is asked once by two command lines, twice with --no-cache", async () => {
  const server = await misbehavingServer({ behave: () => good });
  const variables = {
    OPENAI_BASE_URL: server.baseUrl,
    XDG_CACHE_HOME: await temporaryDirectory(),
  };
  const ask = async (useCache: boolean) => {
    const way = hostingFor({ variables, workingDirectory: "." }, { useCache });
    return (await chatOf("openai-compatible:tiny", {}, way)).chat(request);
  };
  expect(await ask(true)).toEqual(await ask(true));
  expect(server.received).toHaveLength(1);
  await ask(false);
  expect(server.received).toHaveLength(2);
});

test("another way to P(yes) shows in the model's name", async () => {
  const samples = {
    provider: "openai-compatible",
    model: "tiny",
    baseUrl: "http://localhost:1/v1",
    yesNo: { samples: 5 },
  } as const;
  const { model } = await chooseModel("judge", { judge: samples }, hosting({}));
  expect(model.identity.revision).toBe("samples-5");
});

test("what one command embedded the next one finds; --no-cache asks anew", async () => {
  const workingDirectory = await temporaryDirectory();
  const { baseUrl, received } = await misbehavingServer({
    behave: () => ({ kind: "reply", json: { data: [{ embedding: [0.5, 0.25] }] } }),
  });
  const variables = { XDG_CACHE_HOME: workingDirectory };
  const embed = async (useCache: boolean) => {
    const hosting = hostingFor({ variables, workingDirectory }, { useCache });
    const { model } = await hostedEmbedder({ model: "clip", baseUrl }, hosting);
    if (!keeps(model, "TextEmbedder")) throw new Error("Expected an embedder of texts");
    return Array.from(await model.embedText("a cat"));
  };
  for (const [useCache, calls] of [
    [true, 1],
    [true, 1],
    [false, 2],
  ] as const) {
    expect(await embed(useCache)).toEqual([0.5, 0.25]);
    expect(received).toHaveLength(calls);
  }
});
