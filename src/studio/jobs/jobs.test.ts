import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { generatedRun } from "../../../test/support/generated-run.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { startWords } from "../../cli/verbs/studio/start-forms.js";
import { isAlive } from "../../files/job-life.js";
import { studio } from "../studio.js";
import type { Job, JobDetail, StartedJob, Starts } from "./job-api.js";
import { refuseOutside } from "./job-files.js";

const token = "0123456789abcdef-token";

/** Stands in for a verb: says who it is, writes its words, and ends by its file `end`, by SIGINT, or never. */
const program = `
import { readFileSync, watch, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
const folder = process.env.TOUCHSTONE_JOB;
const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
write("process.json", { process: process.pid });
const end = (code, verdict) => {
  process.stdout.write(JSON.stringify({ verdict, words: process.argv.slice(2) }));
  write("exit.json", { code, ended: new Date().toISOString() });
  process.exit(code);
};
process.on("SIGINT", () => end(130, "stopped"));
console.error("at work");
const fails = () => {
  console.error(JSON.stringify({ error: { code: "input", message: "Expected a study", hint: "Copy the whole." } }));
  end(2);
};
if (existsSync("fails")) fails();
const look = () => existsSync("end") && end(Number(readFileSync("end", "utf8")), "B is better.");
watch(".", look);
look();
setInterval(look, 50);
`;

async function folder() {
  const root = await temporaryDirectory();
  await writeFile(join(root, "program.mjs"), program);
  await writeFile(join(root, "scores.csv"), "model,prompt,score\na,1,0.5\nb,1,0.7\n");
  const starts: Starts = {
    token,
    program: [process.execPath, join(root, "program.mjs")],
    environment: process.env,
    forms: async () => [],
    named: async () => ({ models: ["mine"], metrics: ["clip-score"] }),
    wordsOf: startWords,
  };
  return { root, starts };
}

/** Long: other tests may have the machine to themselves for a while. */
const patience = { timeout: 60_000, interval: 20 };

const headers = {
  "content-type": "application/json",
  "x-touchstone": "studio",
  authorization: `Bearer ${token}`,
};

/** A studio on the folder, asked in process. */
function opened({ root, starts }: Awaited<ReturnType<typeof folder>>) {
  const faults: unknown[] = [];
  const app = studio({ root, starts, onFault: (error) => faults.push(error) });
  const send = async (path: string, options: RequestInit = {}, host = "http://127.0.0.1:8000") => {
    const answer = await app.fetch(new Request(`${host}${path}`, options));
    const text = await answer.text();
    expect(faults).toEqual([]);
    return { status: answer.status, text, answer };
  };
  const post = async <Answer>(path: string, body: unknown = {}, more: RequestInit = {}) => {
    const options = { method: "POST", headers, body: JSON.stringify(body), ...more };
    const { status, text } = await send(path, options);
    return { status, body: JSON.parse(text) as Answer & { error: { code: string } } };
  };
  const job = async (id: string) => JSON.parse((await send(`/api/jobs/${id}`)).text) as JobDetail;
  /** Looks at a job until it stands so. */
  const until = (id: string, state: Job["state"]) =>
    vi.waitUntil(async () => {
      const found = await job(id);
      return found.state === state && found;
    }, patience);
  const start = async (filled: object = { file: ["scores.csv"] }, verb = "analyze") => {
    const { status, body } = await post<StartedJob>("/api/jobs", { verb, filled });
    expect(status).toBe(200);
    onTestFinished(() => void killJob(root, body.id));
    return body;
  };
  return { send, post, job, until, start };
}

