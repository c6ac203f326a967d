import { join } from "node:path";
import { expect, test } from "vitest";
import { killRun } from "./support/kill-run.mjs";
import { temporaryDirectory } from "./support/temporary-directory.js";

test("killed over and over a run loses nothing, counts nothing twice and ends in the same bytes", async () => {
  const directory = await temporaryDirectory();
  const made = { calls: 200, concurrency: 8, delay: 2 };
  const whole = await killRun({ ...made, directory: join(directory, "whole"), kills: 0 });
  expect(whole).toMatchObject({ asked: 200, again: 0, left: ["records", "run.json", "trace"] });
  const killed = await killRun({
    ...made,
    directory: join(directory, "killed"),
    kills: 6,
    inOrder: 1,
  });
  expect(killed.killed).toBeGreaterThanOrEqual(5);
  expect(killed.records).toEqual(whole.records);
  expect(killed.left).toEqual(whole.left);
  expect(killed.asked).toBe(200);
  // Of each life at most what it had in hand.
  expect(killed.again).toBeLessThanOrEqual(killed.killed * made.concurrency);
});
