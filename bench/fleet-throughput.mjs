// 2,000 calls to a judge that takes 200 ms, by 1, 2, 4 and 8 processes of `touchstone worker`, 8 calls at
// once in each, on one PostgreSQL; beside one process on a folder. The server counts what is under way.
// The database is that of TOUCHSTONE_BENCH_STORE, such as postgres://me@localhost/bench; it holds no run but
// the one that is measured, since workers go over all.
//   node bench/fleet-throughput.mjs [--calls 2000] [--workers 1,2,4,8] [--turns 3] [--limit N] [--write]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import sharp from "sharp";
import { keyOf } from "../dist/core/keys.js";
import { randomFrom } from "../dist/core/random.js";
import { openStore, placeIn, storesIn } from "../dist/files/open-store.js";
import { copyRun } from "../dist/runs/copy-run.js";
import { writeBetweenMarks } from "./written-table.mjs";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "2000" },
    workers: { type: "string", default: "1,2,4,8" },
    turns: { type: "string", default: "3" },
    limit: { type: "string", default: "64" },
    write: { type: "boolean", default: false },
  },
});
const store = process.env.TOUCHSTONE_BENCH_STORE;
if (store === undefined) {
  console.log("skipped: TOUCHSTONE_BENCH_STORE is not set");
  process.exit();
}
const old = await storesIn(store);
if (old.length > 0) {
  console.log(
    `skipped: ${old.length} runs are in the database, such as ${old[0].name}; give it an empty one`,
  );
  process.exit(2);
}
const [calls, turns, limit] = [values.calls, values.turns, values.limit].map(Number);
const latency = 200;
const atOnce = 8;
const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
const directory = await mkdtemp(join(tmpdir(), "touchstone-fleet-"));

