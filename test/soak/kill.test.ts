import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { randomFrom } from "../../src/core/random.js";
import { killRun } from "../support/kill-run.mjs";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { touchstone } from "../support/touchstone.js";

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

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

/** A metric that answers by the text and notes each call in a file. */
const metric = (name: string) => `import { appendFileSync } from "node:fs";
export default {
  name: "${name}", range: [0, 1], direction: "higher",
  async score({ text, image }) {
    appendFileSync("asked.txt", "${name} " + image.hash + " " + text + "\\n");
    return (text.length % 7) / 7;
  },
};`;

/** Kills `run resume` so many milliseconds after it first said something; tells whether it was at work, and how long. */
async function killResume(workingDirectory: string, after: number) {
  const child = spawn(process.execPath, [bin, "run", "resume", "run"], {
    cwd: workingDirectory,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let timer: NodeJS.Timeout | undefined;
  let said = "";
  let began = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (timer !== undefined) return;
    began = performance.now();
    timer = setTimeout(() => child.kill("SIGKILL"), after);
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  if (signal !== "SIGKILL") expect([code, said]).toEqual([0, expect.any(String)]);
  return { isKilled: signal === "SIGKILL", milliseconds: performance.now() - began };
}

test("a run that is resumed from its recipe ends in the same bytes, killed at random points", async () => {
  const directory = await temporaryDirectory();
  const kills = 24;
  const least = 8;
  for (const name of ["one", "two"]) await writeFile(join(directory, `${name}.mjs`), metric(name));
  for (const line of [
    "build --run run --prompts 2 --domain animals --drawable-by lab:painter",
    "generate --run run --model lab:painter --samples 5",
    "score run --metric ./one.mjs --metric ./two.mjs",
  ]) {
    expect(await touchstone(line.split(" "), { workingDirectory: directory })).toMatchObject({
      code: 0,
    });
  }
  const filesIn = async (folder: string) => {
    const names = (await readdir(join(directory, "run", folder))).sort();
    const texts = names.map((name) => readFile(join(directory, "run", folder, name), "utf8"));
    return Object.fromEntries((await Promise.all(texts)).map((text, at) => [names[at], text]));
  };
  const whole = await filesIn("records");
  const calls = (await readFile(join(directory, "asked.txt"), "utf8")).trim().split("\n");
  // Of the run only its recipe is left, from which all is made again.
  const recipe = await readFile(join(directory, "run/run.json"));
  const startOver = async () => {
    await rm(join(directory, "run"), { recursive: true });
    await rm(join(directory, "asked.txt"));
    await mkdir(join(directory, "run"));
    await writeFile(join(directory, "run/run.json"), recipe);
  };
  await startOver();
  const { milliseconds } = await killResume(directory, 600_000);
  await startOver();
  // No life is long enough for more than its share of the work.
  const longest = Math.ceil(milliseconds / least);
  const random = randomFrom(7, "kills");
  let killed = 0;
  for (let life = 0; life < kills; life++) {
    if ((await killResume(directory, random.integer(longest))).isKilled) killed++;
  }
  const resumed = ["run", "resume", "run"];
  expect(await touchstone(resumed, { workingDirectory: directory })).toMatchObject({ code: 0 });
  expect(killed).toBeGreaterThanOrEqual(least);
  expect(await filesIn("records")).toEqual(whole);
  const again = (await readFile(join(directory, "asked.txt"), "utf8")).trim().split("\n");
  expect(new Set(again)).toEqual(new Set(calls));
  // Of each life at most what it had in hand.
  expect(again.length - calls.length).toBeLessThanOrEqual(killed * 2 * availableParallelism());
}, 1_800_000);
