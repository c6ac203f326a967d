import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import type { Picture } from "../../core/models.js";
import { openPicture } from "../../images/picture.js";
import { pictureOfPixels } from "../../images/pixels-picture.js";
import { plainImage } from "../../images/plain-image.js";
import { callsInFlight, type PythonBridgeOptions, pythonBridge } from "./python-bridge.js";

const fake = fileURLToPath(new URL("../../../test/support/fake-bridge.mjs", import.meta.url));
const image = pictureOfPixels({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3) });

/** A JPEG with so many bytes behind its end. */
async function jpegOf(bytes: number): Promise<Picture> {
  const create = { width: 1, height: 1, channels: 3, background: "red" } as const;
  const jpeg = await sharp({ create }).jpeg().toBuffer();
  return openPicture(Buffer.concat([jpeg, Buffer.alloc(bytes)]));
}

/** A model behind a bridge that does what it is told, and what that bridge saw. */
async function bridged(words: readonly string[] = [], options: PythonBridgeOptions = {}) {
  const folder = await temporaryDirectory();
  const command = { program: process.execPath, arguments: [fake, folder, ...words] };
  const model = pythonBridge("stub", { ...options, command });
  onTestFinished(() => model.close());
  const seen = async (name: string) =>
    (await readFile(join(folder, name), "utf8").catch(() => "")).split("\n").slice(0, -1);
  return { model, seen };
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const gone = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

test("a pipeline's image says how it was made, as its settings have it", async () => {
  const pipeline = pythonBridge("diffusers", {
    model: "tiny",
    settings: { input: { num_inference_steps: 4, width: 64, height: 32 }, scheduler: "Euler" },
    command: { program: process.execPath, arguments: [fake, "-", "paints"] },
  });
  onTestFinished(() => pipeline.close());
  expect(await pipeline.generate({ prompt: "a cat", seed: 1 })).toEqual({
    bytes: Buffer.from("PNG"),
    making: { steps: 4, sampler: "Euler", size: "64x32" },
  });
});

test("an image of a function of one's own says what the function says of its making", async () => {
  const own = pythonBridge("generator", {
    model: "gen.py:generate",
    command: { program: process.execPath, arguments: [fake, "-", "paints", "own"] },
  });
  onTestFinished(() => own.close());
  const { making } = await own.generate({ prompt: "a cat", seed: 1 });
  expect(making).toEqual({ steps: 20, guidance: 7.5 });
});

test("it is started once, when it is first asked, and keeps every contract of its backend", async () => {
  const { model, seen } = await bridged();
  expect(model.pid).toBeUndefined();
  expect(await model.reward(image, "ab")).toBe(0.5);
  expect(await model.probabilityOfYes(image, ["abcd", "a"])).toEqual([0.25, 1]);
  expect(await model.embedText("abc")).toEqual(Float32Array.of(97 + 98 + 99, 1));
  const sent = Buffer.from((await plainImage(image)).bytes).toString("base64");
  const sum = Buffer.from(sent).reduce((total, code) => total + code, 0);
  expect(await model.embedImage(image)).toEqual(Float32Array.of(sum, 1));
  expect(await model.probabilityOfYes(image, [])).toEqual([]);
  expect(await seen("starts")).toEqual([`${model.pid}`]);
  // One request for all questions of an image.
  expect((await seen("requests")).map((line) => line.split(" ")[1])).toEqual([
    ...["load", "reward", "probability-of-yes", "embed-text", "embed-image"],
  ]);
});

test("the trace says by which packages, on what", async () => {
  const { model } = await bridged();
  const trace: object[] = [];
  await model.embedText("a", { trace: (entry) => trace.push(entry) });
  expect(trace).toEqual([
    {
      kind: "bridge-call",
      ability: "embed-text",
      items: 1,
      packages: { fake: "1.0" },
      device: "cpu",
    },
  ]);
});

test("many at once are answered in their order", async () => {
  const { model } = await bridged();
  const texts = Array.from({ length: 50 }, (_, index) => "x".repeat(index + 1));
  const vectors = await Promise.all(texts.map((text) => model.embedText(text)));
  expect(vectors.map(([sum]) => sum)).toEqual(texts.map(({ length }) => length * 120));
});

test("megabytes go through the pipe in both directions' order", async () => {
  const { model, seen } = await bridged();
  const large = await jpegOf(6_000_000);
  const answers = await Promise.all([1, 2, 3].map(() => model.reward(large, "ab")));
  expect(answers).toEqual([0.5, 0.5, 0.5]);
  const sizes = (await seen("requests")).slice(1).map((line) => Number(line.split(" ")[2]));
  for (const size of sizes) expect(size).toBeGreaterThan(8_000_000);
});

test("a plain file goes by its path, a broken one not at all", async () => {
  const { model } = await bridged();
  const path = join(await temporaryDirectory(), "a.jpg");
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const create = { width: 64, height: 64, channels: 3, background: "red", noise } as const;
  const bytes = await sharp({ create }).jpeg().toBuffer();
  await writeFile(path, bytes);
  const sum = Buffer.from(path).reduce((total, code) => total + code, 0);
  const whole = { ...(await openPicture(bytes)), file: path };
  expect(await model.embedImage(whole)).toEqual(Float32Array.of(sum, 1));
  const cut = { ...whole, bytes: bytes.subarray(0, bytes.length - 400) };
  await expect(model.embedImage(cut)).rejects.toMatchObject({ reason: "bad-input" });
});

test("a chosen precision is part of the model's identity, and devices are listed", () => {
  const identity = (options: PythonBridgeOptions) => pythonBridge("hpsv2", options).identity;
  expect(identity({ precision: "bf16" }).revision).toBe("v2.1+bf16");
  expect(identity({ device: ["cpu", "cpu"] }).revision).toBe("v2.1");
  expect(callsInFlight("stub", { device: ["cpu", "cpu"] })).toBe(2 * callsInFlight("stub"));
});

test("an image that is too large is not sent", async () => {
  const { model } = await bridged();
  const large = await jpegOf(70_000_000);
  await expect(model.embedImage(large)).rejects.toMatchObject({ reason: "bad-input" });
});

describe("when it dies", () => {
  test("it is started again and the request is asked once more", async () => {
    const { model, seen } = await bridged();
    expect(await model.reward(image, "exit once")).toBe(1 / 9);
    expect(await seen("starts")).toHaveLength(2);
  });

  test("of the same request twice, that one has no answer and the rest goes on", async () => {
    const { model, seen } = await bridged();
    const answers = await Promise.allSettled([
      ...["ab", "exit", "abcd", "a"].map((text) => model.reward(image, text)),
    ]);
    expect(answers.map((answer) => ("value" in answer ? answer.value : "none"))).toEqual([
      ...[0.5, "none", 0.25, 1],
    ]);
    expect(answers[1]).toMatchObject({
      reason: {
        reason: "provider-error",
        retryable: true,
        // What it wrote last is what a person needs.
        message: expect.stringMatching(/ended with exit code 3\..*a warning of a library/s),
      },
    });
    expect(await seen("starts")).toHaveLength(3);
  });

  test("again and again with no answer between, the work ends", async () => {
    const { model, seen } = await bridged();
    const answers = await Promise.allSettled(
      ["exit", "exit", "exit", "ab"].map((text) => model.reward(image, text)),
    );
    const given = expect.objectContaining({ code: "incomplete" });
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    expect(answers.at(-1)).toEqual({ status: "rejected", reason: given });
    expect(await seen("starts")).toHaveLength(4);
    await expect(model.reward(image, "ab")).rejects.toEqual(given);
  });

  test.each(["huge", "nonsense", "stranger"])("or sends what was not asked (%s)", async (text) => {
    const { model } = await bridged();
    await expect(model.reward(image, text)).rejects.toMatchObject({ reason: "provider-error" });
    expect(await model.reward(image, "ab")).toBe(0.5);
  });
});

test.each([
  ["fault", "provider-error"],
  ["memory", "provider-error"],
  ["fewer", "provider-error"],
  ["nan", "unparsable"],
  ["bad", "bad-input"],
])("its failure %s is no answer: %s", async (text, reason) => {
  const { model, seen } = await bridged();
  await expect(model.reward(image, text)).rejects.toMatchObject({ name: "NoAnswer", reason });
  expect(await model.reward(image, "ab")).toBe(0.5);
  expect(await seen("starts")).toHaveLength(1);
});

test("a number of another kind is no answer", async () => {
  const { model } = await bridged();
  await expect(model.probabilityOfYes(image, ["two"])).rejects.toMatchObject({
    reason: "unparsable",
    message: "Expected a probability from the bridge but received 2",
  });
  await expect(model.embedText("two")).rejects.toMatchObject({ reason: "unparsable" });
});

describe("what is wrong with the installation ends the work", () => {
  test.each([
    ["no-bridge", "Expected a bridge but it first says: Python 2.7.18"],
    ["newer", "Expected protocol 2 of stub from the bridge but received protocol 3 of stub"],
    ["exit", "The bridge to stub ended with exit code 9 before it was ready. It last wrote:"],
    ["missing", "No module named hpsv2"],
    ["scaled", "Expected a network that multiplies cosines by 100 but this one does so by 50"],
  ])("%s", async (word, message) => {
    const { model, seen } = await bridged([word]);
    const expected = { code: "input", message: expect.stringContaining(message) };
    await expect(model.load()).rejects.toMatchObject(expected);
    await expect(model.embedText("a")).rejects.toMatchObject(expected);
    for (const pid of await seen("starts")) await gone(Number(pid));
  });

  test("no such Python", async () => {
    const model = pythonBridge("hpsv2", { python: "/no/such/python" });
    await expect(model.load()).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("Can't start /no/such/python"),
      hint: expect.stringContaining("TOUCHSTONE_PYTHON"),
    });
  });

  test("a backend that is none", () => {
    const name = "hpsv3" as "hpsv2";
    expect(() => pythonBridge(name)).toThrow("hpsv2, image-reward, pick-score");
  });

  test("a scale that was told is the one that is meant", async () => {
    const { model } = await bridged(["scaled"], { logitScale: 50 });
    await model.load();
    expect(model).toMatchObject({ logitScale: 50 });
  });
});

