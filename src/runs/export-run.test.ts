import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { openStore } from "../files/open-store.js";
import { exportRun } from "./export-run.js";

const going = { signal: new AbortController().signal };

async function small() {
  const folder = await temporaryDirectory();
  const run = await generatedRun(join(folder, "run"), { images: 8, side: 8, metrics: 2 });
  return { folder, run, store: await openStore(run.directory) };
}

async function rowsOf(path: string) {
  return parquetReadObjects({ file: await asyncBufferFromFile(path) });
}

test("each kind of record is a folder, each step a partition, each record a row", async () => {
  const { folder, run, store } = await small();
  const out = join(folder, "tables");
  const { tables } = await exportRun(store, out, going);
  expect(tables.scores?.rows).toBe(run.scores.length);
  expect(tables.images?.rows).toBe(run.images.length);
  const steps = await readdir(join(out, "scores"));
  expect(steps.every((name) => /^step=[a-z0-9-]+$/.test(name))).toBe(true);
  const rows = (
    await Promise.all(steps.map((step) => rowsOf(join(out, "scores", step, "part-00000.parquet"))))
  ).flat();
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (const score of run.scores) {
    const row = byKey.get(score.key);
    expect(row).toMatchObject({
      of: score.of,
      metric: score.metric,
      status: score.status,
      step_version: score.step,
      trial: BigInt(score.trial),
      range: JSON.stringify(score.range),
      value: score.status === "done" ? score.value : null,
      reason: score.status === "unscored" ? score.reason : null,
      retryable: score.status === "unscored" ? score.retryable : null,
    });
  }
  expect(["step", ...Object.keys(rows[0] ?? {})]).toEqual(tables.scores?.columns);
});

test("all is written, or nothing", async () => {
  const { folder, store } = await small();
  const out = join(folder, "tables");
  const stopped = { signal: AbortSignal.abort() };
  await expect(exportRun(store, out, stopped)).rejects.toThrow("nothing was written");
  expect(await readdir(folder)).toEqual(["run"]);
  await mkdir(out);
  await exportRun(store, out, going);
  const again = exportRun(store, out, going);
  await expect(again).rejects.toThrow("Expected a new or empty folder but");
  await writeFile(join(folder, "file"), "");
  await expect(exportRun(store, join(folder, "file"), going)).rejects.toThrow("Could not write");
});
