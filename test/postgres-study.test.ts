import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { postgresPlace } from "../src/files/postgres/address.js";
import { databaseAt } from "../src/files/postgres/database.js";
import { encodePng } from "../src/images/pixels-picture.js";
import { openStudy } from "../src/studies/home/open-study.js";
import { studyApp } from "../src/studies/server/study-app.js";
import { StudyService } from "../src/studies/server/study-service.js";
import { answerStudy } from "./support/answer-study.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { noPostgres, PostgresServer } from "./support/postgres-server.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));

describe.skipIf(noPostgres !== undefined)(`studies in PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.start();
    vi.stubEnv("PGPASSWORD", PostgresServer.password);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.stop();
  });

  /** A study named `first` in a new database, by the command line. */
  async function newStudy() {
    const workingDirectory = await temporaryDirectory();
    const rows = [];
    for (let at = 0; at < 3; at++) {
      const data = new Uint8Array(8 * 8 * 3).fill(40 * at);
      const name = `${at}.png`;
      await writeFile(join(workingDirectory, name), encodePng({ width: 8, height: 8, data }));
      rows.push(`i${at},${name},A dog ${at}`);
    }
    await writeFile(join(workingDirectory, "items.csv"), ["id,image,text", ...rows, ""].join("\n"));
    const blocks = [{ protocol: "rating", from: "items.csv" }];
    const config = { title: "Ratings", open: true, consent: "I agree.", blocks };
    await writeFile(join(workingDirectory, "study.yaml"), JSON.stringify(config));
    const store = await server.newDatabase({ password: false });
    const run = async (...words: string[]) => {
      const environment = fakeEnvironment({ workingDirectory });
      const code = await runCommandLine(words, environment);
      const { stdout, stderr } = environment.written;
      expect(stdout + stderr).not.toContain(PostgresServer.password);
      return { code, stdout, stderr: stderr.replace(/\s+/g, " ") };
    };
    expect(await run("study", "create", "study.yaml", "--run", "first", "--store", store)).toEqual(
      expect.objectContaining({ code: 0, stdout: expect.stringContaining(`--store ${store}`) }),
    );
    return { store, run, place: `${store}/first` };
  }

  test("verbs take it by its name or its address, a password in it is shown nowhere", async () => {
    const { store, run, place } = await newStudy();
    const service = await StudyService.open(await openStudy(place));
    await answerStudy(service, { id: "anna", answer: () => ({ value: 4 }) });
    const secret = store.replace("@", `:${PostgresServer.password}@`);
    for (const words of [["first", "--store", secret], [`${secret}/first`]]) {
      const status = await run("study", "status", ...words);
      expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining("by 1 person") });
    }
    const table = ["--table", "agreement", "--out", "agreement.csv"];
    expect((await run("study", "export", "first", "--store", store, ...table)).code).toBe(0);
    const invite = ["--public-url", "https://study.example.org"];
    expect((await run("study", "invite", "first", "--store", store, ...invite)).code).toBe(0);
    expect((await run("study", "close", "first", "--store", store)).code).toBe(0);
    await expect(service.join({ external: { source: "test", id: "ben" } })).rejects.toMatchObject({
      code: "closed",
    });
    const again = await run("study", "create", "study.yaml", "--run", "first", "--store", store);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is a study") });
    const none = await run("study", "status", "second", "--store", store);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("Expected a study") });
  });

  test("who is erased is in no page of the database, and others stay", async () => {
    const { store, run, place } = await newStudy();
    const service = await StudyService.open(await openStudy(place));
    const anna = await answerStudy(service, { id: "anna-outside", answer: () => ({ value: 4 }) });
    const ben = await answerStudy(service, { id: "ben-outside", answer: () => ({ value: 2 }) });
    const pages = () => server.pagesOf(store);
    expect(await pages()).toContain("ben-outside");
    const erased = await run(
      ...["study", "erase", "first", "--store", store, "--participant", ben.participant],
    );
    expect(erased).toMatchObject({ code: 0, stderr: expect.stringContaining("write-ahead log") });
    const after = await pages();
    expect(after).not.toContain(ben.participant);
    expect(after).not.toContain("ben-outside");
    expect(after).toContain(anna.participant);
    await expect(service.next(ben.session)).rejects.toMatchObject({ code: "withdrawn" });
  });

  test("a database that is away: 503 with Retry-After, nothing acknowledged is lost", async () => {
    const { place } = await newStudy();
    const service = await StudyService.open(await openStudy(place));
    const app = studyApp(service, { whoAsks: () => "here" });
    const { session } = await service.join({ external: { source: "test", id: "anna" } });
    await service.consent(session, { version: service.home.study.consent.version, agreed: true });
    const next = await service.next(session);
    const answer = () =>
      app.request("/api/answers", {
        method: "POST",
        headers: { Authorization: `Bearer ${session}`, "Content-Type": "application/json" },
        body: JSON.stringify({ assignment: next?.assignment, answer: { value: 3 } }),
      });
    await server.kill();
    const away = await answer();
    expect(away.status).toBe(503);
    expect(away.headers.get("Retry-After")).toBe("2");
    expect(await away.json()).toMatchObject({ error: { code: "away" } });
    await server.begin();
    expect((await answer()).status).toBe(200);
    expect((await service.next(session))?.progress).toEqual({ done: 1, total: 3 });
  });

  test("a server's role reads and writes answers, and can neither make nor drop a table", async () => {
    const { store, place } = await newStudy();
    const rights = await readFile(
      fileURLToPath(new URL("../deploy/study-role.sql", import.meta.url)),
      "utf8",
    );
    const address = store.replace("@", `:${PostgresServer.password}@`);
    const secret = PostgresServer.password;
    await server.ask(address, `create role study login password '${secret}'`);
    await server.ask(address, rights.replace(/^--.*$/gm, "").replaceAll(':"role"', "study"));
    const service = await StudyService.open(await openStudy(place.replace("tests@", "study@")));
    const { participant } = await answerStudy(service, { id: "a", answer: () => ({ value: 1 }) });
    expect(await service.erase(participant)).toEqual([participant]);
    expect((await service.home.reclaim()).join(" ")).toContain("study does not own them");
    const as = address.replace("tests:", "study:");
    await expect(server.ask(as, "drop table touchstone.logs")).rejects.toThrow("owner");
    await expect(server.ask(as, "create table touchstone.mine (a int)")).rejects.toThrow("denied");
  });

  test("a password of the address stands in nothing that is printed or kept", async () => {
    const { store, run } = await newStudy();
    const secret = store.replace("@", `:${PostgresServer.password}@`);
    const elsewhere = secret.replace(/:(\d+)\//, ":1/");
    // Whatever is printed, `run` compares with the password.
    for (const words of [
      ["study", "status", "none", "--store", secret],
      ["study", "status", "first", "--store", elsewhere, "--debug"],
      ["study", "create", "study.yaml", "--run", "second", "--store", secret],
      ["study", "stauts", "first", "--store", secret],
      ["run", "status", `${secret}/demo`],
      ["run", "verify", `${secret}/demo`, "--json"],
      ["demo", "--size", "small", "--store", secret],
    ]) {
      await run(...words);
    }
    for (const table of ["logs", "log_texts", "log_entries", "log_asides"]) {
      const rows = await server.ask(secret, `select * from touchstone.${table}`);
      expect(JSON.stringify(rows)).not.toContain(PostgresServer.password);
    }
  });

  test("an address says how TLS is used, and who is not trusted is sent nothing", async () => {
    const directory = await temporaryDirectory();
    const certificate = async (name: string) => {
      const [key, cert] = [join(directory, `${name}.key`), join(directory, `${name}.crt`)];
      const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
      const about = ["-subj", "/CN=tests", "-addext", "subjectAltName=IP:127.0.0.1"];
      await promisify(execFile)("openssl", [...words, ...about, "-keyout", key, "-out", cert]);
      return { key, cert };
    };
    const { store } = await newStudy();
    const trusting = (cert: string) => `${store}/first?sslmode=verify-full&sslrootcert=${cert}`;
    const other = await certificate("other");
    await expect(openStudy(trusting(other.cert))).rejects.toThrow("SSL");
    const own = await certificate("own");
    await server.useTls(own);
    await expect(openStudy(trusting(other.cert))).rejects.toThrow(/certificate/);
    expect((await openStudy(trusting(own.cert))).study.settings.title).toBe("Ratings");
    const database = databaseAt(postgresPlace(trusting(own.cert)).connection);
    const used = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    expect(await database.rows(used)).toEqual([{ ssl: true }]);
  });

  test("the list of processes shows no password", async () => {
    // A server that never answers: whoever waits for it can be looked at.
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("Expected a port");
    const store = `postgres://tests:${PostgresServer.password}@127.0.0.1:${address.port}/any`;
    const child = spawn(process.execPath, [bin, "study", "status", "a", "--store", store]);
    await once(silent, "connection");
    const line = await readFile(`/proc/${child.pid}/cmdline`, "utf8").catch(() => "touchstone");
    child.kill("SIGKILL");
    silent.close();
    expect(line).not.toContain(PostgresServer.password);
    expect(line).toContain("touchstone");
  });
});
