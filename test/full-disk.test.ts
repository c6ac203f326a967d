import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { exitCodeOf, exitCodes } from "../src/cli/report-error.js";
import { keyOf } from "../src/core/keys.js";
import type { RecordStore } from "../src/core/record-store.js";
import type { Step } from "../src/core/step.js";
import { openStore } from "../src/files/open-store.js";
import { runSteps } from "../src/runs/run-steps.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

/** A small disk of its own; `undefined` where this user may not mount one. */
async function smallDisk(): Promise<string | undefined> {
  const directory = join(await temporaryDirectory(), "disk");
  await mkdir(directory);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", directory], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", directory]));
  return directory;
}

const count = 400;
/** So many instant answers may wait for the disk. */
const mostUnwritten = 64;
const asked: string[] = [];
const step: Step<"score"> = {
  name: "ask",
  version: 1,
  produces: "score",
  parameters: {},
  async *plan() {
    for (let number = 0; number < count; number++) {
      yield {
        of: keyOf("image"),
        image: hash,
        text: `text ${number}`,
        metric: "m",
        metricVersion: 1,
        statistic: "s",
        model: "local:m",
        range: [0, 1],
        direction: "higher",
        trial: 0,
      };
    }
  },
  async perform({ text }) {
    asked.push(text);
    return { value: 0.5 };
  },
};
const hash = "0".repeat(64) as Awaited<ReturnType<RecordStore["blobs"]["write"]>>;

const go = async (directory: string) =>
  runSteps({
    run: await openStore(directory, {
      create: { command: "touchstone score", seed: 0, software: "1" },
    }),
    steps: [step],
    resume: "touchstone run resume run",
    openPicture: () => Promise.reject(new Error("Expected no picture to be opened")),
  });

test("on a disk that fills up a run stops as incomplete, and goes on when there is room", async (context) => {
  const disk = await smallDisk();
  if (disk === undefined) return context.skip("mounting is not permitted here");
  await writeFile(join(disk, "filler"), new Uint8Array(110_000));
  const run = join(disk, "run");
  const failure = await go(run).catch((error: unknown) => error);
  expect(exitCodeOf(failure)).toBe(exitCodes.incomplete);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/\bdisk\b.*\bfull\b/),
    hint: expect.stringContaining("touchstone run resume run"),
  });
  const before = new Set(asked);
  expect(before.size).toBeGreaterThan(50);
  expect(before.size).toBeLessThan(count);

  // Still full, it says so again; it never breaks what is there.
  expect(exitCodeOf(await go(run).catch((error: unknown) => error))).toBe(exitCodes.incomplete);
  await rm(join(disk, "filler"));
  execFileSync("mount", ["-o", "remount,size=4m", disk]);
  asked.length = 0;
  const [summary] = await go(run);
  expect(summary).toMatchObject({ planned: count, done: count });
  expect(asked.length).toBeLessThanOrEqual(count - before.size + mostUnwritten + 8);
  expect(await readdir(join(run, "records"))).toEqual(["01-ask.jsonl"]);
});

test.skipIf(process.platform !== "linux")(
  "what is concluded of a table is not said to be written where the disk is full",
  async () => {
    const workingDirectory = await temporaryDirectory();
    await writeFile(
      join(workingDirectory, "t.csv"),
      "item,annotator,value\na,x,1\na,y,1\nb,x,2\nb,y,2\n",
    );
    for (const name of ["out.json", "out.csv", "out.md", "out.html"]) {
      await symlink("/dev/full", join(workingDirectory, name));
      const environment = fakeEnvironment({ workingDirectory });
      const words = ["analyze", "agreement", "t.csv", "--scale", "nominal", "--out", name];
      const code = await runCommandLine(words, environment);
      expect([name, code]).toEqual([name, exitCodes.incomplete]);
      expect(environment.written.stderr.replace(/\s+/g, " ")).toMatch(
        new RegExp(`${name}: .*\\bfull\\b`),
      );
      expect(environment.written.stderr).not.toContain("fault of ours");
    }
    expect(await readdir(workingDirectory)).toEqual(
      ["t.csv", "out.json", "out.csv", "out.md", "out.html"].sort(),
    );
  },
);
