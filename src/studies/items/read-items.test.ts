import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAuditRun } from "../../../test/report/audit-run.js";
import { makeConfusionRun } from "../../../test/report/confusion-run.js";
import { makeSampleRun } from "../../../test/report/sample-run.js";
import { openStore } from "../../files/open-store.js";
import { encodePng } from "../../images/pixels-picture.js";
import { readStudyConfig } from "../config/read-study-config.js";
import { createStudy } from "../create-study.js";
import type { StudyBlock } from "../study.js";
import { sharedPrompts } from "./read-items.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-items-"));
  await makeSampleRun(join(folder, "runs/demo"));
  await makeConfusionRun(join(folder, "runs/demo/attribute-confusion"), {
    count: 2,
    painters: ["painter-a", "painter-b"],
  });
  await makeAuditRun(join(folder, "runs/demo/stereotypes"), { count: 3, trials: 1 });
});

/** The one block of a study, created for its items alone. */
async function blockOf(
  protocol: string,
  from: string,
  more: Record<string, unknown> = {},
): Promise<StudyBlock> {
  const file = join(folder, `${protocol}.yaml`);
  const settings = { title: "t", consent: "yes", blocks: [{ protocol, from, ...more }] };
  await writeFile(file, JSON.stringify(settings));
  let kept = 0;
  const study = await createStudy(await readStudyConfig(file, folder), {
    keep: async () => `${kept++}`.padStart(64, "0") as StudyBlock["items"][0]["images"][0],
  });
  const [block] = study.blocks;
  if (block === undefined) throw new Error("There is no block");
  return block;
}

test("a contrastive run gives its correct and adversarial images, with what exports need", async () => {
  const { items } = await blockOf("rating", "runs/demo");
  const run = await openStore(join(folder, "runs/demo"));
  const wanted = new Map<string, string[]>();
  for await (const { key, role, status, prompt, sample } of run.ofType("image")) {
    if (status !== "done" || role.startsWith("control")) continue;
    const pair = `${prompt}/${sample}`;
    wanted.set(pair, [...(wanted.get(pair) ?? []), key]);
  }
  const whole = [...wanted.values()].filter(({ length }) => length === 2);
  expect(whole.length).toBeLessThan(wanted.size);
  const all = await blockOf("rating", "runs/demo", { unfiltered: true });
  expect(new Set(all.items.map(({ beside }) => beside.of))).toEqual(new Set(whole.flat()));
  const [first] = items;
  expect(first?.beside).toMatchObject({ side: "correct", model: "lab:squares@1" });
  expect(["0", "1"].map((sample) => `${first?.beside.prompt}/${sample}`)).toContain(
    first?.beside.pair,
  );
  const other = items.find(
    ({ beside: { pair, side } }) => pair === first?.beside.pair && side === "adversarial",
  );
  expect(other?.content).toEqual(first?.content);

  const pairs = await blockOf("pairwise", "runs/demo");
  expect(pairs.items[0]?.beside).toMatchObject({ model_a: "correct", model_b: "adversarial" });
});

test("people are asked about pairs that passed the run's filter alone, unless all are asked for", async () => {
  const run = await openStore(join(folder, "runs/demo"));
  const dropped = new Set<string>();
  const rated = new Set<string>();
  for await (const score of run.ofType("score")) {
    if (!score.step.startsWith("rate-images@")) continue;
    rated.add(score.of);
    if (score.status !== "done" || score.value < 8) dropped.add(score.of);
  }
  const asked = async (more: Record<string, unknown>) => {
    const { items, filter } = await blockOf("rating", "runs/demo", more);
    return { items: items.map(({ beside }) => String(beside.of)), filter };
  };
  const filtered = await asked({});
  const all = await asked({ unfiltered: true });
  expect(filtered.items.filter((of) => dropped.has(of) || !rated.has(of))).toEqual([]);
  expect(all.items.some((of) => dropped.has(of))).toBe(true);
  expect(filtered.filter?.kept).toBe(filtered.items.length / 2);
  expect(filtered.filter).toMatchObject({ unfiltered: false, of: all.filter?.of });
  expect(all.filter).toEqual({ ...filtered.filter, unfiltered: true });
});

test("a filter that kept nothing leaves nobody to ask, and says why", async () => {
  await makeSampleRun(join(folder, "none"), { rate: () => 1 });
  await expect(blockOf("rating", "none")).rejects.toThrow(/kept none of/);
  expect((await blockOf("rating", "none", { unfiltered: true })).filter?.kept).toBe(0);
});

