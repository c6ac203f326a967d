import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { labModel } from "../packages/lab/src/models/lab-model.js";
import { labPainter } from "../packages/lab/src/painter/lab-painter.js";
import { hasDrawing } from "../packages/lab/src/painter/sprites.js";
import { describe } from "../packages/lab/src/world/english.js";
import { sampleScene } from "../packages/lab/src/world/sample.js";
import { falsify, tell } from "../packages/lab/src/world/statements.js";
import { subjects } from "../packages/lab/src/world/vocabulary.js";
import { keyOf } from "../src/core/keys.js";
import { randomFrom } from "../src/core/random.js";
import { Blobs } from "../src/files/run-folder/blobs.js";
import { TruthFolder } from "../src/files/run-folder/run-writer.js";
import { openPicture } from "../src/images/picture.js";
import { openPictureFile } from "../src/images/picture-file.js";
import { clipScore } from "../src/metrics/clip-score.js";
import { vqaScore } from "../src/metrics/vqa-score.js";
import { touchstone } from "./support/touchstone.js";

/** Pictures to score: half of the texts are true of them. */
const count = 20;

interface Item {
  /** Where the picture lies. */
  readonly path: string;
  readonly text: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "truth-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Paints pictures into blobs/ and their truth into truth/, as a run does. */
async function paintRun(directory: string): Promise<Item[]> {
  const blobs = new Blobs(join(directory, "blobs"));
  const truths = new TruthFolder(join(directory, "truth"));
  const kinds = [...subjects.keys()].filter((kind) => hasDrawing(kind));
  const items: Item[] = [];
  for (let index = 0; items.length < count; index++) {
    const random = randomFrom("truth out of reach", index);
    const scene = sampleScene(random, kinds);
    const said = tell(scene, { hypernym: 0.5, place: 1, extra: 1, attribute: 0.7 }, random);
    const told = items.length % 2 === 0 ? said : falsify(said, scene, random);
    if (told === undefined) continue;
    const painted = await labPainter().generate({ prompt: describe(said), seed: index });
    const hash = await blobs.write(painted.bytes, "image/png");
    if (painted.truth === undefined) throw new Error("Expected the painter to tell the truth");
    await truths.write(keyOf(index), painted.truth);
    items.push({ path: (await blobs.addressOf(hash)) ?? "", text: describe(told) });
  }
  return items;
}

/** Every metric's score of every item, by models that are loaded anew. */
async function scoresOf(items: readonly Item[]): Promise<number[][]> {
  const metrics = [
    clipScore({ model: labModel("dual-encoder-skewed") }),
    vqaScore({ model: labModel("vqa") }),
  ];
  const scores: number[][] = [];
  for (const { path, text } of items) {
    const image = await openPictureFile(path);
    const row: number[] = [];
    for (const metric of metrics) row.push((await metric.score({ image, text })).value);
    scores.push(row);
  }
  return scores;
}

/** The same pixels in other bytes, every other one a WebP, under names that say nothing. */
async function reencoded(items: readonly Item[], directory: string): Promise<Item[]> {
  await mkdir(directory);
  return Promise.all(
    items.map(async ({ path, text }, index) => {
      const before = await openPictureFile(path);
      const isPng = index % 2 === 0;
      const bytes = await (isPng
        ? sharp(path).png({ compressionLevel: 1, adaptiveFiltering: true })
        : sharp(path).webp({ lossless: true })
      ).toBuffer();
      const after = await openPicture(bytes);
      expect(after.hash).not.toBe(before.hash);
      expect(Buffer.compare((await after.pixels()).data, (await before.pixels()).data)).toBe(0);
      const name = `${index}.${isPng ? "png" : "webp"}`;
      await writeFile(join(directory, name), bytes);
      return { path: join(directory, name), text };
    }),
  );
}

test("scores come from the pixels: other bytes without any truth score the same", async () => {
  const run = join(folder, "run");
  const items = await paintRun(run);
  expect((await readdir(join(run, "truth"))).length).toBeGreaterThan(0);
  const before = await scoresOf(items);
  // Constant scores would be equal for no reason.
  for (const metric of [0, 1]) {
    expect(new Set(before.map((row) => row[metric])).size).toBeGreaterThan(10);
  }

  const elsewhere = join(folder, "elsewhere");
  const again = await reencoded(items, elsewhere);
  await rm(run, { recursive: true });
  expect(await scoresOf(again)).toEqual(before);

  // And once more in a process that never saw a truth.
  const lines = again.map(({ path, text }) => JSON.stringify({ image: path, text }));
  await writeFile(join(elsewhere, "table.jsonl"), `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await touchstone(
    [
      ...["score", "table.jsonl", "--json"],
      ...["--metric", "clip-score", "--model", "lab:dual-encoder-skewed"],
      ...["--metric", "vqa-score", "--model", "lab:vqa"],
    ],
    { workingDirectory: elsewhere },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { results } = JSON.parse(stdout) as {
    results: { image: string; metric: string; value: number }[];
  };
  const scoreBy = (image: string, metric: string) =>
    results.find((row) => row.image === image && row.metric === metric)?.value;
  expect(
    again.map(({ path }) => [scoreBy(path, "clip-score"), scoreBy(path, "vqa-score")]),
  ).toEqual(before);
});