test("an interrupted request is not asked, or its answer passed over", async () => {
  const { model, seen } = await bridged();
  const aborted = { signal: AbortSignal.abort() };
  await expect(model.reward(image, "ab", aborted)).rejects.toMatchObject({ name: "AbortError" });
  await expect(model.probabilityOfYes(image, [], aborted)).rejects.toThrow();
  expect(await seen("starts")).toEqual([]);
  const controller = new AbortController();
  const interrupted = model.reward(image, "abc", { signal: controller.signal });
  await model.load();
  controller.abort();
  await expect(interrupted).rejects.toMatchObject({ name: "AbortError" });
  expect(await model.reward(image, "ab")).toBe(0.5);
});

test("closed, it is gone and says so", async () => {
  const { model } = await bridged();
  await model.load();
  const { pid = 0 } = model;
  expect(isAlive(pid)).toBe(true);
  const waiting = model.reward(image, "hang");
  const expected = { reason: "provider-error", message: "The bridge to stub was closed" };
  const refused = expect(waiting).rejects.toMatchObject(expected);
  await model.close();
  await refused;
  expect(isAlive(pid)).toBe(false);
  await expect(model.load()).rejects.toMatchObject(expected);
});

test("each backend is known by all that makes its answers differ", () => {
  const identities = {
    hpsv2: pythonBridge("hpsv2"),
    older: pythonBridge("hpsv2", { revision: "v2.0" }),
    vqa: pythonBridge("t2v-vqa-score", { model: "clip-flant5-xl" }),
    reward: pythonBridge("image-reward"),
  };
  const of = (model: { identity: object }) => model.identity;
  expect(Object.values(identities).map(of)).toEqual([
    { provider: "python-bridge", model: "hpsv2", revision: "v2.1" },
    { provider: "python-bridge", model: "hpsv2", revision: "v2.0" },
    { provider: "python-bridge", model: "t2v-vqa-score:clip-flant5-xl" },
    { provider: "python-bridge", model: "image-reward:ImageReward-v1.0" },
  ]);
  expect("probabilityOfYes" in identities.vqa).toBe(true);
  expect("embedText" in identities.vqa).toBe(false);
  expect("reward" in identities.reward).toBe(true);
});

test("an answer of no form costs its item alone; the process goes on", async () => {
  const { model, seen } = await bridged();
  for (const results of [
    "[1e999]",
    "[{}]",
    '[{"value": 1e999}]',
    '[{"value": null}]',
    '[{"value": "1"}]',
    '[{"value": 0.3, "value": 0.5}]',
    '[{"value": [0.3, 1e999]}]',
    '[{"value": []}]',
    '[{"error": {"kind": "not-finite"}}]',
    '[{"error": {"kind": "constructor", "message": "told to"}}]',
  ]) {
    await expect(model.reward(image, `results: ${results}`), results).rejects.toMatchObject({
      name: "NoAnswer",
      reason: expect.stringMatching(/^(unparsable|provider-error)$/),
    });
  }
  expect(await model.reward(image, "ab")).toBe(0.5);
  expect(await seen("starts")).toHaveLength(1);
});
