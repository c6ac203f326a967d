import { expect, test } from "vitest";
import {
  generatorBehind,
  madeImage,
  madeImageUrl,
  plantedKey,
  status,
} from "../../../test/support/generator-behind.js";
import type { Behaviour, Received } from "../../../test/support/misbehaving-server.js";
import { replicate } from "./replicate.js";

const model = "owner/painter";
const behind = (
  behave: (call: Received, number: number, baseUrl: string) => Behaviour,
  settings: Parameters<typeof replicate>[1] = {},
) => generatorBehind((options) => replicate(model, { ...options, ...settings }), behave);

const prediction = (state: string, rest: object = {}): Behaviour => ({
  kind: "reply",
  json: { id: "abc123", status: state, output: null, error: null, ...rest },
});

test("makes a prediction, waits for it and takes its first image", async () => {
  const states = ["starting", "processing", "processing", "succeeded"];
  const { generate, server, clock, trace, generator } = await behind(
    (_, number) => prediction(states[number] ?? "", { output: [madeImageUrl, "data:,second"] }),
    { input: { num_inference_steps: 4 }, price: 0.003 },
  );
  const { bytes } = await generate();
  expect(Buffer.compare(bytes, madeImage)).toBe(0);
  expect(server.received.map(({ path }) => path)).toEqual([
    `/v1/models/${model}/predictions`,
    ...Array(3).fill("/v1/predictions/abc123"),
  ]);
  const [call] = server.received;
  expect(call?.headers).toMatchObject({ authorization: `Bearer ${plantedKey}`, prefer: "wait=30" });
  expect(call?.body).toEqual({ input: { prompt: "a red wall", seed: 5, num_inference_steps: 4 } });
  expect(clock.slept).toEqual([500, 750, 1125]);
  expect(trace).toEqual([expect.objectContaining({ kind: "model-call", cost: 0.003 })]);
  expect(generator.identity.revision).toMatch(/^input-[0-9a-f]{8}$/);
});

test("a version is asked for by its id; an image is fetched without the key", async () => {
  const { generate, server } = await behind(
    ({ path }, _, baseUrl) =>
      path.includes("delivery")
        ? { kind: "raw", text: madeImage }
        : prediction("succeeded", { output: `${baseUrl}/delivery/1.png` }),
    { revision: "0123abcd" },
  );
  expect(Buffer.compare((await generate()).bytes, madeImage)).toBe(0);
  expect(server.received[0]).toMatchObject({
    path: "/v1/predictions",
    body: { version: "0123abcd" },
  });
  expect(server.received[1]?.headers.authorization).toBeUndefined();
});

test.each<[string, Behaviour, string, string]>([
  [
    "fails",
    prediction("failed", { error: "CUDA out of memory" }),
    "provider-error",
    "CUDA out of memory",
  ],
  ["is cancelled", prediction("canceled"), "provider-error", "canceled"],
  ["is aborted", prediction("aborted"), "provider-error", "aborted"],
  [
    "is declined",
    prediction("failed", { error: "NSFW content detected. Try another prompt." }),
    "refused",
    "NSFW",
  ],
  [
    "is declined by another filter",
    prediction("failed", { error: "The input was flagged as sensitive (E005)" }),
    "refused",
    "E005",
  ],
  ["holds no image", prediction("succeeded"), "provider-error", "no image"],
  [
    "holds a file that is no image",
    prediction("succeeded", { output: "data:text/plain;base64,aGVsbG8=" }),
    "provider-error",
    "not an image",
  ],
  [
    "is turned down",
    status(422, { detail: "seed: must be an integer" }),
    "bad-input",
    "must be an integer",
  ],
])(
  "a prediction that %s has no answer, and is not made again",
  async (_, behaviour, reason, words) => {
    const { generate, server } = await behind(() => behaviour);
    await expect(generate()).rejects.toThrow(
      expect.objectContaining({
        name: "NoAnswer",
        reason,
        message: expect.stringContaining(words),
      }),
    );
    expect(server.received).toHaveLength(1);
  },
);

test("a prediction that never ends is left after a while; failing questions are asked again", async () => {
  const stuck = await behind(() => prediction("processing"));
  await expect(stuck.generate()).rejects.toThrow(expect.objectContaining({ reason: "timeout" }));
  const bumpy = await behind((_, number) =>
    number === 0
      ? prediction("starting")
      : number === 1
        ? status(502)
        : prediction("succeeded", { output: madeImageUrl }),
  );
  await bumpy.generate();
  expect(bumpy.server.received.map(({ path }) => path)).toEqual([
    `/v1/models/${model}/predictions`,
    "/v1/predictions/abc123",
    "/v1/predictions/abc123",
  ]);
});
