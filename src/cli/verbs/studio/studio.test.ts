import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { generatedRun } from "../../../../test/support/generated-run.js";
import { reviewQueue } from "../../../../test/support/review-queue.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstone } from "../../../../test/support/touchstone.js";
import type { StartedJob, Starts } from "../../../studio/jobs/job-api.js";
import { Jobs } from "../../../studio/jobs/jobs.js";

const bin = fileURLToPath(new URL("../../../../bin/touchstone", import.meta.url));

async function started(words: readonly string[], { file = "" } = {}) {
  const root = await temporaryDirectory();
  await generatedRun(join(root, "generated"), { images: 4 });
  await reviewQueue(root, { items: 2, side: 8 });
  const all = [bin, "studio", join(root, file), "--port", "0", "--no-open", "--json", ...words];
  const child = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [printed] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const said = JSON.parse(printed);
  expect(printed).toBe(`${JSON.stringify(said)}\n`);
  return { child, root, url: new URL(said.url), token: String(said.token) };
}

test("prints its address as one line, serves runs, and ends when told to, watched or not", async () => {
  const { child, url } = await started([]);
  expect(url.hostname).toBe("127.0.0.1");
  const answer = await fetch(new URL("/api/runs", url));
  expect(await answer.json()).toMatchObject({ runs: [{ id: "generated", state: "finished" }] });
  const watching = await fetch(new URL("/api/runs/generated/events", url));
  await watching.body?.getReader().read();
  child.kill("SIGTERM");
  await once(child, "close");
});

test("what is started there is a process of the verb, which outlives the studio, and another finds it", async () => {
  const { child, root, url, token } = await started([]);
  await writeFile(join(root, "scores.csv"), "model,prompt,score\na,1,0.5\nb,1,0.7\n");
  const headers = {
    authorization: `Bearer ${token}`,
    "x-touchstone": "studio",
    "content-type": "application/json",
  };
  const filled = { file: ["scores.csv"], out: "page.html" };
  const body = JSON.stringify({ verb: "analyze", filled });
  const answer = await fetch(new URL("/api/jobs", url), { method: "POST", headers, body });
  const { id } = (await answer.json()) as StartedJob;
  child.kill("SIGKILL");
  const starts: Starts = {
    token,
    program: [process.execPath, bin],
    environment: {},
    forms: async () => [],
    named: async () => ({ models: [], metrics: [] }),
    wordsOf: async () => [],
  };
  const found = new Jobs({ root, starts });
  const job = await jobEnd(found, id);
  expect(job).toMatchObject({ state: "done", code: 0, command: expect.stringContaining("--out") });
  expect(job.verdict).toBe(JSON.parse(await analysed(root)).verdict);
  expect(await found.pageOf(id)).toBe(join(root, "page.html"));
});

async function analysed(workingDirectory: string): Promise<string> {
  return (await touchstone(["analyze", "scores.csv", "--json"], { workingDirectory })).stdout;
}

/** A job once it has ended. */
const jobEnd = (jobs: Jobs, id: string) =>
  vi.waitUntil(
    async () => {
      const job = await jobs.detail(id);
      return !["starting", "running"].includes(job.state) && job;
    },
    { timeout: 60_000, interval: 50 },
  );

test("a wider address answers only with the token of its link", async () => {
  const { url } = await started(["--host", "0.0.0.0"]);
  const token = url.searchParams.get("token") ?? "";
  expect(token.length).toBeGreaterThanOrEqual(22);
  const asked = new URL(`http://127.0.0.1:${url.port}/api/runs`);
  expect((await fetch(asked)).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(asked, { headers })).status).toBe(200);
});

test("a review queue is opened at its page, and a file that has none is refused", async () => {
  const { url } = await started([], { file: "review.jsonl" });
  expect(url.pathname).toBe("/reviews/review.jsonl");
  const answer = await fetch(new URL("/api/reviews/review.jsonl", url));
  expect(await answer.json()).toMatchObject({ task: "pair", counts: { items: 2, answered: 0 } });
  const workingDirectory = await temporaryDirectory();
  await writeFile(join(workingDirectory, "notes.jsonl"), "{}\n");
  const other = await touchstone(["studio", "notes.jsonl"], { workingDirectory });
  expect(other.code).toBe(2);
  expect(other.stderr).toMatch(/but\s+received\s+notes\.jsonl/);
});

test("a folder that is not there, or a token that could be guessed, is refused", async () => {
  const workingDirectory = await temporaryDirectory();
  const missing = await touchstone(["studio", "nowhere"], { workingDirectory });
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("Expected a folder with runs but received nowhere");
  const variables = { TOUCHSTONE_STUDIO_TOKEN: "short" };
  const guessed = await touchstone(["studio", "."], { workingDirectory, variables });
  expect(guessed.code).toBe(2);
  expect(guessed.stderr).not.toContain("short");
});

test("a database, where version 0.2 kept runs, is told of without its password", async () => {
  const address = "postgres://me:very-secret@127.0.0.1:1/runs";
  for (const words of [["--store", address], [`${address}/demo`]]) {
    const ended = await touchstone(["studio", ...words, "--no-open"], {
      workingDirectory: await temporaryDirectory(),
    });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("run copy");
    expect(ended.stderr).not.toContain("very-secret");
  }
});
