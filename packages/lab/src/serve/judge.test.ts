import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { composePrompts } from "touchstone-t2i/internal/judges/compose-prompts.js";
import { pairMessages } from "touchstone-t2i/internal/judges/prompt.js";
import { loadPromptPool } from "touchstone-t2i/internal/judges/read-prompt-pool.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyWeights } from "../../../../test/support/tiny-weights.js";
import { labModel } from "../models/lab-model.js";
import { labPictureSize, sign } from "../signature.js";
import { labServer } from "./lab-server.js";

let folder: string;
let weights: URL;
let bytes: readonly [Buffer, Buffer];

async function painted(level: number): Promise<Buffer> {
  const side = labPictureSize;
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) => (at % 3 === 0 ? level : 0));
  sign({ width: side, height: side, data });
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiny-weights-"));
  weights = await tinyWeights(folder);
  // So alike that neither is certain.
  bytes = [await painted(129), await painted(128)];
});
afterAll(() => rm(folder, { recursive: true }));

async function request(rest: object) {
  const [prompt] = composePrompts(loadPromptPool("pairwise").pool);
  if (prompt === undefined) throw new Error("There is no prompt");
  const shown = [await openPicture(bytes[0]), await openPicture(bytes[1])] as const;
  const messages = pairMessages(prompt, { caption: "red", shown });
  const body = {
    model: "judge",
    messages: messages.map(({ role, parts }) => ({
      role,
      content: parts.map((part) =>
        part.type === "text"
          ? part
          : {
              type: "image_url",
              image_url: {
                url: `data:image/png;base64,${Buffer.from(part.image.bytes).toString("base64")}`,
              },
            },
      ),
    })),
    ...rest,
  };
  const server = labServer({ weights });
  const response = await server.request("/v1/chat/completions", {
    method: "POST",
    body: JSON.stringify(body),
  });
  return { status: response.status, json: JSON.parse(await response.text()), messages };
}

test("a judge of pairs answers over the wire as it does beside it", async () => {
  const { status, json, messages } = await request({
    temperature: 0,
    logprobs: true,
    top_logprobs: 20,
  });
  expect(status).toBe(200);
  const model = labModel("judge", { weights });
  const direct = await model.chat({ messages, topLogProbabilities: 20 });
  const [choice] = json.choices;
  expect(choice.message.content).toBe(direct.text);
  expect(choice.logprobs.content).toHaveLength(1);
  expect(
    choice.logprobs.content[0].top_logprobs.map(
      ({ token, logprob }: { token: string; logprob: number }) => [token, logprob],
    ),
  ).toEqual(
    direct.tokens?.[0]?.alternatives.map(({ token, logProbability }) => [token, logProbability]),
  );
  expect(json.system_fingerprint).toBe(model.identity.revision);
});

test("it draws above temperature 0, the same each time, and says what it can't judge", async () => {
  const asked = { n: 40, temperature: 2, seed: 1 };
  const words = async () =>
    (await request(asked)).json.choices.map(
      ({ message }: { message: { content: string } }) => message.content,
    );
  const first = await words();
  expect(new Set(first)).toEqual(new Set(["A", "B"]));
  expect(await words()).toEqual(first);

  const none = await request({ messages: [{ role: "user", content: "Which is better?" }] });
  expect(none.status).toBeGreaterThanOrEqual(400);
  expect(none.json.error.message).toContain("two pictures");
});
