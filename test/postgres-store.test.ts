import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line/run-command-line.js";
import { keyOf } from "../src/core/keys.js";
import { openDocuments, openStore, placeIn, shownPlace } from "../src/files/open-store.js";
import { databaseAt } from "../src/files/postgres/database.js";
import { countingSeqs, linesAt, linesInOrder } from "../src/files/postgres/lines.js";
import { copyRun } from "../src/runs/copy-run.js";
import { exportRun } from "../src/runs/export-run.js";
import { runStatus } from "../src/runs/run-status.js";
import { countedRows } from "./support/counted-rows.js";
import { duckDbInstalled } from "./support/duckdb-installed.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { generatedRun } from "./support/generated-run.js";
import { noPostgres, PostgresServer } from "./support/postgres-server.js";
import { scoreRecord, timedOut } from "./support/score-record.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

const run = promisify(execFile);
const signal = new AbortController().signal;
const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
const secret = PostgresServer.password;
const create = { command: "touchstone demo", seed: 1, software: "1.0.0" };
const score = { name: "score", version: 1, produces: "score", parameters: {} };

const noAnswer = { ...timedOut, detail: "a\tb\\n\n" };

async function recordsIn(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(join(directory, "records"))).sort();
  const texts = names.map((name) => readFile(join(directory, "records", name), "utf8"));
  return Object.fromEntries((await Promise.all(texts)).map((text, at) => [names[at], text]));
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A new run with a finished step of one record. */
async function finishedRun(place: string) {
  const made = await openStore(place, { create });
  const work = await made.startWriting([score]);
  const step = await work.openStep("score");
  await step.plan([keyOf("a")]);
  await step.append([scoreRecord("a")]);
  await step.finish({ signal });
  await step.close();
  await work.close();
  return made;
}

