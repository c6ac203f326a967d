import { expect, test } from "vitest";
import { madeImage } from "../../../test/support/generator-behind.js";
import { handClock } from "../../../test/support/hand-clock.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
} from "../../../test/support/misbehaving-server.js";
import { turn } from "../../core/models.js";
import { openAiEmbeddings } from "../openai-embeddings/openai-embeddings.js";
import { openAiImages } from "../openai-images/openai-images.js";
import { openAiCompatible } from "./openai-compatible.js";

const good: Behaviour = { kind: "reply", json: completion() };
const raw = (status: number, text: string): Behaviour => ({ kind: "raw", status, text });

/** A model at a server's bare address, which answers by path. */
async function modelAt(behave: (path: string) => Behaviour) {
  const told: string[] = [];
  const server = await misbehavingServer({ behave: ({ path }) => behave(path) });
  const baseUrl = server.baseUrl.replace(/\/v1$/, "");
  const model = openAiCompatible("tiny", {
    baseUrl,
    clock: handClock(),
    tell: (text) => told.push(text),
  });
  const chat = () => model.chat({ messages: [turn("user", "Is there a dog?")] });
  return { model, baseUrl, chat, told, paths: () => server.received.map(({ path }) => path) };
}

test.each<[string, Behaviour]>([
  ["404", raw(404, '{"detail":"Not Found"}')],
  ["405", raw(405, "Method Not Allowed")],
  ["a web page", raw(200, "<!DOCTYPE html><title>Chat</title>")],
  [
    "an error under 200",
    raw(200, '{"error":"Unexpected endpoint or method. (POST /chat/completions)"}'),
  ],
])("where the bare address says %s, the server is found below /v1", async (_, elsewhere) => {
  const { model, baseUrl, chat, paths, told } = await modelAt((path) =>
    path.startsWith("/v1/") ? good : elsewhere,
  );
  expect((await chat()).text).toBe("Yes");
  await chat();
  expect(paths()).toEqual(["/chat/completions", "/v1/chat/completions", "/v1/chat/completions"]);
  expect(told).toEqual([expect.stringContaining(`${baseUrl}/v1`)]);
  // Records and kept replies know it by the address that was given.
  expect(model.identity.baseUrl).toBe(baseUrl);
});

test("a server that answers at its bare address is asked there", async () => {
  const { chat, paths } = await modelAt(() => good);
  await chat();
  await chat();
  expect(paths()).toEqual(["/chat/completions", "/chat/completions"]);
});

test("what is nowhere is said of the address that was given, a model that is unknown of the other", async () => {
  const nowhere = await modelAt(() => raw(404, "no such page"));
  await expect(nowhere.chat()).rejects.toMatchObject({ code: "input" });
  const unknown = await modelAt((path) =>
    raw(404, path.startsWith("/v1/") ? '{"error":{"message":"model tiny not found"}}' : "page"),
  );
  await expect(unknown.chat()).rejects.toThrow("model tiny not found");
});

test("embeddings and images are found below /v1 as well, what lies elsewhere where it is", async () => {
  const page = raw(404, "no such page");
  const bytes = Buffer.from(madeImage);
  const server = await misbehavingServer({
    behave: ({ path }) => {
      if (path === "/v1/embeddings") return { kind: "reply", json: { data: [{ embedding: [1] }] } };
      if (path === "/files/1.png") return { kind: "raw", text: bytes };
      if (path !== "/v1/images/generations") return page;
      return { kind: "reply", json: { data: [{ url: new URL("/files/1.png", baseUrl).href }] } };
    },
  });
  const baseUrl = server.baseUrl.replace(/\/v1$/, "");
  const reached = { baseUrl, clock: handClock() };
  expect([...(await openAiEmbeddings("clip", reached).embedText("a"))]).toEqual([1]);
  const painter = openAiImages("painter", reached);
  for (const _ of ["found", "known"]) {
    expect(Buffer.from((await painter.generate({ prompt: "a wall", seed: 1 })).bytes)).toEqual(
      bytes,
    );
  }
  expect(painter.identity.baseUrl).toBe(baseUrl);
});
