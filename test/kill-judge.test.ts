import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { pairServer } from "./support/pair-server.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstone } from "./support/touchstone.js";

const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));

test("a judge that is killed while it asks goes on and decides the same, byte for byte", async () => {
  const whole = await temporaryDirectory();
  // Called with each call that comes in, while a process is to be killed.
  let onCall: (() => void) | undefined;
  const { server } = await pairServer({
    directory: whole,
    labels: 6,
    others: 30,
    behave: () => {
      onCall?.();
      return undefined;
    },
  });
  const variables = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" };
  const run = (line: string) =>
    runCommandLine(line.split(" "), fakeEnvironment({ variables, workingDirectory: whole }));
  const calibrate = "calibrate labels.jsonl --model openai-compatible:tiny --prompts 4 --no-cache";
  expect(await run(calibrate)).toBe(0);
  const killed = await temporaryDirectory();
  await cp(whole, killed, { recursive: true });

  const judge = "judge pairs.jsonl --threshold 0.8 --no-cache";
  const before = server.received.length;
  expect(await run(judge)).toBe(0);
  const calls = server.received.length - before;
  expect(calls).toBeGreaterThan(40);

  const start = server.received.length;
  const child = spawn(process.execPath, [bin, ...judge.split(" ")], {
    cwd: killed,
    env: { PATH: process.env.PATH, ...variables },
    stdio: "ignore",
  });
  onCall = () => {
    if (server.received.length - start >= calls / 2) child.kill("SIGKILL");
  };
  const [, signal] = await once(child, "close");
  onCall = undefined;
  expect(signal).toBe("SIGKILL");
  await expect(readFile(join(killed, "results.jsonl"))).rejects.toThrow("ENOENT");
  const resumed = await touchstone(["run", "resume", "results-answers"], {
    workingDirectory: killed,
    variables,
  });
  expect(resumed).toMatchObject({ code: 0 });

  for (const name of ["results.jsonl", "review.jsonl"]) {
    const [one = "", other] = await Promise.all(
      [whole, killed].map((copy) => readFile(join(copy, name), "utf8")),
    );
    expect(one.split("\n").length).toBeGreaterThan(2);
    expect(other).toBe(one);
  }
  // What was answered before the kill is not asked again, but for what was in hand.
  const asked = server.received.length - start;
  expect(asked).toBeGreaterThanOrEqual(calls);
  expect(asked).toBeLessThan(1.5 * calls + 1);
});
