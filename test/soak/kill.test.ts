import { join } from "node:path";
import { expect, test } from "vitest";
import { killRun } from "../support/kill-run.mjs";
import { temporaryDirectory } from "../support/temporary-directory.js";

test("killed forty times a run of 4,000 calls ends in the same bytes", async () => {
  const directory = await temporaryDirectory();
  const made = { calls: 4000, concurrency: 16, delay: 2 };
  const whole = await killRun({ ...made, directory: join(directory, "whole"), kills: 0 });
  const killed = await killRun({
    ...made,
    directory: join(directory, "killed"),
    kills: 40,
    inOrder: 1,
  });
  expect(killed.killed).toBeGreaterThanOrEqual(30);
  expect(killed.records).toEqual(whole.records);
  expect(killed.left).toEqual(whole.left);
  expect(killed.asked).toBe(made.calls);
  expect(killed.again).toBeLessThanOrEqual(killed.killed * made.concurrency);
}, 1_800_000);