test("a sample keeps pairs whole and domains even, and is the same for the same seed", async () => {
  const { items } = await blockOf("rating", "runs/demo", { sample: 13 });
  expect(items).toHaveLength(12);
  const pairs = new Map<unknown, number>();
  const domains = new Map<unknown, number>();
  for (const { beside } of items) {
    pairs.set(beside.pair, (pairs.get(beside.pair) ?? 0) + 1);
    domains.set(beside.domain, (domains.get(beside.domain) ?? 0) + 1);
  }
  expect(new Set(pairs.values())).toEqual(new Set([2]));
  expect([...domains.values()]).toEqual([4, 4, 4]);
  const again = await blockOf("rating", "runs/demo", { sample: 13 });
  expect(again.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
});

test("a sample of what several models made holds prompts that all of them have", async () => {
  await mkdir(join(folder, "models"));
  const data = new Uint8Array(16 * 16 * 3);
  await writeFile(join(folder, "models/a.png"), encodePng({ width: 16, height: 16, data }));
  const prompts = Array.from({ length: 40 }, (_, at) => `prompt ${at}`);
  const rows = prompts.flatMap((text, at) =>
    ["x", "y"].flatMap((model) =>
      [0, 1].map((turn) => `${model}${at}-${turn},a.png,${text},${model}`),
    ),
  );
  const table = join(folder, "models/items.csv");
  await writeFile(table, ["id,image,text,model", ...rows, ""].join("\n"));
  const block = await blockOf("rating", "models/items.csv", { sample: 60 });
  expect(block.items).toHaveLength(60);
  expect(sharedPrompts(block)).toEqual({ models: 2, prompts: 30, shared: 30 });
  // A table in which they share few is said for what it is.
  const apart = rows.filter((row, at) => at < 8 || row.endsWith(at % 8 < 4 ? "x" : "y"));
  await writeFile(table, ["id,image,text,model", ...apart, ""].join("\n"));
  const few = await blockOf("rating", "models/items.csv");
  expect(sharedPrompts(few)).toEqual({ models: 2, prompts: 40, shared: 2 });
});

test("the chapter of a demo is found that gives a protocol's items", async () => {
  const { items } = await blockOf("localized", "runs/demo");
  expect(items.some(({ content }) => content.kind === "leakage")).toBe(true);
  expect(items.every(({ content }) => content.box === null && !("mask" in content))).toBe(true);
  expect(items.every(({ beside }) => beside.localizers === undefined)).toBe(true);
  const asMetric = await blockOf("localized", "runs/demo", { view: "localized" });
  const localized = asMetric.items.filter(({ beside }) => beside.localizers !== undefined);
  expect(localized.length).toBeGreaterThan(items.length / 2);
  expect(localized[0]?.beside.localizers).toEqual(["test:localiser@1"]);

  const { items: judged } = await blockOf("rubric", "runs/demo");
  expect(judged[0]?.images).toHaveLength(3);
  expect(judged[0]?.beside).toMatchObject({ phase: "initial", imageSet: "0" });
  expect(judged.some(({ beside }) => beside.present === 1)).toBe(true);
  expect(String(judged[0]?.content.examples)).toMatch(/^Yes: .* No: /);

  const sets = await blockOf("pairwise", "runs/demo/stereotypes");
  expect(sets.items[0]?.images).toHaveLength(6);
  expect(sets.items[0]?.beside).toMatchObject({ model_a: "initial", model_b: "refined" });
  const models = await blockOf("pairwise", "runs/demo/attribute-confusion");
  expect(models.items).toHaveLength(2);
  const mental = await blockOf("mental-image", "runs/demo/stereotypes");
  expect(mental.items).toHaveLength(9);
  expect(mental.items[0]?.content.models).toHaveLength(2);
  // Three runs have images with a text, the demo itself first.
  expect((await blockOf("likert", "runs/demo")).items[0]?.beside.side).toBe("correct");
});

test("what gives no items, or too many, is said with the way out", async () => {
  await expect(blockOf("rubric", "runs/demo/attribute-confusion")).rejects.toThrow(
    /the run of an audit for rubric but runs\/demo\/attribute-confusion has no judged sets/,
  );
  await expect(blockOf("localized", "runs/demo/stereotypes")).rejects.toThrow(/entities/);
  await makeAuditRun(join(folder, "two/one"), { count: 1, images: 1, trials: 1 });
  await makeAuditRun(join(folder, "two/other"), { count: 1, images: 1, trials: 1 });
  await expect(blockOf("rubric", "two")).rejects.toThrow(/two\/one and two\/other have some/);
});

test("a folder gives its images, and pairs of what two models made of one text", async () => {
  await mkdir(join(folder, "images/b"), { recursive: true });
  const lines = ["a.png", "b/a.png", "c.png"].map((file_name, at) => ({
    file_name,
    text: at < 2 ? "A dog" : "A cat",
    ...(at === 1 ? {} : { model: "first" }),
    domain: "animals",
  }));
  for (const { file_name } of lines) {
    const data = new Uint8Array(16 * 16 * 3).fill(file_name.length);
    await writeFile(join(folder, "images", file_name), encodePng({ width: 16, height: 16, data }));
  }
  const table = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(join(folder, "images/metadata.jsonl"), table);
  const { items } = await blockOf("likert", "images");
  expect(items.map(({ id }) => id)).toEqual(["a.png", "b/a.png", "c.png"]);
  expect(items[1]?.beside).toEqual({ domain: "animals", model: "b", prompt: "A dog" });
  const pairs = await blockOf("pairwise", "images");
  expect(pairs.items.map(({ beside }) => [beside.model_a, beside.model_b])).toEqual([
    ["first", "b"],
  ]);
});

test("a folder whose texts stand elsewhere names models by its folders, unless these are of prompts", async () => {
  const image = encodePng({ width: 16, height: 16, data: new Uint8Array(16 * 16 * 3) });
  for (const model of ["flux", "sdxl"]) {
    await mkdir(join(folder, "geneval", model, "00000/samples"), { recursive: true });
    await writeFile(join(folder, "geneval", model, "00000/samples/0000.png"), image);
    const about = join(folder, "geneval", model, "00000/metadata.jsonl");
    await writeFile(about, '{"tag": "colors", "prompt": "A blue dog"}\n');
  }
  const { items } = await blockOf("pairwise", "geneval");
  expect(items.map(({ beside }) => [beside.model_a, beside.model_b])).toEqual([["flux", "sdxl"]]);

  await mkdir(join(folder, "numbered"));
  await writeFile(join(folder, "numbered/0.png"), image);
  await writeFile(join(folder, "numbered/prompts.csv"), "prompt,domain\nA dog,animals\n");
  await expect(blockOf("likert", "numbered")).rejects.toMatchObject({ code: "input" });
  const ordered = await blockOf("likert", "numbered", { texts: "order" });
  expect(ordered.items[0]?.beside).toEqual({ domain: "animals", prompt: "A dog" });
  await expect(blockOf("likert", "numbered/prompts.csv", { texts: "order" })).rejects.toMatchObject(
    { message: expect.stringContaining("Expected a folder of images") },
  );
});

test("a review queue of judge is a table of items", async () => {
  const line = { id: "p", caption: "A dog", image_a: "a.png", image_b: "c.png", preferred: null };
  await writeFile(join(folder, "images/review.jsonl"), `${JSON.stringify(line)}\n`);
  const { items } = await blockOf("pairwise", "images/review.jsonl");
  expect(items[0]?.images).toHaveLength(2);
  const asked = { id: "q", image: "a.png", question: "Is it a dog?", answer: null };
  await writeFile(join(folder, "images/questions.jsonl"), `${JSON.stringify(asked)}\n`);
  const questions = await blockOf("localized", "images/questions.jsonl");
  expect(questions.items[0]?.content.question).toBe("Is it a dog?");
});

test("rows that give no item, and known answers that are none, are listed by line", async () => {
  const pairs = "id,image_a,image_b\none,a.png,c.png\ntwo,a.png,\nthree,,c.png\n";
  await writeFile(join(folder, "images/pairs.csv"), pairs);
  await expect(blockOf("pairwise", "images/pairs.csv")).rejects.toMatchObject({
    problems: [
      "Expected image_b or images_b for item two but it has neither (in images/pairs.csv, line 3)",
      "Expected image_a or images_a for item three but it has neither (in images/pairs.csv, line 4)",
    ],
  });
  await writeFile(join(folder, "gold.csv"), "id,image,text,value\ng,images/a.png,A dog,9\n");
  await expect(blockOf("rating", "images", { gold: "gold.csv" })).rejects.toMatchObject({
    problems: ['gold g: "9" is no answer to it (in gold.csv, line 2)'],
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));
