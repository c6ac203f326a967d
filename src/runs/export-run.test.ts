import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import type { RecordStore } from "../core/record-store.js";
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

test("an export that was stopped goes on after the parts that are whole, and gives the same bytes", async () => {
  const { folder, store } = await small();
  const whole = join(folder, "whole");
  const out = join(folder, "tables");
  const rowsOfPart = 3;
  await exportRun(store, whole, { ...going, rowsOfPart });
  const counting = counted(store, { stopAfter: 20 });
  await expect(
    exportRun(counting.store, out, { signal: counting.signal, rowsOfPart }),
  ).rejects.toThrow(/stopped after \d+ rows, which are in .*tables\.partial/);
  expect((await readdir(folder)).sort()).toEqual(["run", "tables.partial", "whole"]);
  const kept = await modified(`${out}.partial`);
  expect(kept.size).toBeGreaterThan(2);
  // A process that was killed is still noted as the one that writes.
  const note = join(`${out}.partial`, "unfinished.json");
  const left = JSON.parse(await readFile(note, "utf8"));
  await writeFile(note, JSON.stringify({ ...left, owner: { process: 2 ** 30 } }));
  await exportRun(store, out, { ...going, rowsOfPart });
  const after = await modified(out);
  for (const [name, time] of kept) expect(after.get(name), name).toBe(time);
  expect(await bytesOf(out)).toEqual(await bytesOf(whole));
});

test("an export of a run that was changed since, or of another, begins anew; one at work is left alone", async () => {
  const { folder, store } = await small();
  const out = join(folder, "tables");
  const counting = counted(store, { stopAfter: 20 });
  const parts = { rowsOfPart: 3 };
  const first = exportRun(counting.store, out, { signal: counting.signal, ...parts });
  await expect(first).rejects.toThrow("stopped after");
  const before = await modified(`${out}.partial`);
  await utimes(join(folder, "run/run.json"), new Date(), new Date(Date.now() + 60_000));
  await exportRun(store, out, { ...going, ...parts });
  const after = await modified(out);
  expect([...before].some(([name, time]) => after.get(name) === time)).toBe(false);

  const other = join(folder, "other");
  await mkdir(`${other}.partial`);
  const owner = { process: process.pid };
  const note = { of: "anything", owner, parts: [] };
  await writeFile(join(`${other}.partial`, "unfinished.json"), JSON.stringify(note));
  await expect(exportRun(store, other, going)).rejects.toThrow("Another process");
});

/** The store, whose reader is stopped after so many records. */
function counted(store: RecordStore, { stopAfter }: { readonly stopAfter: number }) {
  const stop = new AbortController();
  let read = 0;
  async function* ofStep(step: string) {
    for await (const record of store.ofStep(step)) {
      if (++read > stopAfter) stop.abort();
      yield record;
    }
  }
  const counting: Pick<RecordStore, "ofStep" | "recipe" | "place" | "changedAt"> = {
    ofStep,
    recipe: store.recipe,
    place: store.place,
    changedAt: () => store.changedAt(),
  };
  return { store: counting, signal: stop.signal };
}

async function parquetBelow(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory, { recursive: true });
  return names.filter((name) => name.endsWith(".parquet")).sort();
}

/** When each file of Parquet was written. */
async function modified(directory: string): Promise<Map<string, number>> {
  const names = await parquetBelow(directory);
  const times = names.map(async (name) => (await stat(join(directory, name))).mtimeMs);
  return new Map((await Promise.all(times)).map((time, at) => [names[at] ?? "", time]));
}

async function bytesOf(directory: string) {
  const names = (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const bytes = await Promise.all(names.map((name) => readFile(name, "base64")));
  return names.map((name, at) => [relative(directory, name), bytes[at]]);
}
