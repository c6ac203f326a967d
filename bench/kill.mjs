// Kills a run of 2,000 calls to a local server at 50 random moments or as many as are given, a fifth of them while its
// records are put in order, and compares what comes of it with an undisturbed run: npm run build, then
// node bench/kill.mjs [SEED [KILLS]]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killRun } from "../test/support/kill-run.mjs";

const [seed = 0, kills = 50] = process.argv.slice(2).map(Number);
const made = { calls: 2000, concurrency: 16, delay: 5, seed };
const directory = await mkdtemp(join(tmpdir(), "touchstone-kill-"));
try {
  const whole = await killRun({ ...made, directory: join(directory, "whole"), kills: 0 });
  const began = performance.now();
  const killed = await killRun({
    ...made,
    directory: join(directory, "killed"),
    kills,
    inOrder: Math.floor(kills / 5),
    jitter: 40,
  });
  const isSame = JSON.stringify(killed.records) === JSON.stringify(whole.records);
  const most = killed.killed * made.concurrency;
  console.log(
    [
      `seed ${seed}: killed ${killed.killed} times in ${((performance.now() - began) / 1000).toFixed(0)} s`,
      `records/ ${isSame ? "identical to" : "DIFFERENT from"} those of an undisturbed run`,
      `${killed.asked} of ${made.calls} texts asked, ${killed.again} askings repeated (at most ${most} may be)`,
      `left in the folder: ${killed.left.join(", ")}`,
    ].join("\n"),
  );
  if (!isSame || killed.asked !== made.calls || killed.again > most) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
