// What BullMQ on PostgreSQL, and on Redis, would do in place of the claims and limits of a store: how soon what
// a killed worker held is another's, whether one whose clock is ahead takes what others have in hand, how
// many calls a limit of 10 a second lets through, what taking a batch costs, and how many calls of 200 ms
// four workers make. A job is one call where calls count, else a batch of 16. Locks of 5 s are asked for every
// 5 s, as BullMQ's defaults are both 30 s. The database is that of TOUCHSTONE_BENCH_STORE, such as
// postgres://me@localhost/bench; it gets a schema "bullmq". Redis is that of TOUCHSTONE_BENCH_REDIS, such as
// redis://localhost:6379/9; that database of it is emptied.
// node bench/queue-trial.mjs
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openStore, placeIn, sharedLine } from "../dist/files/open-store.js";
import { installPeer } from "./install-peer.mjs";

const connectionString = process.env.TOUCHSTONE_BENCH_STORE;
const redis = process.env.TOUCHSTONE_BENCH_REDIS;
const packages = ["bullmq@6.7.0", "pg@8.23.0", "ioredis@5.11.1"];
const peer = installPeer("bullmq", [["npm", "install", ...packages]]);
const unset = Object.entries({
  TOUCHSTONE_BENCH_STORE: connectionString,
  TOUCHSTONE_BENCH_REDIS: redis,
}).find(([, value]) => value === undefined);
if (unset !== undefined || peer.skipped !== undefined) {
  console.log(`skipped: ${peer.skipped ?? `${unset[0]} is not set`}`);
  process.exit();
}
const load = createRequire(`${peer.folder}package.json`);
const bullmq = load("bullmq");
const [processes, atOnce, calls, latency] = [4, 8, 1600, 200];

/** The same classes over each backend, with the connection that they take. */
const backends = {
  postgres() {
    const { Pool } = load("pg");
    const connection = new Pool({ connectionString, options: "-c search_path=bullmq", max: 6 });
    connection.on("error", () => {});
    return { ...bullmq.withBackend(bullmq.createPostgresBackend), connection };
  },
  redis() {
    const { Redis } = load("ioredis");
    const connection = new Redis(redis, { maxRetriesPerRequest: null });
    connection.on("error", () => {});
    return { Queue: bullmq.Queue, Worker: bullmq.Worker, connection };
  },
};

/** In a process of its own: takes jobs and says when it begins one. */
async function takeJobs({ backend, queue, work, lock, ahead = 0, concurrency = 4, limiter }) {
  const now = Date.now;
  Date.now = () => now() + ahead;
  const { Worker, connection } = backends[backend]();
  const one = async ({ data }) => {
    process.send(data.number);
    await pause(work);
  };
  const times = lock === undefined ? {} : { lockDuration: lock, stalledInterval: lock };
  const options = { connection, concurrency, maxStalledCount: 1e6, ...times };
  const worker = new Worker(queue, one, limiter === undefined ? options : { ...options, limiter });
  worker.on("error", () => {});
}

/** In a process of its own: claims batches of 16 calls and makes them. */
async function makeClaimed({ place, batches }) {
  const step = await openedStep(place);
  const tasks = (async function* () {
    for (let batch = 0; batch < batches; batch++) {
      if (await step.claim(batch)) yield* Array.from({ length: 16 }, (_, at) => 16 * batch + at);
    }
  })();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for await (const number of { [Symbol.asyncIterator]: () => ({ next: () => tasks.next() }) }) {
        process.send(number);
        await pause(latency);
      }
    }),
  );
}

const roles = { takeJobs, makeClaimed };

/** Begins a process; what it begins to do is kept with the time. */
function other(role, options) {
  const child = fork(fileURLToPath(import.meta.url), [role, JSON.stringify(options)]);
  const begun = [];
  child.on("message", (number) => begun.push({ number, at: performance.now() / 1000 }));
  return { begun, kill: () => child.kill("SIGKILL") };
}

const until = async (isSo) => {
  while (!(await isSo())) await pause(20);
};

const steps = [{ name: "score", version: 1, produces: "score", parameters: {} }];
let runs = 0;
async function openedStep(place) {
  const create = { command: "bench", seed: 1, software: "bench" };
  return (await (await openStore(place, { create })).startWriting(steps)).openStep("score");
}
const newPlace = () => placeIn(connectionString, `queue-trial-${Date.now()}-${runs++}`);

/** What is measured of one backend of BullMQ. */
class Trial {
  constructor(backend) {
    this.backend = backend;
    this.parts = backends[backend]();
  }

