import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ItemPage, RunDetail } from "../../src/studio/api.js";
import { writeManyRecords } from "../support/million-records.js";
import { startedStudio } from "../support/started-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { youngMegabytes } from "../support/young-megabytes.js";

/** What the issue allows the server, at its highest. */
const mostMegabytes = 400;

test("a run of a million records opens with progress, in little memory", {
  timeout: 1_800_000,
}, async () => {
  const root = await temporaryDirectory();
  const images = 160_000;
  const records = await writeManyRecords(join(root, "many"), images);
  expect(records).toBe(1_000_000);
  const { child, url } = await startedStudio(root);
  const asked = async <Answer>(path: string): Promise<Answer> =>
    (await fetch(`${url}api/runs/many${path}`)).json() as Promise<Answer>;
  const read: number[] = [];
  let detail = await asked<RunDetail>("");
  while (!detail.index.isReady) {
    read.push(detail.index.read / detail.index.total);
    // Answered when something more was read, or after a while.
    detail = await asked<RunDetail>("");
  }
  expect(detail.images).toBe(images);
  // It says how far it is more than once, and never goes back.
  expect(new Set(read).size).toBeGreaterThan(2);
  expect(read).toEqual([...read].sort((a, b) => a - b));
  const milliseconds: Record<string, number> = {};
  for (const query of [
    "limit=100",
    "sort=disagreement&order=down",
    "text=number%20777",
    "sort=plan&order=down",
  ]) {
    const start = performance.now();
    const page = await asked<ItemPage>(`/items?${query}`);
    milliseconds[query] = Math.round(performance.now() - start);
    expect(page.items.length, query).toBeGreaterThan(0);
  }
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  const megabytes = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  console.log({ records, answersWhileReading: read.length, megabytes, milliseconds });
  expect(megabytes).toBeGreaterThan(50);
  expect(megabytes).toBeLessThanOrEqual(mostMegabytes + youngMegabytes);
});