/** When each call came and was answered, in seconds, and the most that were under way at a time. */
let seen = { came: [], answered: [], most: 0 };
let underWay = 0;
const reply = JSON.stringify({
  id: "call",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "tiny",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Yes", refusal: null },
      logprobs: {
        content: [
          {
            token: "Yes",
            logprob: -0.1,
            bytes: [89, 101, 115],
            top_logprobs: [
              { token: "Yes", logprob: -0.1, bytes: [89, 101, 115] },
              { token: "No", logprob: -2.4, bytes: [78, 111] },
            ],
          },
        ],
        refusal: null,
      },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 },
});
const server = createServer((request, response) => {
  seen.came.push(performance.now() / 1000);
  seen.most = Math.max(seen.most, ++underWay);
  request.resume().on("end", () =>
    setTimeout(() => {
      underWay--;
      seen.answered.push(performance.now() / 1000);
      response.writeHead(200, { "content-type": "application/json" }).end(reply);
    }, latency),
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");

/** What the processes of a folder read: how many calls they may make at once, all together. */
const configuration = (concurrency) => {
  const baseUrl = `http://127.0.0.1:${server.address().port}/v1`;
  const models = { tiny: { provider: "openai-compatible", model: "tiny", baseUrl, concurrency } };
  return JSON.stringify({ models, cache: { enabled: false } });
};
await writeFile(join(directory, "touchstone.config.yaml"), configuration(limit));
const base = await baseRun(join(directory, "base"));

/** A finished benchmark with as many images as there are to be calls, and no scores. */
async function baseRun(place) {
  const steps = [
    { name: "build-prompts", version: 1, produces: "prompt", parameters: {} },
    { name: "paint-images", version: 1, produces: "image", parameters: {} },
  ];
  const run = await openStore(place, {
    create: { command: "bench", seed: 0, software: "bench" },
  });
  const writer = await run.startWriting(steps);
  const hashes = [];
  for (let at = 0; at < 20; at++) {
    const random = randomFrom("bench", at);
    const data = Buffer.from(
      Array.from({ length: 64 * 64 * 3 }, () => Math.floor(random.between(0, 256))),
    );
    const raw = { width: 64, height: 64, channels: 3 };
    hashes.push(await writer.blobs.write(await sharp(data, { raw }).png().toBuffer(), "image/png"));
  }
  const roles = ["correct", "adversarial", "control-correct", "control-adversarial"];
  const prompts = Array.from({ length: calls / roles.length }, (_, at) => ({
    schema: 1,
    type: "prompt",
    key: keyOf(["prompt", at]),
    step: "build-prompts@1",
    attempt: 1,
    benchmark: "prototypicality",
    split: "evaluation",
    domain: "animals",
    category: "bird",
    nonPrototype: `kiwi ${at}`,
    prototype: "robin",
    knob: "count",
    right: "one",
    wrong: "two",
    extra: "log",
    environment: "desert",
    writer: "bench",
    status: "done",
    text: `Bird ${at} with one log.`,
    correct: `Kiwi ${at} with one log.`,
    adversarial: `Robin ${at} with two logs.`,
    controlCorrect: `Robin ${at} with one log.`,
    controlAdversarial: `Kiwi ${at} with two logs.`,
  }));
  const images = prompts.flatMap((prompt, at) =>
    roles.map((role, place) => ({
      schema: 1,
      type: "image",
      key: keyOf(["image", at, role]),
      step: "paint-images@1",
      attempt: 1,
      prompt: prompt.key,
      role,
      sample: 0,
      text: `${prompt.text} ${role}`,
      seed: 1,
      model: "bench:noise",
      status: "done",
      image: hashes[(at + place) % hashes.length],
      mediaType: "image/png",
      width: 64,
      height: 64,
    })),
  );
  for (const [name, records] of Object.entries({
    "build-prompts": prompts,
    "paint-images": images,
  })) {
    const step = await writer.openStep(name);
    await step.plan(records.map(({ key }) => key));
    await step.append(records);
    await step.finish({ signal: new AbortController().signal });
    await step.close();
  }
  await writer.close();
  return openStore(place);
}

/** The base at another place; nobody is to repeat the command that made it. */
async function copied(place) {
  const copy = await openStore(place, { copyOf: { ...base.recipe, commands: [] } });
  await copyRun(base, copy, { signal: new AbortController().signal });
}

/** Runs the command line; resolves with its processor time in seconds. */
async function ran(words, { expected = 0, cwd = directory } = {}) {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  let used = 0;
  const watch = setInterval(() => {
    used = processorSeconds(child.pid) ?? used;
  }, 50);
  const [code] = await once(child, "close");
  clearInterval(watch);
  if (code !== expected)
    throw new Error(`touchstone ${words.join(" ")} ended with ${code}: ${said}`);
  return used;
}

/** Of a process that runs, on Linux; undefined where nobody tells. */
function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

/** Processor time of all programs of this machine, in seconds, on Linux; else not a number. */
function machineSeconds() {
  try {
    const [user, nice, system, , , irq, softirq] = readFileSync("/proc/stat", "utf8")
      .split("\n", 1)[0]
      .split(/\s+/)
      .slice(1)
      .map(Number);
    return (user + nice + system + irq + softirq) / 100;
  } catch {
    return Number.NaN;
  }
}

const score = ["--metric", "vqa-score", "--model", "tiny"];
let runs = 0;

/** What the server saw while a run was collected. */
async function measured(processes, collect) {
  seen = { came: [], answered: [], most: 0 };
  const [began, busy] = [performance.now(), machineSeconds()];
  const used = await collect();
  const processors = (machineSeconds() - busy) / ((performance.now() - began) / 1000);
  const { came, answered, most } = seen;
  const steady = [0.1, 0.9].map((share) => answered[Math.floor(share * (answered.length - 1))]);
  return {
    calls: came.length,
    most,
    perSecond: came.length / (answered.at(-1) - came[0]),
    steadyPerSecond: (0.8 * came.length) / (steady[1] - steady[0]),
    cpuMilliseconds: (1000 * used.reduce((sum, one) => sum + one, 0)) / came.length,
    processes,
    processors,
  };
}

async function byWorkers(processes) {
  const name = `throughput-${process.pid}-${runs++}`;
  await copied(placeIn(store, name));
  const planned = ["score", name, "--store", store, ...score, "--max-calls", "1"];
  await ran(planned, { expected: 3 });
  const words = ["worker", "--store", store, "--until-idle", "--concurrency", String(atOnce)];
  const found = await measured(processes, () =>
    Promise.all(Array.from({ length: processes }, () => ran(words))),
  );
  await removed(name);
  return found;
}

/** Removes a run, so that later workers have nothing else to look at. */
async function removed(name) {
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  await client.query("delete from touchstone.runs where name = $1", [name]);
  await client.end();
}

async function byFolder() {
  const cwd = join(directory, `alone-${runs++}`);
  await mkdir(cwd);
  await writeFile(join(cwd, "touchstone.config.yaml"), configuration(atOnce));
  await copied(join(cwd, "run"));
  return measured(1, async () => [await ran(["score", "run", ...score], { cwd })]);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const counts = values.workers.split(",").map(Number);
const found = new Map([["folder", []], ...counts.map((many) => [many, []])]);
const loads = [];
try {
  for (let turn = 0; turn < turns; turn++) {
    for (const [what, all] of found) {
      const one = what === "folder" ? await byFolder() : await byWorkers(what);
      loads.push(loadavg()[0]);
      console.error(JSON.stringify({ turn, what, ...one, load: loadavg()[0] }));
      all.push(one);
    }
  }
} finally {
  server.close();
  await rm(directory, { recursive: true, force: true });
}

const ratioOf = (all, name) => {
  const ones = found.get(counts[0]);
  const ratios = all.map((one, turn) => one[name] / ones[turn][name]);
  return `${median(ratios).toPrecision(3)} [${ratios.reduce((a, b) => Math.min(a, b)).toPrecision(3)}, ${ratios.reduce((a, b) => Math.max(a, b)).toPrecision(3)}]`;
};
const rows = [...found].map(([what, all]) => {
  const middle = (name) => median(all.map((one) => one[name])).toPrecision(3);
  const cells = [
    what === "folder" ? "1, in a folder" : what,
    ...[middle("perSecond"), ratioOf(all, "perSecond"), ratioOf(all, "steadyPerSecond")],
    ...[middle("cpuMilliseconds"), middle("processors")],
    all.map(({ most }) => most).reduce((a, b) => Math.max(a, b)),
  ];
  return `| ${cells.join(" | ")} |`;
});
const text = [
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} processors (${cpus()[0].model.trim()}), load ${loads.reduce((a, b) => Math.min(a, b)).toFixed(1)} to ${loads.reduce((a, b) => Math.max(a, b)).toFixed(1)}, Node ${process.version.slice(1)}. ` +
    `${calls.toLocaleString("en-US")} calls of ${latency} ms, ${atOnce} at once in each process, ${limit} in the fleet; medians of ${turns} turns, their least and most in brackets.`,
  "",
  "| processes | calls a second | times one worker | without the first and last tenth | processor time a call (ms) | processors busy | most under way |",
  "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
  ...rows,
].join("\n");
console.log(text);
if (values.write) writeBetweenMarks("fleet-throughput", text);
process.exit();
