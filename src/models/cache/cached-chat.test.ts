import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { misbehavingS3 } from "../../../test/support/misbehaving-s3.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import type { JsonObject } from "../../core/json.js";
import type { ChatModel, ChatRequest, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { scriptedChat, withTokens } from "../../testing/fake-models.js";
import { cachedChat, replyKey } from "./cached-chat.js";
import { ReplyStore } from "./reply-store.js";

const request: ChatRequest = {
  messages: [
    {
      role: "user",
      parts: [
        { type: "text", text: "A dog?" },
        { type: "image", image: { hash: "aa" } as Picture },
      ],
    },
  ],
  topLogProbabilities: 5,
};

/** As many good replies as are asked for, each of its own. */
function counting() {
  const replies = Array.from({ length: 20 }, (_, index) => ({
    ...withTokens({ Yes: 0.5 + index / 100, No: 0.25 }),
    usage: { inputTokens: 10, outputTokens: index },
  }));
  return scriptedChat(...replies);
}

async function store() {
  return new ReplyStore(join(await temporaryDirectory(), "cache"));
}

async function filesOf({ directory = "" }: ReplyStore): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  return names.filter((name) => name.includes(".")).map((name) => join(directory, name));
}

test("the same is asked once, also by another process, and says that it was not asked", async () => {
  const replies = await store();
  const { model, asked } = counting();
  const first = await cachedChat(model, replies).chat(request);
  const trace: JsonObject[] = [];
  const again = cachedChat(model, new ReplyStore(replies.directory));
  expect(await again.chat(request, { trace: (entry) => trace.push(entry) })).toEqual(first);
  expect(asked).toHaveLength(1);
  expect(trace).toMatchObject([{ kind: "model-call", cached: true, cost: 0 }]);
});

test.each<
  [string, (model: ChatModel) => { model?: ChatModel; request?: ChatRequest; trial?: number }]
>([
  ["trial", () => ({ trial: 1 })],
  ["seed", () => ({ request: { ...request, seed: 1 } })],
  ["temperature", () => ({ request: { ...request, temperature: 1 } })],
  [
    "image",
    () => ({
      request: {
        ...request,
        messages: [{ role: "user", parts: [{ type: "image", image: { hash: "bb" } as Picture }] }],
      },
    }),
  ],
  [
    "base URL",
    (model) => ({ model: { ...model, identity: { ...model.identity, baseUrl: "http://b" } } }),
  ],
  [
    "revision",
    (model) => ({ model: { ...model, identity: { ...model.identity, revision: "may" } } }),
  ],
])("another %s is asked for itself", async (_, change) => {
  const replies = await store();
  const { model, asked } = counting();
  await cachedChat(model, replies).chat(request);
  const { model: other = model, request: changed = request, trial } = change(model);
  await cachedChat(other, replies).chat(changed, trial === undefined ? {} : { trial });
  expect(asked).toHaveLength(2);
});

test("errors and refusals are not kept", async () => {
  const replies = await store();
  const refused = { text: "No.", finish: "refused" } as const;
  const { model, asked } = scriptedChat(refused, refused);
  await cachedChat(model, replies).chat(request);
  await cachedChat(model, replies).chat(request);
  expect(asked).toHaveLength(2);
  const failing: ChatModel = {
    ...model,
    chat: async () => {
      throw new NoAnswer("timeout", "late");
    },
  };
  await expect(cachedChat(failing, replies).chat(request)).rejects.toThrow("late");
  await expect(readdir(replies.directory ?? "")).rejects.toThrow("ENOENT");
});

test("an entry torn at any byte, or changed, is asked for again", async () => {
  const replies = await store();
  const { model, asked } = counting();
  const cached = cachedChat(model, replies);
  await cached.chat(request);
  const [file = ""] = await filesOf(replies);
  const whole = await readFile(file, "utf8");
  for (const length of [0, 1, 64, 65, whole.length - 1]) {
    await truncate(file, length);
    const before = asked.length;
    await cached.chat(request);
    expect(asked.length).toBe(before + 1);
  }
  await writeFile(file, whole.replace("Yes", "No!"));
  await cached.chat(request);
  expect(asked).toHaveLength(7);
  await cached.chat(request);
  expect(asked).toHaveLength(7);
});

test("many at once leave one whole entry and nothing beside it", async () => {
  const replies = await store();
  const { model } = counting();
  const cached = cachedChat(model, replies);
  await Promise.all(Array.from({ length: 10 }, () => cached.chat(request)));
  expect(await filesOf(replies)).toHaveLength(1);
  expect((await cached.chat(request)).finish).toBe("stop");
});

test.each(["a folder", "memory"])(
  "asked many times at once, kept in %s, it is asked once",
  async (home) => {
    const replies = home === "memory" ? new ReplyStore() : await store();
    const { model, asked } = counting();
    const trace: JsonObject[] = [];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        // Each of these is a model of its own, as steps have them.
        cachedChat(model, replies).chat(request, { trace: (entry) => trace.push(entry) }),
      ),
    );
    expect(asked).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(trace).toEqual(Array(9).fill(expect.objectContaining({ cached: true, cost: 0 })));
    await cachedChat(model, replies).chat(request);
    expect(asked).toHaveLength(1);
  },
);

test("processes that share a bucket ask once, and anew what was forgotten", async () => {
  await misbehavingS3();
  const bucket = () => new ReplyStore("s3://answers/chat");
  const { model, asked } = counting();
  const first = await cachedChat(model, bucket()).chat(request);
  expect(await cachedChat(model, bucket()).chat(request)).toEqual(first);
  expect(asked).toHaveLength(1);
  await bucket().forget(replyKey(model.identity, request));
  await cachedChat(model, bucket()).chat(request);
  expect(asked).toHaveLength(2);
});

test("what many wait for and fails, fails for all, and is asked again later", async () => {
  const { model, asked } = counting();
  let isDown = true;
  const failing: ChatModel = {
    ...model,
    async chat(...given) {
      if (!isDown) return model.chat(...given);
      asked.push(given[0]);
      throw new NoAnswer("timeout", "late");
    },
  };
  const cached = cachedChat(failing, await store());
  const outcomes = await Promise.allSettled([cached.chat(request), cached.chat(request)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(asked).toHaveLength(1);
  isDown = false;
  await cached.chat(request);
  expect(asked).toHaveLength(2);
});

test("a place that can't be written loses no answer", async () => {
  const file = join(await temporaryDirectory(), "file");
  await writeFile(file, "");
  const trace: JsonObject[] = [];
  const cached = cachedChat(counting().model, new ReplyStore(file));
  const reply = await cached.chat(request, { trace: (entry) => trace.push(entry) });
  expect(reply.text).toBe("Yes");
  expect(trace).toMatchObject([{ kind: "not-cached" }]);
});

test("stops when told to, though the answer is there", async () => {
  const cached = cachedChat(counting().model, await store());
  await cached.chat(request);
  await expect(cached.chat(request, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
});