describe.skipIf(noPostgres !== undefined)(`runs in PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  let database: string;
  beforeAll(async () => {
    server = await PostgresServer.start();
    database = await server.newDatabase();
  });
  afterAll(() => server?.stop());

  test("a run copied there and back has the same bytes, trace, images and truths; a copy goes on", async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, "run"));
    await generatedRun(join(directory, "run"), { images: 40, metrics: 2 });
    const from = await openStore(join(directory, "run"));
    const place = placeIn(database, "copies/one");
    const copy = () => openStore(place, { copyOf: from.recipe });

    const stopped = new AbortController();
    const first = await copyRun(from, await copy(), {
      signal: stopped.signal,
      onProgress: () => stopped.abort(),
    });
    expect(first).toMatchObject({ isWhole: false });
    const second = await copyRun(from, await copy(), { signal });
    expect(second).toMatchObject({ isWhole: true });
    expect(first.records).toBeGreaterThan(0);
    expect(second.records).toBeGreaterThan(0);
    expect(await copyRun(from, await copy(), { signal })).toEqual({
      records: 0,
      images: 0,
      isWhole: true,
    });
    const stored = await openStore(place);
    expect(await stored.check()).toEqual({ unsealed: [], recipeStands: true, problems: [] });

    const back = await openStore(join(directory, "back"), { copyOf: stored.recipe });
    await copyRun(stored, back, { signal });
    expect(await recordsIn(join(directory, "back"))).toEqual(
      await recordsIn(join(directory, "run")),
    );
    expect(back.recipe).toEqual(from.recipe);
    expect(await all(back.trace())).toEqual(await all(from.trace()));
    for (const one of await all(from.ofType("image"))) {
      if (one.status !== "done") continue;
      expect(await back.blobs.problemOf(one.image)).toBeUndefined();
      expect(await back.truth.read(one.key)).toEqual(await from.truth.read(one.key));
    }
  });

  test("a run that is under way is exported as it stands, each key once, and asked by SQL", async () => {
    const run = await openStore(placeIn(database, "asked"), { create });
    const work = await run.startWriting([score]);
    const step = await work.openStep("score");
    await step.plan(["a", "b", "c"].map((text) => keyOf(text)));
    await step.append([scoreRecord("a"), scoreRecord("b", noAnswer)]);
    await step.append([scoreRecord("b", { attempt: 2 })]);
    await step.close();
    await work.close();
    const directory = await temporaryDirectory();
    const { tables } = await exportRun(run, join(directory, "tables"), { signal });
    expect(tables).toMatchObject({ scores: { rows: 2 } });
    const file = join(directory, "tables/scores/step=score/part-00000.parquet");
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
    expect(rows.map(({ text, attempt, value }) => [text, attempt, value])).toEqual([
      ["a", 1n, 0.5],
      ["b", 2n, 0.5],
    ]);
    if (!duckDbInstalled()) return;
    const environment = fakeEnvironment({ workingDirectory: directory });
    const asked = [
      "query",
      placeIn(database, "asked"),
      "SELECT run, sum(value) AS s FROM scores GROUP BY 1",
    ];
    expect(await runCommandLine(asked, environment)).toBe(0);
    const { stdout, stderr } = environment.written;
    expect(stdout).toMatch(/asked +1\n/);
    expect(`${stdout}${stderr}`).not.toContain(secret);
    const named = fakeEnvironment({ workingDirectory: directory });
    const words = ["query", "asked", "SELECT count(*) AS n FROM records", "--store", database];
    expect(await runCommandLine(words, named)).toBe(0);
    expect(named.written.stdout).toMatch(/n\n-\n2\n\nNext: .* --out answer\.csv --store postgres:/);
    expect(`${named.written.stdout}${named.written.stderr}`).not.toContain(secret);
  });

  test("a copy of a run that is under way grows with it, and ends with its bytes", async () => {
    const directory = join(await temporaryDirectory(), "run");
    const run = await openStore(placeIn(database, "growing"), { create });
    const work = await run.startWriting([score]);
    const step = await work.openStep("score");
    const texts = Array.from({ length: 700 }, (_, at) => `text ${at}`);
    await step.plan(texts.map((text) => keyOf(text)));
    await step.append(texts.slice(0, 600).map((text) => scoreRecord(text, noAnswer)));
    const copied = async () => {
      const from = await openStore(run.place.replace("tests@", `tests:${secret}@`));
      return copyRun(from, await openStore(directory, { copyOf: from.recipe }), { signal });
    };
    expect(await copied()).toMatchObject({ records: 600 });
    await step.append(texts.map((text) => scoreRecord(text, { attempt: 2 })));
    await step.finish({ signal });
    await step.close();
    await work.close();
    await copied();
    const lines = texts.map((text) => `${JSON.stringify(scoreRecord(text))}\n`);
    expect(await recordsIn(directory)).toEqual({ "01-score.jsonl": lines.join("") });
    expect(await all(run.trace())).toContainEqual({
      kind: "tried",
      key: keyOf("text 0"),
      step: "score@1",
      attempts: 2,
    });
  });

  test("a server that is killed and comes back is waited for: nothing is lost, nothing stands twice", async () => {
    const run = await openStore(placeIn(database, "restarted"), { create });
    const work = await run.startWriting([score]);
    const step = await work.openStep("score");
    const texts = Array.from({ length: 60 }, (_, at) => `text ${at}`);
    await step.plan(texts.map((text) => keyOf(text)));
    expect(await step.claim(0)).toBe(true);
    const appends = texts.slice(0, 40).map((text) => step.append([scoreRecord(text)]));
    await appends[0];
    await server.kill();
    appends.push(...texts.slice(40).map((text) => step.append([scoreRecord(text)])));
    await server.begin();
    await Promise.all(appends);
    // Its lock ended with the server; it is taken anew.
    await expect.poll(() => run.workers()).toHaveLength(1);
    await step.finish({ signal });
    await step.close();
    await work.close();
    expect(await all(run.entriesOf("score"))).toHaveLength(texts.length);
    expect(await all(run.ofStep("score"))).toEqual(texts.map((text) => scoreRecord(text)));
  });

  test("who lost its connection asks nothing that another has claimed or kept meanwhile, nor the other", async () => {
    const run = await openStore(placeIn(database, "cut-off"), { create });
    const begin = async () => {
      const work = await run.startWriting([score]);
      const step = await work.openStep("score");
      await step.plan(["a", "b"].map((text) => keyOf(text)));
      return { work, step, mayAsk: (text: string) => step.mayAsk(0, keyOf(text)) };
    };
    const cutOff = await begin();
    const other = await begin();
    expect(await cutOff.step.claim(0)).toBe(true);
    expect(await cutOff.mayAsk("a")).toBe(true);
    const ended = `select pg_terminate_backend(l.pid) from pg_locks l join touchstone.claims c
      on l.locktype = 'advisory' and l.objid::int = c.worker and l.pid <> pg_backend_pid()`;
    // It takes its lock again at once; the other is sooner in one of several trials.
    await expect
      .poll(async () => {
        await server.ask(database, ended);
        return other.step.claim(0);
      })
      .toBe(true);
    await expect.poll(() => cutOff.mayAsk("a")).toBe(false);
    // It had "a" in hand all along.
    expect(await other.mayAsk("a")).toBe(true);
    await cutOff.step.append([scoreRecord("a")]);
    expect(await Promise.all(["a", "b"].map(other.mayAsk))).toEqual([false, true]);
    for (const { step, work } of [cutOff, other]) {
      await step.close();
      await work.close();
    }
  });

  test("status says of a worker that is silent for how long, and of one that is heard of nothing", async () => {
    const place = placeIn(database, "silent");
    const run = await openStore(place, { create });
    const work = await run.startWriting([score]);
    const [worker] = await run.workers();
    expect(worker?.silentFor).toBeLessThan(12);
    expect((await runStatus(run)).atWork).toMatchObject([{ silentFor: null }]);
    // Who may not see others' sessions is told of no silence; that they are at work holds.
    await server.ask(database, "create role onlooker login password 'tests-only-secret'");
    await server.ask(database, "grant usage on schema touchstone to onlooker");
    await server.ask(database, "grant select on all tables in schema touchstone to onlooker");
    const theirs = Object.assign(new URL(place), { username: "onlooker" }).href;
    expect(await (await openStore(theirs)).workers()).toMatchObject([{ silentFor: undefined }]);
    await work.close();
  });

  test("a run that is removed takes its records along", async () => {
    await finishedRun(placeIn(database, "removed"));
    const left =
      "select (select count(*)::int from touchstone.records r where not exists " +
      "(select from touchstone.steps where id = r.step)) as records, " +
      "(select count(*)::int from touchstone.places p where not exists " +
      "(select from touchstone.steps where id = p.step)) as places";
    await server.ask(database, "delete from touchstone.runs where name = 'removed'");
    expect(await server.ask(database, left)).toEqual([{ records: 0, places: 0 }]);
  });

  test("a step that is new to the planner's statistics is read in rows that grow with it", async () => {
    const address = await server.newDatabase();
    await finishedRun(placeIn(address, "planned"));
    const many = 5_000;
    const fill = (step: number, count: number) => [
      "insert into touchstone.records (step, seq, worker, key, attempt, retryable, line) " +
        `select ${step}, n, 1, gen_random_uuid(), 1, false, '{}' from generate_series(1, ${count}) n`,
      `insert into touchstone.places select ${step}, n - 1, n from generate_series(1, ${count}) n`,
    ];
    const known = [
      "alter table touchstone.records set (autovacuum_enabled = false)",
      "alter table touchstone.places set (autovacuum_enabled = false)",
      ...fill(100, 2 * many),
      "analyze touchstone.records, touchstone.places",
      ...fill(101, many),
    ];
    for (const statement of known) await server.ask(address, statement);
    const counted = countedRows(databaseAt(address));
    const step = 101;
    const seqs = await countingSeqs(counted, step);
    expect(seqs).toEqual(Array.from({ length: many }, (_, at) => at + 1));
    expect(counted.looked()).toBeLessThan(20 * many);
    expect((await all(linesInOrder(counted, step))).length).toBe(many);
    expect(counted.looked()).toBeLessThan(20 * many);
    expect((await all(linesAt(counted, { step, seqs }))).length).toBe(many);
    expect(counted.looked()).toBeLessThan(20 * many);
  });

  test("a worker's role reads and writes, and can neither drop a table nor make one", async () => {
    const rights = await readFile(
      fileURLToPath(new URL("../deploy/worker-role.sql", import.meta.url)),
      "utf8",
    );
    await server.ask(database, `create role worker login password '${secret}'`);
    await server.ask(database, rights.replace(/^--.*$/gm, "").replaceAll(':"role"', "worker"));
    const address = server.address(new URL(database).pathname.slice(1), { user: "worker" });
    const run = await finishedRun(placeIn(address, "by-worker"));
    expect(await run.stateOf("score")).toBe("finished");
    await expect(server.ask(address, "drop table touchstone.records")).rejects.toThrow("owner");
    await expect(server.ask(address, "create table touchstone.mine (a int)")).rejects.toThrow(
      "permission denied",
    );
  });

  test("card reads a run of it, and experiment a judge's answers, as those of a folder", async () => {
    const workingDirectory = await temporaryDirectory();
    const said = async (...words: string[]) => {
      const environment = fakeEnvironment({ workingDirectory });
      const code = await runCommandLine(words, environment);
      const { stdout, stderr } = environment.written;
      return { code, stdout: stdout.replaceAll(` --store ${shownPlace(database)}`, ""), stderr };
    };
    await mkdir(join(workingDirectory, "carded"));
    await generatedRun(join(workingDirectory, "carded"), { images: 40, metrics: 2 });
    const from = await openStore(join(workingDirectory, "carded"));
    const to = await openStore(placeIn(database, "carded"), { copyOf: from.recipe });
    await copyRun(from, to, { signal });
    const answers = Array.from({ length: 60 }, (_, id) => {
      const label = id % 2;
      const probabilities = [0.9, 0.8, 0.7, 0.6, id % 3 === 0 ? 0.1 : 0.9];
      return JSON.stringify({
        id,
        label,
        probabilities: probabilities.map((p) => (label === 1 ? p : 1 - p)),
        embedding: [id % 5, id % 7, 1],
        prompt: `caption ${id >> 1}`,
      });
    });
    for (const place of [join(workingDirectory, "judged"), placeIn(database, "judged")]) {
      await openDocuments(place).write("answers.jsonl", answers.join("\n"));
    }
    for (const words of [
      ["card", "carded", "--resamples", "100"],
      ["experiment", "grouping", "--from", "judged"],
    ]) {
      const stored = await said(...words, "--store", database);
      expect(stored).toMatchObject({ code: 0, stderr: "" });
      expect(stored).toEqual(await said(...words));
    }
    const misplaced = ["card", "--metric", "vqa-score", "--run", "kept", "--store", database];
    expect(await said(...misplaced)).toMatchObject({ code: 2 });
  });

  test("a password of the address stands in nothing that is printed or kept", async () => {
    const elsewhere = database.replace(/:(\d+)\//, ":1/");
    const lines = [
      ["run", "status", "none", "--store", database],
      ["run", "status", "none", "--store", elsewhere, "--debug"],
      ["run", "verify", placeIn(database, "none"), "--json"],
      ["run", "copy", placeIn(database, "none"), "somewhere"],
      ["demo", "--sise", "small", "--store", database],
      ["build", "--prompts", "4", "--store", database, "--run", "kept"],
      ["build", "--prompts", "4", "--run", placeIn(database, "kept-by-address")],
      ["run", "status", "kept", "--store", database],
    ];
    const workingDirectory = await temporaryDirectory();
    for (const words of lines) {
      const environment = fakeEnvironment({ workingDirectory });
      await runCommandLine(words, environment);
      const { stdout, stderr } = environment.written;
      expect(`${stdout}${stderr}`).not.toContain(secret);
      expect(`${stdout}${stderr}`).not.toBe("");
    }
    for (const table of ["runs", "workers", "traces", "records", "documents"]) {
      const rows = await server.ask(database, `select * from touchstone.${table}`);
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    const { recipe } = await openStore(placeIn(database, "kept-by-address"));
    expect(recipe.commands).toEqual([expect.stringContaining("build --run kept-by-address")]);
  });

  test("an address says how TLS is used, and who is not trusted is sent nothing", async () => {
    const directory = await temporaryDirectory();
    const certificate = async (name: string) => {
      const [key, cert] = [join(directory, `${name}.key`), join(directory, `${name}.crt`)];
      const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
      const about = ["-subj", "/CN=tests", "-addext", "subjectAltName=IP:127.0.0.1"];
      await run("openssl", [...words, ...about, "-keyout", key, "-out", cert]);
      return { key, cert };
    };
    const other = await certificate("other");
    const place = (query: string) => `${placeIn(database, "by-tls")}?${query}`;
    const trusting = (cert: string) => place(`sslmode=verify-full&sslrootcert=${cert}`);
    await expect(openStore(trusting(other.cert), { create })).rejects.toThrow("SSL");
    const own = await certificate("own");
    await server.useTls(own);
    await expect(openStore(trusting(other.cert), { create })).rejects.toThrow(
      /Could not use the store .*certificate/,
    );
    const stored = await openStore(trusting(own.cert), { create });
    const work = await stored.startWriting([score]);
    const [used] = await server.ask(
      database,
      `select bool_and(ssl) as ssl, count(*) > 0 as many from pg_stat_ssl
       join pg_stat_activity using (pid) where application_name = 'touchstone' and ssl`,
    );
    await work.close();
    expect(used).toEqual({ ssl: true, many: true });
  });

  test("nor in the list of processes", async () => {
    // A server that never answers: whoever waits for it can be looked at.
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("Expected a port");
    const store = `postgres://tests:${secret}@127.0.0.1:${address.port}/any`;
    const child = spawn(process.execPath, [bin, "run", "status", "a", "--store", store]);
    await once(silent, "connection");
    const line = await readFile(`/proc/${child.pid}/cmdline`, "utf8").catch(() => "touchstone");
    child.kill("SIGKILL");
    silent.close();
    expect(line).not.toContain(secret);
    expect(line).toContain("touchstone");
  });
});
