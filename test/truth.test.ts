import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { labModel } from "../packages/lab/src/models/lab-model.js";
import { labPainter } from "../packages/lab/src/painter/lab-painter.js";
import { cannotDraw } from "../packages/lab/src/painter/painter.js";
import { buildPrompts } from "../src/benchmarks/prototypicality/build-prompts.js";
import { paintImages } from "../src/benchmarks/prototypicality/paint-images.js";
import { scoreImages } from "../src/benchmarks/prototypicality/score-images.js";
import type { RecordStore } from "../src/core/record-store.js";
import type { AnyStep } from "../src/core/step.js";
import { openStore } from "../src/files/open-store.js";
import { openPicture } from "../src/images/picture.js";
import { clipScore } from "../src/metrics/clip-score.js";
import { vqaScore } from "../src/metrics/vqa-score.js";
import { runSteps } from "../src/runs/run-steps.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

const seed = 5;
const metrics = () => [
  clipScore({ model: labModel("dual-encoder-skewed") }),
  vqaScore({ model: labModel("vqa") }),
];
const painting = (): AnyStep[] => [
  buildPrompts({
    seed,
    size: { total: 4 },
    domains: ["animals", "objects"],
    splits: ["evaluation"],
    canDraw: cannotDraw,
    drawableOnly: true,
  }),
  paintImages({ generator: labPainter(), seed, samples: 1 }),
];

async function collect(directory: string, steps: readonly AnyStep[]): Promise<RecordStore> {
  const create = { command: "touchstone demo", seed, software: "touchstone" };
  const folder = await openStore(directory, { create });
  await runSteps({ run: folder, steps, openPicture });
  return folder;
}

const filesIn = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );

async function scoresIn(folder: RecordStore): Promise<(number | string)[]> {
  const scores: (number | string)[] = [];
  for await (const score of folder.ofType("score")) {
    scores.push(score.status === "done" ? score.value : score.reason);
  }
  return scores;
}

describe("the truth about a picture", () => {
  it("is not needed for its scores: without it they are the same bytes", async () => {
    const whole = join(await temporaryDirectory(), "run");
    const blind = join(await temporaryDirectory(), "run");
    await collect(whole, painting());
    await cp(whole, blind, { recursive: true });
    expect((await filesIn(join(blind, "truth"))).length).toBeGreaterThan(8);
    await rm(join(blind, "truth"), { recursive: true });

    const steps = () => [...painting(), ...scoreImages({ metrics: metrics() })];
    const scored = await collect(whole, steps());
    await collect(blind, steps());
    for (const name of await readdir(join(whole, "records"))) {
      const file = join("records", name);
      expect(await readFile(join(blind, file), "utf8"), name).toBe(
        await readFile(join(whole, file), "utf8"),
      );
    }
    const scores = await scoresIn(scored);
    expect(scores.length).toBeGreaterThan(16);
    expect(scores.every((score) => typeof score === "number")).toBe(true);
    expect(new Set(scores).size).toBeGreaterThan(8);
  });

  it("does not travel in the file: other bytes of the same pixels score the same", async () => {
    const { bytes } = await labPainter().generate({
      prompt: "A penguin is on a beach with exactly two buckets.",
      seed,
    });
    const copies = [
      bytes,
      await sharp(bytes).png({ compressionLevel: 0 }).toBuffer(),
      await sharp(bytes).webp({ lossless: true }).toBuffer(),
      await sharp(bytes).tiff({ compression: "lzw" }).toBuffer(),
    ];
    const pictures = await Promise.all(copies.map((copy) => openPicture(copy)));
    expect(new Set(pictures.map(({ hash }) => hash)).size).toBe(copies.length);
    const text = "An animal is on a beach with exactly two buckets.";
    for (const metric of metrics()) {
      const scores: number[] = [];
      for (const image of pictures) scores.push((await metric.score({ image, text })).value);
      expect(new Set(scores).size, metric.name).toBe(1);
      expect(scores[0]).toBeGreaterThan(0);
    }
  });
});
