import { expect, test } from "vitest";
import {
  generatorBehind,
  madeImage,
  madeImageUrl,
  plantedKey,
  status,
} from "../../../test/support/generator-behind.js";
import type { Behaviour } from "../../../test/support/misbehaving-server.js";
import { fal } from "./fal.js";

const model = "owner/painter/fast";

/** The queue: submitted, asked after as often as there are states, and the result. */
async function queue(
  result: Behaviour,
  {
    states = [{ status: "COMPLETED" }],
    at = (baseUrl: string) => baseUrl,
    ...settings
  }: {
    states?: readonly object[];
    at?: (baseUrl: string) => string;
  } & Parameters<typeof fal>[1] = {},
) {
  let asked = 0;
  return generatorBehind(
    (options) => fal(model, { ...options, ...settings }),
    ({ path }, _, baseUrl) => {
      const request = `${at(baseUrl)}/owner/painter/requests/r1`;
      if (path === `/v1/${model}`) {
        const urls = { status_url: `${request}/status`, response_url: request };
        return { kind: "reply", json: { request_id: "r1", ...urls } };
      }
      if (path.endsWith("/status")) return { kind: "reply", json: states[asked++] };
      return result;
    },
  );
}

const images = (url: string, rest: object = {}): Behaviour => ({
  kind: "reply",
  json: { images: [{ url, width: 40, height: 30 }], seed: 5, prompt: "a red wall", ...rest },
});

test("queues a request, waits for it where the reply says, and fetches the image", async () => {
  const states = [{ status: "IN_QUEUE" }, { status: "IN_PROGRESS" }, { status: "COMPLETED" }];
  const settings = { states, input: { num_inference_steps: 4 }, price: 0.5 };
  const { generate, server, clock, trace, generator } = await queue(images(madeImageUrl), settings);
  const made = await generate();
  expect(Buffer.compare(made.bytes, madeImage)).toBe(0);
  expect(made.revisedPrompt).toBeUndefined();
  expect(server.received.map(({ path }) => path)).toEqual([
    `/v1/${model}`,
    ...Array(3).fill("/v1/owner/painter/requests/r1/status"),
    "/v1/owner/painter/requests/r1",
  ]);
  for (const { headers } of server.received)
    expect(headers.authorization).toBe(`Key ${plantedKey}`);
  expect(server.received[0]?.body).toEqual({
    prompt: "a red wall",
    seed: 5,
    num_inference_steps: 4,
  });
  expect(clock.slept).toEqual([500, 750]);
  expect(trace).toEqual([expect.objectContaining({ kind: "model-call", cost: 0.5 })]);
  expect(generator.identity.provider).toBe("fal");
});

const violation = {
  detail: [{ loc: ["body", "prompt"], msg: "Declined", type: "content_policy_violation" }],
};
const invalid = { detail: [{ loc: ["body", "seed"], msg: "too large", type: "less_than" }] };
const failed = (error: string) => [{ status: "COMPLETED", error, error_type: "x" }];

test.each<[string, Behaviour, readonly object[] | undefined, string, string]>([
  [
    "is blackened",
    images(madeImageUrl, { has_nsfw_concepts: [true] }),
    undefined,
    "refused",
    "blackened",
  ],
  ["is declined", status(422, violation), undefined, "refused", "body.prompt: Declined"],
  ["is invalid", status(422, invalid), undefined, "bad-input", "too large"],
  ["failed", status(500), failed("Runner died"), "provider-error", "Runner died"],
  ["was flagged", status(500), failed("content_policy_violation"), "refused", "content_policy"],
  [
    "holds what is no image",
    images("data:image/png;base64,AAAA"),
    undefined,
    "provider-error",
    "not an image",
  ],
])("an image that %s has no answer", async (_, result, states, reason, words) => {
  const { generate, server } = await queue(result, states === undefined ? {} : { states });
  await expect(generate()).rejects.toThrow(
    expect.objectContaining({ name: "NoAnswer", reason, message: expect.stringContaining(words) }),
  );
  expect(server.received.filter(({ path }) => path === `/v1/${model}`)).toHaveLength(1);
});

test("a job that was declined is not begun again by who goes on with it", async () => {
  const kept = new Map<string, string>();
  const jobs = {
    read: async (key: string) => kept.get(key),
    write: async (key: string, text: string) => void kept.set(key, text),
  };
  const states = [{ status: "COMPLETED" }, { status: "COMPLETED" }];
  const { generate, server } = await queue(status(422, violation), { jobs, states });
  await expect(generate()).rejects.toMatchObject({ reason: "refused" });
  await expect(generate()).rejects.toMatchObject({ reason: "refused" });
  expect(server.received.filter(({ path }) => path === `/v1/${model}`)).toHaveLength(1);
});

test("the key goes nowhere but below the base URL", async () => {
  const { generate, server } = await queue(images(madeImageUrl), {
    at: (baseUrl) => `${new URL(baseUrl).origin}/elsewhere`,
  });
  await expect(generate()).rejects.toThrow(
    expect.objectContaining({
      reason: "provider-error",
      message: expect.stringContaining("below"),
    }),
  );
  expect(server.received).toHaveLength(1);
});
