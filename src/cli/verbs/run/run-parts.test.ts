import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { madeImageUrl } from "../../../../test/support/generator-behind.js";
import { misbehavingS3 } from "../../../../test/support/misbehaving-s3.js";
import { misbehavingServer } from "../../../../test/support/misbehaving-server.js";
import { colouredImage } from "../../../../test/support/scripted-openai.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";

let directory = "";
beforeEach(async () => {
  directory = await temporaryDirectory();
});

async function touchstone(...words: string[]) {
  const environment = fakeEnvironment({ workingDirectory: directory });
  const code = await runCommandLine(words, environment);
  const { stdout, stderr } = environment.written;
  return { code, stdout, stderr };
}

/** What a verb prints under --json, with its exit code. */
async function asked(...words: string[]) {
  const { code, stdout, stderr } = await touchstone(...words, "--json");
  return { code, stderr, found: stdout === "" ? undefined : JSON.parse(stdout) };
}

const build = "build --run RUN --prompts 1 --domain animals --drawable-by lab:painter";
const generate = "generate --run RUN --model lab:painter --samples 1";
const into = (run: string, line: string) => line.replace("RUN", run).split(" ");

async function records(run: string): Promise<Record<string, string>> {
  const folder = join(directory, run, "records");
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
}

test("a run that is planned, performed in parts and finished has the bytes of one that was collected", async () => {
  for (const line of [build, generate]) await touchstone(...into("whole", line));
  const planned = await asked(...into("run", build), "--plan");
  expect(planned).toMatchObject({
    code: 0,
    found: { run: join(directory, "run"), steps: ["build-prompts"] },
  });
  await expect(readdir(join(directory, "run", "records"))).rejects.toThrow("ENOENT");
  // Building asks nobody.
  const built = await asked("run", "plan", "run", "--exchange", "shared");
  expect(built).toMatchObject({ code: 0, found: { steps: [], tasks: 0, parts: [], done: true } });
  await touchstone(...into("run", generate), "--plan");
  const { found } = await asked("run", "plan", "run", "--exchange", "shared", "--part-size", "3");
  expect(found).toMatchObject({ steps: ["paint-images"], tasks: 4, done: false });
  expect(found.parts).toEqual(
    [0, 1].map((at) => join(directory, "shared", "tasks", "paint-images", `0000${at}.parquet`)),
  );
  const [first, second] = found.parts;
  // A performer needs the exchange, not the run.
  await cp(join(directory, "run"), join(directory, "moved"), { recursive: true });
  await rm(join(directory, "run"), { recursive: true });
  expect(await asked("run", "perform", first)).toMatchObject({
    code: 0,
    found: { parts: [{ part: first, records: 3, unscored: 0 }] },
  });
  const finish = ["run", "finish", "moved", "--exchange", "shared"];
  expect(await asked(...finish)).toMatchObject({
    code: 3,
    found: { steps: [], records: 0, missing: [second] },
  });
  await asked("run", "perform", first, second, "--performers", "2");
  expect(await asked(...finish)).toMatchObject({
    code: 0,
    found: { steps: ["paint-images"], records: 4, missing: [] },
  });
  expect(await records("moved")).toEqual(await records("whole"));
  expect(await touchstone("run", "verify", "moved")).toMatchObject({ code: 0 });
  expect((await asked("run", "plan", "moved", "--exchange", "shared")).found.done).toBe(true);
  expect((await asked(...finish)).found).toEqual({ steps: [], records: 0, missing: [] });
});

test("tasks and results go over an exchange on S3", async () => {
  const { objects } = await misbehavingS3();
  await touchstone(...into("run", build));
  await touchstone(...into("run", generate), "--plan");
  const { found } = await asked("run", "plan", "run", "--exchange", "s3://shared/first");
  const [part] = found.parts;
  expect(part).toBe("s3://shared/first/tasks/paint-images/00000.parquet");
  expect((await asked("run", "perform", part)).code).toBe(0);
  const finished = await asked("run", "finish", "run", "--exchange", "s3://shared/first");
  expect(finished.found).toMatchObject({ steps: ["paint-images"], records: 4 });
  expect([...objects.keys()]).toContain("/shared/first/results/paint-images/00000.parquet");
});

test("each performer takes its share of limits, and nothing dearer than what is left is asked", async () => {
  const server = await misbehavingServer({
    behave: () => ({ kind: "reply", json: { data: [{ b64_json: madeImageUrl.split(",")[1] }] } }),
  });
  const configuration = [
    "models:",
    "  mine:",
    "    provider: openai-images",
    "    model: painter",
    `    baseUrl: ${server.baseUrl}`,
    "    concurrency: 1",
    "    pricePerImage: 0.5",
  ];
  await writeFile(join(directory, "touchstone.config.yaml"), configuration.join("\n"));
  await touchstone(...into("run", build));
  await touchstone(..."generate --run run --model mine --samples 1 --plan".split(" "));
  const { parts } = (await asked("run", "plan", "run")).found;
  expect(await asked("run", "perform", ...parts, "--max-cost", "0.4")).toMatchObject({
    code: 3,
    found: { parts: [], spent: { calls: 0, cost: 0 }, over: "$0.4" },
  });
  expect(server.received).toEqual([]);
  const limited = ["run", "perform", ...parts, "--max-cost", "4.8", "--performers", "8"];
  expect(await asked(...limited)).toMatchObject({
    code: 3,
    found: { parts: [], spent: { calls: 1, cost: 0.5 }, over: "$0.6" },
  });
  expect(server.received).toHaveLength(1);
  const few = ["run", "perform", ...parts, "--max-calls", "3", "--performers", "8"];
  expect(await asked(...few)).toMatchObject({ code: 2 });
});

test("--plan is refused where the run would be gone with the command", async () => {
  await writeFile(join(directory, "a.png"), colouredImage("scene", 0, 8));
  const line = "score --image a.png --metric vqa-score --model lab:vqa --plan --text";
  const { code, stderr } = await touchstone(...line.split(" "), "a cat");
  expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
    code: 2,
    stderr: expect.stringContaining("Expected --run DIR with --plan"),
  });
});

test("what is no part, and a part of another run, are refused by name", async () => {
  await writeFile(join(directory, "part.parquet"), "");
  expect(await asked("run", "perform", "part.parquet")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("part.parquet"),
  });
  for (const [run, seed] of [
    ["one", "1"],
    ["other", "2"],
  ] as const) {
    await touchstone(...into(run, build), "--seed", seed);
    await touchstone(...into(run, generate), "--plan");
    await asked("run", "plan", run);
  }
  const part = join("exchange", "tasks", "paint-images", "00000.parquet");
  await cp(join(directory, "other", part), join(directory, "one", part));
  expect(await asked("run", "perform", join(directory, "one", part))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(part),
  });
});
