import sharp from "sharp";
import type { ChatModel } from "touchstone-t2i/internal/core/models.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { type MllmConvention, mllmRating } from "touchstone-t2i/internal/metrics/chat-rating.js";
import { protoScore } from "touchstone-t2i/internal/metrics/proto-score.js";
import { scorePicture } from "touchstone-t2i/internal/metrics/score-picture.js";
import { openAiCompatible } from "touchstone-t2i/internal/models/openai-compatible/openai-compatible.js";
import { beforeAll, describe, expect, test } from "vitest";
import { labModel } from "../models/lab-model.js";
import { labPainter } from "../painter/lab-painter.js";
import { labServer } from "./lab-server.js";

const sentence = "A dog is in the snow with exactly two rocks.";
const question = `Does this figure show "${sentence}"? Please answer yes or no.`;
let url: string;
let expected: number;
const server = labServer();

beforeAll(async () => {
  const { bytes } = await labPainter().generate({ prompt: sentence, seed: 7 });
  url = `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
  const [probability] = await labModel("vqa").probabilityOfYes(await openPicture(bytes), [
    question,
  ]);
  expected = probability ?? Number.NaN;
});

const messages = (text = question, image = url) => [
  { role: "system", content: "Answer with a single word, Yes or No." },
  {
    role: "user",
    content: [
      { type: "image_url", image_url: { url: image } },
      { type: "text", text },
    ],
  },
];

const get = async (response: Response | Promise<Response>) =>
  JSON.parse(await (await response).text());

async function post(path: string, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await server.request(`/v1/${path}`, { method: "POST", body: text });
  return { status: response.status, json: JSON.parse(await response.text()) };
}
const chat = (body: object) =>
  post("chat/completions", { model: "vqa", messages: messages(), ...body });

describe("chat/completions", () => {
  test("gives P(yes) and P(no) as log-probabilities of the answer's one token", async () => {
    const { status, json } = await chat({ logprobs: true, top_logprobs: 20, temperature: 0 });
    expect(status).toBe(200);
    const [choice] = json.choices;
    const [token] = choice.logprobs.content;
    const mass = Object.fromEntries(
      token.top_logprobs.map((one: { token: string; logprob: number }) => [
        one.token,
        Math.exp(one.logprob),
      ]),
    );
    expect(mass).toEqual({
      Yes: expect.closeTo(expected, 12),
      No: expect.closeTo(1 - expected, 12),
    });
    const word = expected >= 0.5 ? "Yes" : "No";
    expect(choice).toMatchObject({
      finish_reason: "stop",
      message: { role: "assistant", content: word },
    });
    expect(token.token).toBe(word);
    expect(json.usage.completion_tokens).toBe(1);
    expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + 1);
  });

  test("says n answers, drawn by their probability at temperature 1, the same each time", async () => {
    const { json } = await chat({ n: 128, temperature: 1, seed: 3 });
    const words = json.choices.map(
      ({ message }: { message: { content: string } }) => message.content,
    );
    const share = words.filter((word: string) => word === "Yes").length / 128;
    expect(words).toHaveLength(128);
    // Five standard errors.
    const error = Math.sqrt((expected * (1 - expected)) / 128);
    expect(Math.abs(share - expected)).toBeLessThanOrEqual(5 * error + 1 / 128);
    expect((await chat({ n: 128, temperature: 1, seed: 3 })).json).toEqual(json);
    expect(json.choices[0].logprobs).toBeNull();
  });

  test.each([
    ["no picture", [{ role: "user", content: "Is there a dog?" }]],
    ["no question of yes or no", undefined],
  ])("says what it can be asked where there is %s", async (_, other) => {
    const asked = { messages: other ?? messages("Describe the picture.") };
    const { status, json } = await chat(asked);
    expect(status).toBe(200);
    expect(json.choices[0].message.content).toMatch(/^I only answer yes or no/);
    expect(json.choices[0].finish_reason).toBe("stop");
    const short = await chat({ ...asked, max_tokens: 3, logprobs: true });
    expect(short.json.choices[0].message.content).toBe("I only answer");
    expect(short.json.choices[0].finish_reason).toBe("length");
    expect(short.json.choices[0].logprobs.content).toHaveLength(3);
  });

  test("refuses a photograph as the model in this process does", async () => {
    const create = { width: 192, height: 192, channels: 3, background: "#456" } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    const photograph = `data:image/png;base64,${bytes.toString("base64")}`;
    const { status, json } = await chat({ messages: messages(question, photograph) });
    expect(status).toBe(400);
    expect(json.error).toEqual({
      message: "The lab's models judge only what the lab painted, and this image it did not paint",
      type: "invalid_request_error",
      param: null,
      code: "not_applicable",
    });
  });

  test.each([
    ["a stream", { stream: true }, 400, "does not stream", "stream"],
    [
      "a JSON Schema of a model that knows yes and no alone",
      { response_format: { type: "json_schema", json_schema: { name: "a", schema: {} } } },
      400,
      "plain text",
      "response_format.type",
    ],
    [
      "JSON of any schema",
      { response_format: { type: "json_object" } },
      400,
      "takes text and json_schema",
      "response_format.type",
    ],
    [
      "another model",
      { model: "gpt-4o" },
      404,
      "there are vqa, vqa-small, filter-vqa, vqa-people, filter-people, rater, judge",
      "model",
    ],
    ["no room", { max_tokens: 0 }, 400, "max_tokens", "max_tokens"],
    ["too many answers", { n: 1000 }, 400, "n:", "n"],
    [
      "an image to fetch",
      { messages: messages(question, "http://localhost/a.png") },
      400,
      "fetches nothing",
      "messages",
    ],
    [
      "what is no image",
      { messages: messages(question, "data:image/png;base64,AAAA") },
      400,
      "Can't read",
      null,
    ],
    [
      "alternatives without log-probabilities",
      { top_logprobs: 5 },
      400,
      "logprobs",
      "top_logprobs",
    ],
  ])("refuses %s in OpenAI's error format", async (_, body, status, words, param) => {
    const answer = await chat(body);
    expect(answer.status).toBe(status);
    expect(answer.json.error.message).toContain(words);
    expect(answer.json.error.param).toBe(param);
  });
});

describe("over the wire as in this process", () => {
  const ratedBy = async (model: ChatModel, convention: MllmConvention) => {
    const { bytes } = await labPainter().generate({ prompt: sentence, seed: 7 });
    const image = await openPicture(bytes);
    return scorePicture(mllmRating({ model, convention }), image, sentence);
  };
  const served = (name: string) =>
    openAiCompatible(name, {
      baseUrl: "http://localhost/v1",
      fetch: async (url, init) => server.request(String(url), init),
    });

  test.each(["json", "expected"] as const)("rates a picture: %s", async (convention) => {
    const direct = await ratedBy(labModel("rater"), convention);
    expect(direct.status).toBe("scored");
    expect(await ratedBy(served("rater"), convention)).toMatchObject({
      status: "scored",
      value: "value" in direct ? expect.closeTo(direct.value, 9) : undefined,
    });
  });

  test("scores by one digit: proto-score", async () => {
    const { bytes } = await labPainter().generate({ prompt: sentence, seed: 7 });
    const image = await openPicture(bytes);
    const scoredBy = (model: ChatModel) => scorePicture(protoScore({ model }), image, sentence);
    const direct = await scoredBy(labModel("proto-score"));
    expect(await scoredBy(served("proto-score"))).toMatchObject({
      status: "scored",
      value: "value" in direct ? expect.closeTo(direct.value, 9) : undefined,
      details: { read: "expected" },
    });
  });

  test("has no answer for the same reason", async () => {
    const create = { width: 192, height: 192, channels: 3, background: "#456" } as const;
    const photograph = await openPicture(await sharp({ create }).png().toBuffer());
    const reasons = [labModel("rater"), served("rater")].map(async (model) => {
      const result = await scorePicture(mllmRating({ model }), photograph, sentence);
      return result.status === "unscored" ? result.reason : result.value;
    });
    expect(await Promise.all(reasons)).toEqual(["not-applicable", "not-applicable"]);
  });

  test("says where the doubt of a rating in JSON lies", async () => {
    const { json } = await post("chat/completions", {
      model: "rater",
      logprobs: true,
      top_logprobs: 4,
      temperature: 0,
      messages: [{ role: "user", content: messages(`Rate it: "${sentence}"`)[1]?.content }],
      response_format: {
        type: "json_schema",
        json_schema: { name: "rating", schema: { type: "object" }, strict: true },
      },
    });
    const [choice] = json.choices;
    expect(choice.message.content).toMatch(/^\{"rating": [1-4]\}$/);
    const listed = choice.logprobs.content.map(
      ({ top_logprobs }: { top_logprobs: object[] }) => top_logprobs.length,
    );
    expect(listed).toEqual([1, 4, 1]);
  });
});

describe("images/generations", () => {
  test("paints n pictures, the same ones for the same seed", async () => {
    const { status, json } = await post("images/generations", { prompt: sentence, n: 2, seed: 7 });
    expect(status).toBe(200);
    const images = json.data.map(({ b64_json }: { b64_json: string }) => b64_json);
    expect(images).toHaveLength(2);
    expect(`data:image/png;base64,${images[0]}`).toBe(url);
    const next = await labPainter().generate({ prompt: sentence, seed: 8 });
    expect(images[1]).toBe(Buffer.from(next.bytes).toString("base64"));
    expect(JSON.stringify(json)).not.toContain("truth");
  });

  test.each([
    [{ prompt: "a sonnet about the sea" }, 400, "not_applicable"],
    [{ prompt: sentence, model: "dall-e-3" }, 404, "model_not_found"],
    [{ prompt: sentence, response_format: "url" }, 400, "invalid_request"],
    [{ prompt: sentence, size: "1024x1024" }, 400, "invalid_request"],
    [{}, 400, "invalid_request"],
    ["{", 400, "invalid_request"],
  ])("refuses %j", async (body, status, code) => {
    const answer = await post("images/generations", body);
    expect(answer.status).toBe(status);
    expect(answer.json.error.code).toBe(code);
  });
});

describe("the server", () => {
  test("lists its models, and names what there is where a path is wrong", async () => {
    const { data } = await get(server.request("/v1/models"));
    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      ...[
        "vqa",
        "vqa-small",
        "filter-vqa",
        "vqa-people",
        "filter-people",
        "rater",
        "judge",
        "proto-score",
        "proto-score-triplets",
        "auditor",
        "refiner",
        "painter",
      ],
      ...["painter-a", "painter-b", "painter-c", "painter-d", "painter-e"],
      ...["a", "b", "c", "d", "e"].map((letter) => `painter-things-${letter}`),
      ...["painter-slight", "painter-marked", "painter-strong"],
    ]);
    const lost = await server.request("/v1/completions");
    expect(lost.status).toBe(404);
    expect((await get(lost)).error.message).toContain("POST /v1/chat/completions");
  });

  test("answers no other host and no web page of another origin", async () => {
    const other = await server.request("http://lab.example/v1/models");
    expect(other.status).toBe(403);
    const origin = { headers: { origin: "https://example.com" } };
    expect((await server.request("/v1/models", origin)).status).toBe(403);
    const here = { headers: { origin: "http://localhost:3000" } };
    expect((await server.request("/v1/models", here)).status).toBe(200);
  });

  test("with a token answers whoever has it, and nobody else", async () => {
    const guarded = labServer({ token: "a-token-of-the-test" });
    const at = "http://lab.example/v1/models";
    const asked = (authorization: string) => guarded.request(at, { headers: { authorization } });
    expect((await asked("Bearer a-token-of-the-test")).status).toBe(200);
    const refused = await asked("Bearer another");
    expect(refused.status).toBe(401);
    expect((await get(refused)).error.code).toBe("invalid_api_key");
    expect((await guarded.request(at)).status).toBe(401);
  });

  test("reads no endless body", async () => {
    const answer = await post("chat/completions", `"${"x".repeat(33 * 2 ** 20)}"`);
    expect(answer.status).toBe(413);
    expect(answer.json.error.code).toBe("request_too_large");
  });
});
