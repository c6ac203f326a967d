import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { openIndex } from "./runs.js";

/** A run whose images stand in the segment of a process that is at work, and nowhere else yet. */
async function growingRun() {
  const run = await generatedRun(await temporaryDirectory(), { images: 40, metrics: 1 });
  const final = join(run.directory, "records", "02-paint-images.jsonl");
  const segment = join(run.directory, "records", "02-paint-images.abc123.jsonl");
  const whole = await readFile(final, "utf8");
  const lines = whole.split("\n").filter((line) => line !== "");
  await rm(final);
  return { run, final, segment, whole, lines };
}

test("what is appended is read on, and a torn line when it is whole", async () => {
  const { run, segment, lines } = await growingRun();
  await writeFile(segment, `${lines.slice(0, 10).join("\n")}\n${lines[10]?.slice(0, 50)}`);
  const index = await openIndex(run.directory);
  await index.refresh();
  expect(index.rows.map(({ key }) => key)).toEqual(run.images.slice(0, 10).map(({ key }) => key));
  await appendFile(segment, `${lines[10]?.slice(50)}\n${lines[11]}\n`);
  await index.refresh();
  expect(index.rows).toHaveLength(12);
  const [, images] = index.steps;
  const unscored = Object.values(images?.unscored ?? {}).reduce((sum, count) => sum + count, 0);
  expect((images?.done ?? 0) + unscored).toBe(12);
  expect(images?.isFinished).toBe(false);
});

test("a score that came before its image counts once the image is there", async () => {
  const { run, segment, whole } = await growingRun();
  const index = await openIndex(run.directory);
  await index.refresh();
  expect(index.tables).toEqual([]);
  await writeFile(segment, whole);
  await index.refresh();
  const [table] = index.tables;
  const done = run.scores.filter(({ status }) => status === "done");
  expect(table?.describe(index.rows.length).scored).toBe(done.length);
});

test("a step that is put in order is counted once, and its lines are found where they stand then", async () => {
  const { run, final, segment, whole, lines } = await growingRun();
  await writeFile(segment, `${[...lines].reverse().join("\n")}\n`);
  const index = await openIndex(run.directory);
  await index.refresh();
  await writeFile(`${final}.new`, whole);
  await rename(`${final}.new`, final);
  await rm(segment);
  await index.refresh();
  expect(index.rows).toHaveLength(40);
  expect(index.steps[1]).toMatchObject({ isFinished: true });
  for (const image of run.images) {
    const place = index.placeOf(image.key);
    expect(place?.part).toBe(final);
    const line = whole.slice(place?.offset, (place?.offset ?? 0) + (place?.length ?? 0));
    expect(JSON.parse(line)).toEqual(image);
  }
});

test("of several attempts the latest counts, whatever the order in which they are read", async () => {
  const { run, segment, lines } = await growingRun();
  const first = JSON.parse(lines[0] ?? "");
  const { image, mediaType, width, height, ...about } = first;
  const failed = { ...about, status: "unscored", reason: "timeout", retryable: true, detail: "" };
  const later = { ...first, attempt: 2 };
  await writeFile(segment, `${JSON.stringify(later)}\n${JSON.stringify(failed)}\n`);
  const index = await openIndex(run.directory);
  await index.refresh();
  expect(index.rows).toHaveLength(1);
  expect(index.rows[0]).toMatchObject({ image, width, height, reason: null, attempt: 2 });
  expect(index.steps[1]).toMatchObject({ done: 1, unscored: {} });
  expect(mediaType).toBe("image/jpeg");
});

test("scores are read on once a picture that a page waits for is there", async () => {
  const run = await generatedRun(await temporaryDirectory(), { images: 40, metrics: 1 });
  const index = await openIndex(run.directory);
  let finish = (_: string) => {};
  const shown = index.first(
    new Promise<string>((resolve) => {
      finish = resolve;
    }),
  );
  const reading = index.refresh();
  await index.images();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(index.rows).toHaveLength(40);
  expect(index.progress.isReady).toBe(false);
  finish("shown");
  expect(await shown).toBe("shown");
  await reading;
  expect(index.tables).toHaveLength(1);
});
