import { join } from "node:path";
import { expect, test } from "vitest";
import { RunFolder } from "../src/files/run-folder/run-folder.js";
import { killRun } from "./support/kill-run.mjs";
import { temporaryDirectory } from "./support/temporary-directory.js";

test("killed over and over a run loses nothing, counts nothing twice and ends in the same bytes", async () => {
  const directory = await temporaryDirectory();
  const made = { calls: 200, concurrency: 8, delay: 2 };
  const whole = await killRun({ ...made, directory: join(directory, "whole"), kills: 0 });
  const left = ["records", "run.json", "seals", "trace"];
  expect(whole).toMatchObject({ asked: 200, again: 0, left });
  const killed = await killRun({
    ...made,
    directory: join(directory, "killed"),
    kills: 6,
    inOrder: 1,
  });
  expect(killed.killed).toBeGreaterThanOrEqual(5);
  expect(killed.records).toEqual(whole.records);
  expect(killed.left).toEqual(whole.left);
  const seals = await (await RunFolder.open({ directory: join(directory, "killed") })).seals();
  expect(seals.map(({ state }) => state)).toEqual(["sealed", "sealed"]);
  expect(killed.asked).toBe(200);
  // Of each life at most what it had in hand.
  expect(killed.again).toBeLessThanOrEqual(killed.killed * made.concurrency);
});