  async queue(name, jobs) {
    const { Queue, connection } = this.parts;
    const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } });
    await queue.obliterate({ force: true });
    const numbers = Array.from({ length: jobs }, (_, number) => number);
    const opts = (number) => ({ jobId: `job-${number}` });
    await queue.addBulk(
      numbers.map((number) => ({ name: "job", data: { number }, opts: opts(number) })),
    );
    return queue;
  }

  holder(options) {
    return other("takeJobs", { backend: this.backend, work: 600_000, ...options });
  }

  async secondsAfterKill(lock) {
    await this.queue("killed", 1);
    const first = this.holder({ queue: "killed", lock });
    await until(() => first.begun.length > 0);
    const second = this.holder({ queue: "killed", lock });
    // It looks for stalled jobs once when it begins.
    await pause(1_500);
    first.kill();
    const killed = performance.now() / 1000;
    await until(() => second.begun.length > 0);
    second.kill();
    return second.begun[0].at - killed;
  }

  async takenByClockAhead() {
    await this.queue("ahead", 4);
    const right = this.holder({ queue: "ahead", lock: 10_000 });
    await until(() => right.begun.length === 4);
    const ahead = this.holder({ queue: "ahead", lock: 10_000, ahead: 90_000 });
    await pause(30_000);
    for (const one of [right, ahead]) one.kill();
    return `${ahead.begun.length} of 4`;
  }

  async callsUnderLimit() {
    const all = 60;
    await this.queue("limited", all);
    const limiter = { max: 10, duration: 1000 };
    const options = { queue: "limited", work: 5, concurrency: atOnce, limiter };
    const workers = [1, 2].map(() => this.holder(options));
    await until(() => workers.flatMap(({ begun }) => begun).length >= all);
    for (const { kill } of workers) kill();
    return mostInASecond(workers.flatMap(({ begun }) => begun));
  }

  async millisecondsABatch() {
    await this.queue("rate", 1000);
    const { Worker, connection } = this.parts;
    const worker = new Worker("rate", null, { connection, autorun: false });
    const began = performance.now();
    for (let at = 0; at < 1000; at++) {
      const job = await worker.getNextJob("trial", { block: false });
      await job.moveToCompleted(0, "trial", false);
    }
    return (performance.now() - began) / 1000;
  }

  async callsASecond() {
    await this.queue("calls", calls);
    const options = { queue: "calls", work: latency, concurrency: atOnce };
    return rateOf(Array.from({ length: processes }, () => this.holder(options)));
  }

  /** How many of ten jobs are left when Redis was emptied, as by a restart without a file of its own. */
  async leftAfterFlush() {
    const queue = await this.queue("flushed", 10);
    await this.parts.connection.flushdb();
    const { waiting, active } = await queue.getJobCounts();
    return `${waiting + active} of 10`;
  }

  async all() {
    return {
      secondsUntilAKilledWorkersBatchIsTaken: {
        "lock of 5 s": figure(await this.secondsAfterKill(5_000)),
        "lock of 30 s, the default": figure(await this.secondsAfterKill(undefined)),
      },
      batchesAlsoTakenByAClock90sAhead: await this.takenByClockAhead(),
      mostCallsInASecondUnderALimitOf10: await this.callsUnderLimit(),
      millisecondsToTakeAndEndABatch: figure(await this.millisecondsABatch()),
      callsOf200msASecond: figure(await this.callsASecond()),
      ...(this.backend === "redis" ? { jobsLeftAfterAFlush: await this.leftAfterFlush() } : {}),
    };
  }
}

async function rateOf(workers) {
  const begun = () => workers.flatMap((worker) => worker.begun);
  await until(() => begun().length >= calls);
  for (const { kill } of workers) kill();
  const times = begun().map(({ at }) => at);
  return (
    calls /
    (times.reduce((a, b) => Math.max(a, b)) -
      times.reduce((a, b) => Math.min(a, b)) +
      latency / 1000)
  );
}

function mostInASecond(begun) {
  const times = begun.map(({ at }) => at).sort((a, b) => a - b);
  return times
    .map((from) => times.filter((at) => at >= from && at < from + 1).length)
    .reduce((a, b) => Math.max(a, b));
}

/** The same of a store. */
const ours = {
  async secondsAfterKill() {
    const place = newPlace();
    const step = await openedStep(place);
    const program = fileURLToPath(new URL("../test/support/store-worker.mjs", import.meta.url));
    const child = spawn(process.execPath, [program, place, JSON.stringify(steps)]);
    await once(child.stdout, "data");
    child.stdin.write('{"claim":0}\n');
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    const killed = performance.now();
    await until(() => step.claim(0));
    return (performance.now() - killed) / 1000;
  },
  async callsUnderLimit() {
    const begun = [];
    const limits = { concurrency: 64, requestsPerMinute: 600 };
    // Each has a connection of its own, as two processes have.
    const lines = [1, 2].map((at) =>
      sharedLine(`${connectionString}?fallback_application_name=${at}`, { name: "trial", limits }),
    );
    const call = async (number) => {
      const leave = await lines[number % 2].enter(0);
      begun.push({ number, at: performance.now() / 1000 });
      await pause(5);
      leave();
    };
    await Promise.all(Array.from({ length: 60 }, (_, number) => call(number)));
    return mostInASecond(begun);
  },
  async millisecondsABatch() {
    const step = await openedStep(newPlace());
    const began = performance.now();
    for (let batch = 1; batch <= 1000; batch++) {
      await step.claim(batch);
      await step.release(batch);
    }
    return (performance.now() - began) / 1000;
  },
  callsASecond() {
    const options = { place: newPlace(), batches: calls / 16 };
    return rateOf(Array.from({ length: processes }, () => other("makeClaimed", options)));
  },
};

const figure = (value) => Number(value.toPrecision(3));

if (process.send !== undefined) {
  const [role, options] = process.argv.slice(2);
  await roles[role](JSON.parse(options));
  await once(process, "disconnect");
  process.exit();
}
const postgres = new Trial("postgres");
const client = await postgres.parts.connection.connect();
await bullmq.runMigrations(client);
client.release();
const store = {
  secondsUntilAKilledWorkersBatchIsTaken: figure(await ours.secondsAfterKill()),
  mostCallsInASecondUnderALimitOf10: await ours.callsUnderLimit(),
  millisecondsToTakeAndEndABatch: figure(await ours.millisecondsABatch()),
  callsOf200msASecond: figure(await ours.callsASecond()),
};
console.error(JSON.stringify(store));
const bullmqOn = { PostgreSQL: await postgres.all(), Redis: await new Trial("redis").all() };
console.log(JSON.stringify({ load: figure(loadavg()[0]), store, bullmqOn }, null, 2));
process.exit();
