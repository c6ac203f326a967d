import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WorkerCounts } from "../src/cli/verbs/worker/worker-counts.js";
import { workerPages } from "../src/cli/verbs/worker/worker-pages.js";
import { openStore, placeIn, sharedLine } from "../src/files/open-store.js";
import { copyRun } from "../src/runs/copy-run.js";
import { generatedRun } from "./support/generated-run.js";
import { noPostgres, PostgresServer } from "./support/postgres-server.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
const build = ["build", "--benchmark", "attribute-confusion", "--prompts", "40", "--run", "built"];

async function touchstone(words: readonly string[], workingDirectory: string) {
  return touchstoneHere(words, { workingDirectory });
}

describe.skipIf(noPostgres !== undefined)(`workers ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  test("collect what a run lacks, all of them together, and end when nothing is left", async () => {
    const directory = await temporaryDirectory();
    const store = await server.newDatabase();
    const begun = await touchstone([...build, "--store", store, "--max-calls", "3"], directory);
    expect(begun.code).toBe(3);
    expect(begun.stderr).toContain(
      "touchstone run resume built --store postgres://tests@127.0.0.1",
    );
    const worker = ["worker", "--store", store, "--until-idle", "--concurrency", "2", "--json"];
    const workers = await Promise.all([1, 2, 3].map(() => touchstone(worker, directory)));
    expect(workers.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      workers.map(() => ({ code: 0, stderr: "" })),
    );
    const collected = workers.map(({ stdout }): number => JSON.parse(stdout).records);
    expect(collected.reduce((sum, records) => sum + records, 3)).toBe(40);

    await touchstone(build, directory);
    await touchstone(["run", "copy", placeIn(store, "built"), "copy"], directory);
    for (const name of await readdir(join(directory, "built", "records"))) {
      const text = (run: string) => readFile(join(directory, run, "records", name), "utf8");
      expect(await text("copy")).toBe(await text("built"));
    }
    const idle = await touchstone(worker, directory);
    expect(JSON.parse(idle.stdout)).toMatchObject({ records: 0, runs: 1 });
    expect((await openStore(placeIn(store, "built"))).recipe.commands).toHaveLength(1);
  });

  test("take only runs that ask the models they were told of, and say which they can't", async () => {
    const directory = await temporaryDirectory();
    const store = await server.newDatabase();
    const run = await openStore(placeIn(store, "other"), {
      create: { command: "my own program", seed: 1, software: "1", models: ["a:judge@1"] },
    });
    await (await run.startWriting([])).close();
    const worker = ["worker", "--store", store, "--until-idle", "--models"];
    const none = await touchstone([...worker, "b:judge"], directory);
    expect(none.stderr).not.toContain("other");
    const some = await touchstone([...worker, "b:judge,a:judge"], directory);
    expect(some.stderr).toContain("other: Expected a command of");
    expect(some.code).toBe(0);
    expect((await touchstone(["worker"], directory)).stderr).toContain("Expected --store");
  });

  test("told to end, a worker finishes the calls in hand, keeps their answers and leaves no claim", async () => {
    const workingDirectory = await temporaryDirectory();
    const store = await server.newDatabase();
    await writeFile(
      join(workingDirectory, "slow.mjs"),
      `import { appendFileSync } from "node:fs";
      export default { name: "slow", range: [0, 1], direction: "higher",
        async score() {
          appendFileSync(${JSON.stringify(join(workingDirectory, "asked.txt"))}, "x");
          await new Promise((resolve) => setTimeout(resolve, 500));
          return { value: 0.5 };
        } };`,
    );
    await mkdir(join(workingDirectory, "from"));
    await generatedRun(join(workingDirectory, "from"), { images: 40, metrics: 1 });
    const from = await openStore(join(workingDirectory, "from"));
    const to = await openStore(placeIn(store, "run"), { copyOf: { ...from.recipe, commands: [] } });
    await copyRun(from, to, { signal: new AbortController().signal });
    const score = ["score", "run", "--metric", "./slow.mjs", "--store", store, "--max-calls", "1"];
    expect(await touchstone(score, workingDirectory)).toMatchObject({ code: 3 });
    const asked = () => readFile(join(workingDirectory, "asked.txt"), "utf8");
    const child = spawn(
      process.execPath,
      [bin, "worker", "--store", store, "--concurrency", "4", "--json"],
      { cwd: workingDirectory, stdio: ["ignore", "pipe", "ignore"] },
    );
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
    });
    await expect.poll(async () => (await asked()).length).toBeGreaterThan(3);
    child.kill("SIGTERM");
    // Interrupted, as any command says that was told to end.
    expect(await once(child, "close")).toEqual([130, null]);
    const { records } = JSON.parse(said);
    expect(records).toBe((await asked()).length - 1);
    expect(records).toBeLessThan(30);
    expect(await server.ask(store, "select from touchstone.claims")).toEqual([]);
    expect(await to.workers()).toEqual([]);
  });

  test("keep a provider's limit together, and lose their places with their connections", async () => {
    const store = await server.newDatabase();
    const [most, calls] = [3, 12];
    // Each has a connection of its own, as two processes have.
    const lines = [1, 2].map((at) =>
      sharedLine(`${store}?fallback_application_name=${at}`, {
        name: "http://judge/v1",
        limits: { concurrency: most },
      }),
    );
    let [running, highest, made] = [0, 0, 0];
    let open = () => {};
    const asManyAsMay = new Promise<void>((resolve) => {
      open = resolve;
    });
    const call = async (at: number) => {
      const leave = await lines[at % 2]?.enter(1);
      highest = Math.max(highest, ++running);
      if (running === most) open();
      await asManyAsMay;
      for (let turns = 0; turns < 20; turns++) await turn();
      running--;
      made++;
      leave?.();
    };
    await Promise.all(Array.from({ length: calls }, (_, at) => call(at)));
    expect({ made, highest }).toEqual({ made: calls, highest: most });

    for (let at = 0; at < most; at++) await lines[0]?.enter(1);
    const waiting = lines[1]?.enter(1);
    await server.ask(
      store,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and pid in (select pid from pg_locks where locktype = 'advisory')`,
    );
    await expect(waiting).resolves.toBeTypeOf("function");
  });
});

test("a worker's pages tell whether the store answers, and count for Prometheus", async () => {
  const counts = new WorkerCounts(() => new Date(5000));
  let isThere = true;
  const pages = workerPages({ counts, isReachable: async () => isThere });
  const get = (path: string) => pages(new Request(`http://worker${path}`));
  counts.take({ kind: "step-finished", step: "score" });
  expect((await get("/healthz")).status).toBe(200);
  isThere = false;
  expect((await get("/healthz")).status).toBe(503);
  const text = await (await get("/metrics")).text();
  expect(text).toContain("# TYPE touchstone_records_total counter\ntouchstone_records_total 0\n");
  expect(text).toContain("\ntouchstone_steps_finished_total 1\n");
  expect(text).toContain("\ntouchstone_worker_start_time_seconds 5\n");
  expect((await get("/")).status).toBe(404);
});
