import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstone } from "./support/touchstone.js";

const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));

/** Enough pictures that not all are in hand at a time, however many processors there are. */
const samples = 1 + Math.ceil(availableParallelism() / 4);
const pictures = 8 * samples;

let painted = "";
beforeAll(async () => {
  painted = await mkdtemp(join(tmpdir(), "touchstone-"));
  const workingDirectory = painted;
  const build = "build --run run --prompts 2 --domain animals --drawable-by lab:painter";
  await touchstone(build.split(" "), { workingDirectory });
  const generate = "generate --run run --model lab:painter --samples";
  expect(
    await touchstone([...generate.split(" "), String(samples)], { workingDirectory }),
  ).toMatchObject({ code: 0 });
  await writeFile(
    join(workingDirectory, "slow.mjs"),
    // One that is asked while the signal comes must hear of it, too.
    `const told = new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"]) {
        process.once(signal, () => { if (!process.env.STUCK) resolve(); });
      }
    });
    export default {
      name: "slow", range: [0, 1], direction: "higher",
      async score() {
        process.stderr.write("asked\\n");
        if (process.env.FAST) return 0.5;
        const awake = setInterval(() => {}, 1000);
        await told;
        clearInterval(awake);
        return 0.5;
      },
    };`,
  );
});
afterAll(() => rm(painted, { recursive: true }));

/** A run with pictures, and a metric that answers no sooner than the work is told to stop. */
async function paintedRun(): Promise<string> {
  const workingDirectory = await temporaryDirectory();
  await cp(painted, workingDirectory, { recursive: true });
  return workingDirectory;
}

/** Scores the run and interrupts it so often, once it has asked. */
async function interrupted(
  workingDirectory: string,
  {
    signal,
    times = 1,
    variables = {},
  }: { signal: NodeJS.Signals; times?: number; variables?: Record<string, string> },
) {
  const child = spawn(process.execPath, [bin, "score", "run", "--metric", "./slow.mjs"], {
    cwd: workingDirectory,
    // On the path it is called by its bare name, wherever the clone lies.
    env: { PATH: [dirname(bin), process.env.PATH].join(delimiter), ...variables },
  });
  let stderr = "";
  let sent = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    const isReady = sent === 0 ? stderr.includes("asked") : stderr.includes("interrupt again");
    if (!isReady || sent === times) return;
    sent++;
    child.kill(signal);
  });
  const [code] = await once(child, "close");
  return { code, stderr };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s lets what is in hand end, keeps it, and names the command that goes on",
  async (signal) => {
    const workingDirectory = await paintedRun();
    const { code, stderr } = await interrupted(workingDirectory, { signal });
    expect(code).toBe(130);
    expect(stderr.replace(/\s+/g, " ")).toMatch(/\bstep\b.*: touchstone run resume run/);
    const status = await touchstone(["run", "status", "run", "--json"], { workingDirectory });
    const [, , , scores] = JSON.parse(status.stdout).steps;
    const inHand = stderr.match(/asked/g)?.length ?? 0;
    expect(scores).toMatchObject({
      step: "score-images-slow-none",
      planned: pictures,
      done: inHand,
    });
    expect(inHand).toBeLessThan(pictures);

    const resumed = await touchstone(["run", "resume", "run"], {
      workingDirectory,
      variables: { FAST: "1" },
    });
    expect(resumed.code).toBe(0);
    expect(resumed.stderr.match(/asked/g)).toHaveLength(pictures - inHand);
  },
);

test("interrupted again it stops at once, and nothing that was finished is lost", async () => {
  const workingDirectory = await paintedRun();
  const variables = { STUCK: "1" };
  const { code } = await interrupted(workingDirectory, { signal: "SIGINT", times: 2, variables });
  expect(code).toBe(130);
  const resumed = await touchstone(["run", "resume", "run"], {
    workingDirectory,
    variables: { FAST: "1" },
  });
  expect(resumed.code).toBe(0);
  expect(resumed.stderr.match(/asked/g)).toHaveLength(pictures);
  expect(await touchstone(["run", "verify", "run"], { workingDirectory })).toMatchObject({
    code: 0,
  });
});
