import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sceneTruth } from "../../../../packages/lab/src/truth/scene-truth.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { readRunRecords } from "../../../benchmarks/run-records.js";
import { openStore } from "../../../files/open-store.js";

let workingDirectory = "";

async function touchstone(...words: string[]) {
  return touchstoneHere(words, { workingDirectory });
}

beforeAll(async () => {
  workingDirectory = await mkdtemp(join(tmpdir(), "touchstone-"));
  const domains = ["--domain", "animals", "--domain", "objects"];
  const drawn = ["--prompts", "60", "--drawable-by", "lab:painter"];
  await touchstone("build", "--run", "run", ...drawn, ...domains);
  await touchstone("generate", "--run", "run", "--samples", "1");
});
afterAll(() => rm(workingDirectory, { recursive: true }));

const read = async (folder: string, name: string) =>
  readFile(join(workingDirectory, folder, name), "utf8");
const rows = async (folder: string, name = "pairs.jsonl") =>
  (await read(folder, name))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("writes as many pairs of each domain and kind, with images and hashes that fit", async () => {
  const { code, stderr } = await touchstone("export", "pairs", "run", "--out", "pairs");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const pairs = await rows("pairs");
  const count = (kind: string, domain: string) =>
    pairs.filter((pair) => pair.kind === kind && pair.domain === domain).length;
  const each = count("control-atypical", "animals");
  expect(each).toBeGreaterThan(2);
  for (const domain of ["animals", "objects"]) {
    const kinds = ["contrastive", "control-atypical", "control-typical", "reversed", "foreign"];
    expect(kinds.map((kind) => count(kind, domain))).toEqual([2, 1, 1, 2, 2].map((n) => n * each));
  }
  for (const { correct, sha256Correct } of pairs) {
    const bytes = await readFile(join(workingDirectory, "pairs", correct));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256Correct);
  }
  const { files } = JSON.parse(await read("pairs", "export.json"));
  for (const [name, hash] of Object.entries(files)) {
    const text = await read("pairs", name);
    expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
  }
  const preferences = await rows("pairs", "preferences.jsonl");
  expect(preferences).toHaveLength(pairs.length);
  expect(preferences[0]).toEqual({
    prompt: pairs[0].prompt,
    chosen: pairs[0].correct,
    rejected: pairs[0].adversarial,
  });
});

test("of every pair the text is true of the one image and false of the other, by the truth", async () => {
  const store = await openStore(join(workingDirectory, "run"));
  const { images } = await readRunRecords(store);
  const keys = new Map(
    images.flatMap((one) => (one.status === "done" ? [[String(one.image), one.key] as const] : [])),
  );
  const shows = async (image: string, text: string) => {
    const key = keys.get(image);
    const truth = key === undefined ? undefined : await store.truth.read(key);
    if (truth === undefined) throw new Error("no truth");
    return sceneTruth.check({ truth, text }).value;
  };
  const { code } = await touchstone("export", "pairs", "run", "--out", "true");
  expect(code).toBe(0);
  for (const { prompt, sha256Correct, sha256Adversarial } of await rows("true")) {
    expect(await shows(sha256Correct, prompt)).toBe(1);
    expect(await shows(sha256Adversarial, prompt)).toBe(0);
  }
});

test("shares no sentence with evaluation and human splits, of its own run and of others", async () => {
  await touchstone("export", "pairs", "run", "--out", "apart");
  const { prompts } = await readRunRecords(await openStore(join(workingDirectory, "run")));
  const elsewhere = new Set(
    prompts.flatMap((prompt) =>
      prompt.status === "done" && prompt.split !== "train"
        ? [prompt.text, prompt.correct, prompt.adversarial, prompt.controlCorrect]
        : [],
    ),
  );
  expect(elsewhere.size).toBeGreaterThan(20);
  const pairs = await rows("apart");
  for (const { prompt, captionCorrect, captionAdversarial, split } of pairs) {
    expect(split).toBe("train");
    const shared = [prompt, captionCorrect, captionAdversarial].filter((one) => elsewhere.has(one));
    expect(shared).toEqual([]);
  }
  // Another seed deals the same sentences out otherwise, so that pairs must go.
  const other = ["--prompts", "700", "--domain", "animals", "--seed", "5"];
  await touchstone("build", "--run", "other", ...other);
  const { code, stdout } = await touchstone(
    ...[
      "export",
      "pairs",
      "run",
      "--out",
      "rest",
      "--apart-from",
      "other",
      "--kind",
      "contrastive",
    ],
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/Left out: \d+ \(a sentence of another split\)/);
});

test("says how many there can be, and refuses what it doesn't know", async () => {
  const many = await touchstone("export", "pairs", "run", "--out", "many", "--pairs", "9999");
  expect(many.code).toBe(2);
  expect(many.stderr).toMatch(/Expected at most \d+ pairs, even over domains and kinds/);
  const few = await touchstone("export", "pairs", "run", "--out", "few", "--pairs", "3");
  expect(few.stderr).toMatch(
    /Expected at least \d+ pairs, even over domains and kinds, but received 3/,
  );
  const untrained = await touchstone(
    "export",
    "pairs",
    "other",
    "--out",
    "many",
    "--split",
    "human",
  );
  expect(untrained.stderr).toMatch(
    /Expected pairs of every kind in every domain but received none/,
  );
  await touchstone("build", "--run", "held-out", "--prompts", "6", "--split", "evaluation");
  const held = await touchstone("export", "pairs", "held-out", "--out", "many");
  expect(held.code).toBe(2);
  expect(held.stderr).toMatch(/split train but received a run of evaluation alone/);
  expect(held.stderr).toContain("touchstone build --run DIR --split train");
  const wrong = await touchstone("export", "pairs", "run", "--out", "wrong", "--kind", "revresed");
  expect(wrong.code).toBe(2);
  await expect(read("many", "export.json")).rejects.toThrow();
});
