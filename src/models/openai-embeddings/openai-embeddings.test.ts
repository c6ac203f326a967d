import { expect, test } from "vitest";
import {
  type Behaviour,
  misbehavingServer,
  type Received,
} from "../../../test/support/misbehaving-server.js";
import { fakePicture } from "../../testing/fake-models.js";
import { openAiEmbeddings } from "./openai-embeddings.js";

type Body = Received["body"];

/** A server that takes images in one form and refuses the others, as servers do. */
async function server(takes: (body: Body) => boolean) {
  const { baseUrl, received } = await misbehavingServer({
    behave({ body }): Behaviour {
      if (Array.isArray(body.input) && body.input[0] === "a text") return embedding([0, 1]);
      if (takes(body)) return embedding([1, 2, 2]);
      const error = { message: "input: unexpected", type: "invalid_request_error" };
      return { kind: "raw", status: 422, text: JSON.stringify({ error }) };
    },
  });
  return { model: openAiEmbeddings("clip", { baseUrl, keyName: "" }), received };
}

const embedding = (numbers: readonly number[]): Behaviour => ({
  kind: "reply",
  json: { object: "list", data: [{ object: "embedding", index: 0, embedding: numbers }] },
});

test.each<[string, (body: Body) => boolean, number]>([
  ["a chat message, as vLLM", ({ messages }) => JSON.stringify(messages).includes("image_url"), 1],
  ["an object, as Jina", ({ input }) => JSON.stringify(input)?.includes('{"image"') ?? false, 2],
  ["a data URL with its modality, as Infinity", ({ modality }) => modality === "image", 3],
])("an image as %s: found once, then kept", async (_, takes, calls) => {
  const { model, received } = await server((body) =>
    body.messages !== undefined || body.input !== undefined ? takes(body) : false,
  );
  expect(Array.from(await model.embedText("a text"))).toEqual([0, 1]);
  expect(Array.from(await model.embedImage(fakePicture()))).toEqual([1, 2, 2]);
  expect(received).toHaveLength(1 + calls);
  await model.embedImage(fakePicture({ colour: [1, 2, 3] }));
  expect(received).toHaveLength(2 + calls);
  expect(
    received.every(({ path, body }) => path === "/v1/embeddings" && body.model === "clip"),
  ).toBe(true);
});

test.each([
  [{ prompt_tokens: 500, total_tokens: 500 }, 0.02, 0.00001],
  [undefined, 0.02, undefined],
  [{ total_tokens: "many" }, 0, 0],
  [{ prompt_tokens: 500 }, undefined, undefined],
])("tokens of %j at %j dollars a million cost %j", async (usage, pricePerMillionTokens, cost) => {
  const json = { data: [{ embedding: [1] }], usage };
  const { baseUrl } = await misbehavingServer({ behave: () => ({ kind: "reply", json }) });
  const entries: object[] = [];
  const trace = (entry: object) => void entries.push(entry);
  await openAiEmbeddings("clip", { baseUrl, pricePerMillionTokens }).embedText("a", { trace });
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ kind: "model-call", cached: false });
  expect(entries.map((entry) => ("cost" in entry ? entry.cost : undefined))).toEqual([cost]);
});

test("a server that takes no images, and one that sends no numbers, give no answer", async () => {
  const { model } = await server(() => false);
  await expect(model.embedImage(fakePicture())).rejects.toMatchObject({
    reason: "not-applicable",
    message: expect.stringContaining("takes no images: "),
  });
  for (const json of [
    { data: [] },
    { data: [{ embedding: [] }] },
    { data: [{ embedding: "AAAA" }] },
    {
      data: [
        {
          embedding: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    },
  ]) {
    const odd = await misbehavingServer({ behave: () => ({ kind: "reply", json }) });
    const asked = openAiEmbeddings("clip", { baseUrl: odd.baseUrl, attempts: 1 });
    await expect(asked.embedImage(fakePicture())).rejects.toMatchObject({ name: "NoAnswer" });
  }
});
