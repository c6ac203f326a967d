import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import type { JsonObject } from "../../core/json.js";
import { NoAnswer } from "../../core/unscored.js";
import { fakePicture } from "../../testing/fake-models.js";
import { cachedEmbedder } from "./cached-embedder.js";
import { ReplyStore } from "./reply-store.js";

/** Embeds everything as the number of the call, a third of it beside; the first call of all fails. */
function embedder(baseUrl = "http://one.test/v1") {
  const calls: string[] = [];
  const answer = async (asked: string) => {
    calls.push(asked);
    if (calls.length === 1) throw new NoAnswer("timeout", "no answer within 30 s");
    return Float32Array.of(calls.length, 1 / 3);
  };
  return {
    calls,
    model: {
      identity: { provider: "openai-embeddings", model: "clip", baseUrl },
      embedText: answer,
      embedImage: ({ hash }: { readonly hash: string }) => answer(hash),
    },
  };
}

test("texts and images are embedded once, to the last bit and over processes; failures are not kept", async () => {
  const directory = await temporaryDirectory();
  const { model, calls } = embedder();
  const first = cachedEmbedder(model, new ReplyStore(directory));
  await expect(first.embedText("a cat")).rejects.toMatchObject({ reason: "timeout" });
  const text = await first.embedText("a cat");
  const image = await first.embedImage(fakePicture());
  expect([text, image]).toEqual([Float32Array.of(2, 1 / 3), Float32Array.of(3, 1 / 3)]);

  const again = cachedEmbedder(model, new ReplyStore(directory));
  const trace: JsonObject[] = [];
  const options = { trace: (entry: JsonObject) => void trace.push(entry) };
  expect(await again.embedText("a cat", options)).toEqual(text);
  expect(await again.embedImage(fakePicture(), options)).toEqual(image);
  expect(calls).toHaveLength(3);
  expect(trace).toMatchObject([
    { kind: "model-call", cached: true, cost: 0, baseUrl: "http://one.test/v1" },
    { kind: "model-call", cached: true, cost: 0 },
  ]);
});

test("another text, image, server or setting is asked about, and so is what was damaged", async () => {
  const directory = await temporaryDirectory();
  const store = new ReplyStore(directory);
  const { model, calls } = embedder();
  const kept = cachedEmbedder(model, store);
  await kept.embedText("a cat").catch(() => {});
  await kept.embedText("a cat");
  await kept.embedText("a dog");
  await kept.embedImage(fakePicture());
  await kept.embedImage(fakePicture({ colour: [1, 2, 3] }));
  await cachedEmbedder(model, store, { settings: { longestSide: 64 } }).embedText("a cat");
  expect(calls).toHaveLength(6);
  const other = embedder("http://other.test/v1");
  await expect(cachedEmbedder(other.model, store).embedText("a cat")).rejects.toThrow("no answer");

  for (const file of await readdir(directory, { recursive: true })) {
    if (file.endsWith(".json")) await writeFile(join(directory, file), "[1]");
  }
  await kept.embedText("a cat");
  expect(calls).toHaveLength(7);
});