async function killJob(root: string, id: string): Promise<void> {
  const path = join(root, ".touchstone", "jobs", id, "process.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const { process: number } = JSON.parse(text);
  if (!(await isAlive({ process: number }))) return;
  try {
    process.kill(number, "SIGKILL");
  } catch {
    // It ended by itself since it was looked for.
  }
}

const jobsIn = async (root: string) =>
  (await readdir(join(root, ".touchstone", "jobs"))).filter((name) => !name.startsWith("."));

test("a job is a process of the verb, watched by its files, and opens at its verdict", async () => {
  const here = await folder();
  const { start, until } = opened(here);
  const { id } = await start();
  const running = await until(id, "running");
  expect(running).toMatchObject({ command: "touchstone analyze scores.csv", verb: "analyze" });
  await writeFile(join(here.root, "end"), "0");
  const done = await until(id, "done");
  expect(done).toMatchObject({ verdict: "B is better.", code: 0, log: "at work\n" });
});

test("a job that failed says why, and how to mend it", async () => {
  const here = await folder();
  await writeFile(join(here.root, "fails"), "");
  const { start, until } = opened(here);
  const { id } = await start();
  const failed = await until(id, "failed");
  expect(failed.problem).toEqual({ message: "Expected a study", hint: "Copy the whole." });
});

test("two people at once, in two studios, start one command line once", async () => {
  const here = await folder();
  const [one, other] = [opened(here), opened(here)];
  const started = await Promise.all([one.start(), other.start(), one.start()]);
  expect(new Set(started.map(({ id }) => id)).size).toBe(1);
  expect(started.filter(({ isNew }) => isNew)).toHaveLength(1);
  const id = started[0]?.id ?? "";
  await one.until(id, "running");
  expect(await other.start()).toEqual({ id, isNew: false });
  expect(await jobsIn(here.root)).toEqual([id]);
  // Once it has ended, it may be started again.
  await writeFile(join(here.root, "end"), "3");
  await other.until(id, "incomplete");
  const again = await one.post<StartedJob>(`/api/jobs/${id}/resume`);
  expect(again.body).toMatchObject({ isNew: true });
  expect(again.body.id).not.toBe(id);
  await one.until(again.body.id, "incomplete");
});

test("another studio on the folder finds jobs at work and jobs that were killed, and stops and resumes them", async () => {
  const here = await folder();
  const first = opened(here);
  const [{ id }, killed] = [
    await first.start(),
    await first.start({ file: ["scores.csv"], unscored: "NA" }),
  ];
  await first.until(id, "running");
  await first.until(killed.id, "running");
  await killJob(here.root, killed.id);
  const second = opened(here);
  await second.until(killed.id, "gone");
  expect(await second.job(id)).toMatchObject({ state: "running" });
  // As after a closed lid: who started it is gone, and so is the job.
  const path = join(here.root, ".touchstone", "jobs", killed.id);
  await rm(join(path, "process.json"));
  await rm(join(path, "exit.json"), { force: true });
  const file = JSON.parse(await readFile(join(path, "job.json"), "utf8"));
  const gone = { ...file, starter: { process: process.pid, began: "another time" } };
  await writeFile(join(path, "job.json"), JSON.stringify(gone));
  expect(await second.job(killed.id)).toMatchObject({ state: "gone" });
  const { body } = await second.post<StartedJob>(`/api/jobs/${killed.id}/resume`);
  expect(body.isNew).toBe(true);
  await second.until(body.id, "running");
  for (const each of [id, body.id]) {
    expect((await second.post(`/api/jobs/${each}/stop`)).status).toBe(200);
    expect(await second.until(each, "stopped")).toMatchObject({ code: 130 });
  }
  expect((await second.post(`/api/jobs/${id}/stop`)).status).toBe(200);
});

test("a job leads to the page that it wrote, not to one written before or since", async () => {
  const here = await folder();
  const { start, until } = opened(here);
  const { id } = await start({ file: ["scores.csv"], out: "analysis.html" });
  await until(id, "running");
  const page = join(here.root, "analysis.html");
  await writeFile(page, "<!doctype html>");
  await writeFile(join(here.root, "end"), "0");
  const { started, ended = "" } = await until(id, "done");
  const writtenAt = async (time: number) => {
    await utimes(page, time / 1000, time / 1000);
    return (await until(id, "done")).page;
  };
  expect(await writtenAt(Date.parse(ended))).toBe(`/api/jobs/${id}/page`);
  expect(await writtenAt(Date.parse(started) - 1000)).toBeUndefined();
  expect(await writtenAt(Date.parse(ended) + 1000)).toBeUndefined();
});

test("a job of another machine, of before a restart, or with no process hinders no start", async () => {
  const here = await folder();
  const { until, job, post } = opened(here);
  // They end by themselves; none may be killed by the number that is written below.
  await writeFile(join(here.root, "end"), "0");
  const asked = { verb: "analyze", filled: { file: ["scores.csv"] } };
  const { id } = (await post<StartedJob>("/api/jobs", asked)).body;
  await until(id, "done");
  const jobs = join(here.root, ".touchstone", "jobs");
  const file = JSON.parse(await readFile(join(jobs, id, "job.json"), "utf8"));
  const later = id.replace(/\d+$/, "7");
  await mkdir(join(jobs, later));
  const become = async (changed: object, number: number) => {
    const job = JSON.stringify({ ...file, ...changed });
    await writeFile(join(jobs, later, "job.json"), job);
    await writeFile(join(jobs, later, "process.json"), JSON.stringify({ process: number }));
  };
  await become({ started: "2001-01-01T00:00:00.000Z" }, process.pid);
  expect((await job(later)).state).toBe("gone");
  // No number of a process: a signal to it would reach every process of this user.
  await become({}, -1);
  expect((await job(later)).state).toBe("starting");
  await become({ host: "elsewhere" }, process.pid);
  expect((await job(later)).state).toBe("running");
  // A process elsewhere touches its file each minute.
  const silent = Date.now() / 1000 - 600;
  await utimes(join(jobs, later, "process.json"), silent, silent);
  expect((await job(later)).state).toBe("gone");
  const { body } = await post<StartedJob>("/api/jobs", asked);
  expect(body).toEqual({ id: id.replace(/\d+$/, "8"), isNew: true });
  await until(body.id, "done");
});

test("values stay values: no flag, no second command, no shell", async () => {
  const here = await folder();
  const { start, until, post } = opened(here);
  await writeFile(join(here.root, "end"), "0");
  await writeFile(join(here.root, "--json"), "");
  const hostile = ["--allow-outside", "$(touch owned)", "; touch owned", "`touch owned`", "a\nb"];
  const { id } = await start({ file: hostile, unscored: "--out=owned" });
  const { command } = await until(id, "done");
  const result = await readFile(join(here.root, ".touchstone", "jobs", id, "result.json"), "utf8");
  // All of them behind --, and the value of a flag in one word with it.
  expect(JSON.parse(result).words).toEqual([
    ...["analyze", "--unscored=--out=owned", "--", ...hostile],
    "--json",
  ]);
  expect(command).toContain("'$(touch owned)'");
  expect(await readdir(here.root)).not.toContain("owned");
  for (const body of [
    { verb: "studio", filled: {} },
    { verb: "run clean", filled: {} },
    { verb: "analyze --open", filled: { file: ["scores.csv"] } },
    { verb: "analyze", filled: { file: ["scores.csv"], "allow-outside": true } },
    { verb: "analyze", filled: { file: ["scores.csv"], open: true } },
    {
      verb: "analyze",
      filled: { file: ["scores.csv"], __proto__: { seed: "1" }, constructor: "1" },
    },
    { verb: "compare", filled: { images: ["A=a", "B=b"], seed: "1; touch owned" } },
    { verb: "analyze", filled: { file: [] } },
  ]) {
    expect(await post("/api/jobs", body)).toMatchObject({ status: 409 });
  }
  expect(await jobsIn(here.root)).toEqual([id]);
});

test("nothing outside the folder is named", async () => {
  const here = await folder();
  const outside = await temporaryDirectory();
  await writeFile(join(outside, "secret.csv"), "a\n1\n");
  await symlink(outside, join(here.root, "link"));
  await symlink(join(outside, "nothing.html"), join(here.root, "dangling.html"));
  await mkdir(join(here.root, "inner"));
  const { post, send } = opened(here);
  for (const [verb, filled] of [
    ["analyze", { file: [join(outside, "secret.csv")] }],
    ["analyze", { file: ["../secret.csv"] }],
    ["analyze", { file: ["inner/../../secret.csv"] }],
    ["analyze", { file: ["link/secret.csv"] }],
    ["analyze", { file: ["scores.csv"], out: "/tmp/owned.html" }],
    ["analyze", { file: ["scores.csv"], out: "link/owned.html" }],
    ["analyze", { file: ["scores.csv"], out: "link/new/owned.html" }],
    ["analyze", { file: ["scores.csv"], out: "dangling.html" }],
    ["compare", { images: [`A=${outside}`, "B=link"] }],
    ["compare", { images: ["A=a", "B=b"], metric: ["python:../mine.py:score"] }],
    ["compare", { images: ["A=a", "B=b"], metric: ["brightness=folder:/etc"] }],
    ["audit", { config: "audit.yaml", run: "../audit" }],
  ] as const) {
    expect(await post("/api/jobs", { verb, filled })).toMatchObject({
      status: 403,
      body: { error: { code: "outside" } },
    });
  }
  const hidden = ["http://../secret.csv", "http://../../secret.csv", "x-http://../../secret.csv"];
  for (const file of [
    ...["../secret.csv", join(outside, "secret.csv"), "link/secret.csv", "a\0.csv"],
    ...hidden,
  ]) {
    expect((await send(`/api/jobs/table?file=${encodeURIComponent(file)}`)).status).toBe(403);
  }
  for (const id of ["..", "..%2F..%2Fscores.csv", "0123456789ab-1", "%00"]) {
    expect((await send(`/api/jobs/${id}`)).status).toBe(404);
  }
  expect(JSON.parse((await send("/api/jobs/table?file=scores.csv")).text)).toEqual({
    columns: ["model", "prompt", "score"],
    rows: [
      ["a", "1", "0.5"],
      ["b", "1", "0.7"],
    ],
  });
  await expect(readdir(join(here.root, ".touchstone"))).rejects.toThrow("ENOENT");
  const model = "segment-http:http://localhost:8100/v1";
  await refuseOutside({ model, metric: [`mine=${model},python:mine.py`] }, here.root);
  for (const metric of [
    ...["python:/etc/mine.py:score", `a=${model},/etc`, "file:///etc/passwd"],
    ...["http://A=/etc", ...hidden],
  ]) {
    await expect(refuseOutside({ metric }, here.root)).rejects.toThrow("Expected metric inside");
  }
});

test("a forecast is what the verb's JSON says of each step, and a refusal its message", async () => {
  const here = await folder();
  const verb = { title: "", arguments: {}, picks: {}, inSight: [], filled: {}, estimate: {} };
  const forms = [{ id: "table", title: "", question: "", verbs: [{ name: "analyze", ...verb }] }];
  const { post } = opened({ ...here, starts: { ...here.starts, forms: async () => forms } });
  const says = (stream: string, value: object, code: number) =>
    writeFile(
      join(here.root, "program.mjs"),
      `process.${stream}.write(${JSON.stringify(JSON.stringify(value))}); process.exitCode = ${code};`,
    );
  const estimate = () =>
    post("/api/jobs/estimate", { verb: "analyze", filled: { file: ["scores.csv"] } });
  const forecast = [
    { what: "Scoring by a", tasks: 4, calls: 4, cost: 0.5 },
    { what: "Judging", tasks: null, calls: null, cost: null },
  ];
  await says("stderr", { error: { code: "incomplete", message: "met its limit", forecast } }, 3);
  expect((await estimate()).body).toEqual({ steps: forecast });
  await says("stdout", { verdict: "all is there" }, 0);
  expect((await estimate()).body).toEqual({ steps: [] });
  await says(
    "stderr",
    { error: { code: "input", message: "Expected 2 sides", hint: "Name B" } },
    2,
  );
  expect(await estimate()).toMatchObject({
    status: 409,
    body: { error: { message: "Expected 2 sides", hint: "Name B" } },
  });
});

test("a job that made a study goes on with its answers, and no other does", async () => {
  const here = await folder();
  await writeFile(
    join(here.root, "program.mjs"),
    program.replace("{ verdict,", '{ verdict, study: { study: "people-A-B/study", goOn: "x" },'),
  );
  await writeFile(join(here.root, "end"), "0");
  const { start, post, until, job } = opened(here);
  const filled = { images: ["A=a", "B=b"], ask: "60", labels: ["before.csv"] };
  const { id } = await start(filled, "compare");
  expect(await until(id, "done")).toMatchObject({ study: "people-A-B/study", goOn: "x" });
  const { body } = await post<StartedJob>(`/api/jobs/${id}/go-on`);
  onTestFinished(() => void killJob(here.root, body.id));
  const { filled: gone } = await job(body.id);
  expect(gone).toEqual({ images: filled.images, labels: ["before.csv", "people-A-B/study"] });
  // An entry that stands alone is kept, too.
  const alone = await start({ ...filled, labels: "alone.csv" }, "compare");
  await until(alone.id, "done");
  const further = (await post<StartedJob>(`/api/jobs/${alone.id}/go-on`)).body;
  onTestFinished(() => void killJob(here.root, further.id));
  expect((await job(further.id)).filled.labels).toEqual(["alone.csv", "people-A-B/study"]);

  await rm(join(here.root, "end"));
  await writeFile(join(here.root, "program.mjs"), program);
  const other = await start();
  expect((await post(`/api/jobs/${other.id}/go-on`)).status).toBe(409);
  const serving = await start({ study: "./people-A-B/study/" }, "study serve");
  expect((await post(`/api/jobs/${serving.id}/go-on`)).status).toBe(409);
  expect(await job(serving.id)).toMatchObject({ study: "people-A-B/study" });
  const shown = await start({ study: "." }, "study serve");
  expect(await job(shown.id)).toMatchObject({ study: "." });
});

test("nothing is forecast where no model is named that could be asked", async () => {
  const here = await folder();
  const { startForms } = await import("../../cli/verbs/studio/start-forms.js");
  const { post } = opened({ ...here, starts: { ...here.starts, forms: startForms } });
  const filled = { images: ["A=a", "B=b"], ask: "60", metric: [""] };
  const { status, body } = await post("/api/jobs/estimate", { verb: "compare", filled });
  expect({ status, body }).toEqual({ status: 200, body: { steps: [] } });
});

test("only who has the token starts, and by no link", async () => {
  const here = await folder();
  const { send, post } = opened(here);
  const body = JSON.stringify({ verb: "analyze", filled: { file: ["scores.csv"] } });
  const asked = { method: "POST", headers, body };
  const { authorization: _, ...without } = headers;
  const { "x-touchstone": __, ...ofForm } = headers;
  const attempts: [path: string, options: RequestInit, host?: string][] = [
    ["/api/jobs", { ...asked, headers: without }],
    ["/api/%6Aobs", { ...asked, headers: without }],
    ["/api/jobs/", { ...asked, headers: without }],
    ["/api/jobs", { ...asked, headers: { ...headers, authorization: "Bearer guessed" } }],
    [`/api/jobs?token=${token}`, { ...asked, headers: without }],
    ["/api/jobs", { ...asked, headers: ofForm }],
    ["/api/jobs", { ...asked, headers: { ...headers, origin: "https://evil.example" } }],
    ["/api/jobs", { ...asked, headers: { ...headers, "sec-fetch-site": "cross-site" } }],
    ["/api/jobs", asked, "http://rebound.example:8000"],
    [
      `/api/jobs?token=${token}`,
      { headers: { "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" } },
    ],
    ["/api/jobs/estimate", { ...asked, headers: without }],
    ["/api/jobs/0123456789ab-1/stop", { ...asked, headers: without }],
    ["/api/jobs/0123456789ab-1/resume", { headers }],
    ["/api/jobs/0123456789ab-1/go-on", { ...asked, headers: without }],
  ];
  for (const [path, options, host] of attempts) {
    const { status } = await send(path, options, host);
    expect({ path, status: [401, 403, 404].includes(status) }).toEqual({ path, status: true });
  }
  await expect(readdir(join(here.root, ".touchstone"))).rejects.toThrow("ENOENT");
  // The link that was printed lets its browser start; reading needs no token here.
  const { answer } = await send(`/new?token=${token}`);
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  expect(answer.headers.get("location")).toBe("/new");
  const news = async (options: RequestInit = {}) =>
    JSON.parse((await send("/api/jobs/new", options)).text);
  expect(await news()).toMatchObject({
    mayStart: false,
    models: ["mine"],
    places: ["program.mjs", "scores.csv"],
  });
  expect(await news({ headers: { cookie } })).toMatchObject({ mayStart: true });
  expect(
    (await send("/api/jobs/new", { headers: { cookie } }, "http://127.0.0.1:9000")).text,
  ).toContain('"mayStart":false');
  expect((await post("/api/jobs/0123456789ab-1/stop")).status).toBe(404);
});

test("the link that opens the browser gives its cookie once", async () => {
  const { root, starts } = await folder();
  const { send } = opened({ root, starts: { ...starts, openingToken: "once" } });
  const cookies = async (link: string) => (await send(link)).answer.headers.get("set-cookie");
  const first = await cookies("/?token=once");
  expect(first).toContain(token);
  expect(await cookies("/?token=once")).toBeNull();
  expect(await cookies(`/?token=${token}`)).toBe(first);
});

test("where nothing can be written nothing is started, and inside a run neither", async () => {
  const here = await folder();
  const { post } = opened(here);
  const asked = { verb: "analyze", filled: { file: ["scores.csv"] } };
  // A file where the folder must be stands for a disk that takes nothing.
  await writeFile(join(here.root, ".touchstone"), "");
  expect(await post("/api/jobs", asked)).toMatchObject({ status: 409 });
  await rm(join(here.root, ".touchstone"));
  const run = join(here.root, "run");
  await generatedRun(run, { images: 4 });
  const inRun = opened({ ...here, root: run });
  expect(await inRun.post("/api/jobs", asked)).toMatchObject({
    status: 409,
    body: { error: { code: "in-run" } },
  });
});
