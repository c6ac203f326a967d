import sharp from "sharp";
import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { put, read, run } = commandLines();

const row = (prompt: number, score: number | string, sample: number, more = "") =>
  `m,prompt ${prompt},${score},images/${prompt}-${sample}.png${more}`;
const header = "model,prompt,score,image";
const samples = Array.from({ length: 12 }, (_, at) => at);
const table = (scoreOf: (prompt: number, sample: number) => number | string, more = "") =>
  [0, 1, 2, 3].flatMap((prompt) => samples.map((at) => row(prompt, scoreOf(prompt, at), at, more)));

const before = [header, ...table((_, sample) => 0.6 + sample / 100)];
const now = [
  header,
  ...table((prompt, sample) => (prompt === 2 ? sample / 100 : 0.6 + ((sample * 5) % 12) / 100)),
];

test("the prompt that broke misses the gate, with its images in the comment and on the page", async () => {
  await put("before.csv", before.join("\n"));
  await put("now.csv", now.join("\n"));
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  for (const prompt of [0, 1, 2, 3]) {
    for (const sample of samples) await put(`images/${prompt}-${sample}.png`, image);
  }
  const words = ["compare", "now.csv", "--baseline", "before.csv", "--gate", "per-prompt"];
  const { code, stdout } = await run([...words, "--json"]);
  expect(code).toBe(4);
  const { gate } = JSON.parse(stdout);
  expect(gate).toMatchObject({ kind: "per-prompt", passed: false, bound: 400 });
  expect(gate.worst).toHaveLength(3);
  expect(gate.worst[0]).toMatchObject({
    prompt: "prompt 2",
    state: "failed",
    threshold: 0.6,
    below: 12,
    images: ["images/2-0.png", "images/2-11.png"],
  });
  const at = ["--images-at", "https://example.org/raw/1"];
  expect((await run([...words, ...at, "--out", "gate.md"])).code).toBe(4);
  expect(await read("gate.md")).toContain(
    "![Worst image of m for: prompt 2](https://example.org/raw/1/images/2-0.png)",
  );
  await run([...words, "--out", "gate.html"]);
  expect((await read("gate.html")).match(/<img /g)?.length).toBeGreaterThanOrEqual(6);
});

test("the same model again passes, and so does one that only flickers", async () => {
  await put("before.csv", before.join("\n"));
  const flickers = [header, ...table((_, sample) => (sample === 4 ? 0.1 : 0.62))];
  await put("now.csv", flickers.join("\n"));
  const words = ["compare", "now.csv", "--baseline", "before.csv", "--gate", "per-prompt"];
  expect((await run(words)).code).toBe(0);
});

test("what is not judged is said; a model with no prompt that can be judged misses the gate", async () => {
  const other = (lines: readonly string[], model: string) =>
    lines.slice(1).map((line) => line.replace(/^m/, model));
  const notes = async (now: readonly string[], old: readonly string[]) => {
    await put("before.csv", old.join("\n"));
    await put("now.csv", now.join("\n"));
    const words = ["compare", "now.csv", "--baseline", "before.csv", "--gate", "per-prompt"];
    const { code, stdout } = await run([...words, "--json"]);
    return { code, cautions: JSON.parse(stdout).gate.cautions };
  };
  const renamed = before.map((line) => line.replaceAll("prompt 3", "prompt 9"));
  expect(await notes(renamed, [...before, ...other(before, "gone")])).toEqual({
    code: 0,
    cautions: [
      "1 prompt has no baseline or threshold and is not judged",
      "1 prompt of the baseline is missing and not judged",
      "gone of the baseline is missing and not judged",
    ],
  });
  const elsewhere = other(before, "n").map((line) => line.replaceAll("prompt ", "other "));
  expect(await notes([...before, ...elsewhere], [...before, ...other(before, "n")])).toEqual({
    code: 4,
    cautions: [
      "no prompt of n has a baseline or threshold, so the gate is missed",
      "4 prompts have no baseline or threshold and are not judged",
      "4 prompts of the baseline are missing and not judged",
    ],
  });
});

test("columns threshold and allowance stand in for a baseline", async () => {
  const demanded = (score: number) =>
    [`${header},threshold,allowance`, ...table(() => score, ",0.5,0.1")].join("\n");
  await put("now.csv", demanded(0.4));
  const words = ["compare", "now.csv", "--gate", "per-prompt"];
  expect((await run(words)).code).toBe(4);
  await put("now.csv", demanded(0.7));
  expect((await run(words)).code).toBe(0);
  await put("now.csv", [`${header},threshold`, ...table(() => 0.7, ",0.5")].join("\n"));
  expect((await run(words)).stderr).toContain("allowance");
});

test("refuses a gate of means beside it, and a gate with nothing to hold prompts against", async () => {
  await put("now.csv", now.join("\n"));
  const words = ["compare", "now.csv", "--gate", "per-prompt"];
  expect((await run(words)).code).toBe(2);
  expect((await run([...words, "--fail-under", "0.1"])).stderr).toContain("--fail-under");
});
