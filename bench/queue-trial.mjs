// What BullMQ on PostgreSQL would do in place of the claims of a store: how soon what a killed worker
// held is another's, whether one whose clock is ahead takes what others have in hand, how many calls
// its limit of 10 a second lets through, and what taking a batch costs. The database is that of
// TOUCHSTONE_BENCH_STORE, such as postgres://me@localhost/bench; it gets a schema "bullmq".
// node bench/queue-trial.mjs
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { installPeer } from "./install-peer.mjs";

const connectionString = process.env.TOUCHSTONE_BENCH_STORE;
const peer = installPeer("bullmq", [["npm", "install", "bullmq@6.7.0", "pg@8.23.0"]]);
if (connectionString === undefined || peer.skipped !== undefined) {
  console.log(`skipped: ${peer.skipped ?? "TOUCHSTONE_BENCH_STORE is not set"}`);
  process.exit();
}
const load = createRequire(`${peer.folder}package.json`);
const [pg, bullmq] = [load("pg"), load("bullmq")];
const { Queue, Worker } = bullmq.withBackend(bullmq.createPostgresBackend);
const connection = new pg.Pool({ connectionString, options: "-c search_path=bullmq", max: 6 });
connection.on("error", () => {});

/** In a process of its own: holds each batch for a while, and says when it has one. */
async function hold([queue, work, lockDuration, ahead]) {
  const now = Date.now;
  Date.now = () => now() + Number(ahead);
  const one = async ({ data }) => {
    process.send(data.batch);
    await pause(Number(work));
  };
  const options = { connection, concurrency: 4, maxStalledCount: 1e6 };
  const times = { lockDuration: Number(lockDuration), stalledInterval: Number(lockDuration) };
  const worker = new Worker(queue, one, { ...options, ...times });
  worker.on("error", () => {});
  await once(process, "disconnect");
  process.exit();
}

function holder({ queue, work = 600_000, lock, ahead = 0 }) {
  const child = fork(fileURLToPath(import.meta.url), [queue, work, lock, ahead].map(String));
  const begun = [];
  child.on("message", (batch) => begun.push(batch));
  return { child, begun };
}

async function queueOf(name, batches) {
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } });
  await queue.obliterate({ force: true });
  const numbers = Array.from({ length: batches }, (_, batch) => batch);
  await queue.addBulk(
    numbers.map((batch) => ({ name: "batch", data: { batch }, opts: { jobId: `batch-${batch}` } })),
  );
  return queue;
}

const until = async (isSo) => {
  while (!(await isSo())) await pause(20);
};

async function secondsAfterKill(lock) {
  await queueOf("killed", 1);
  const first = holder({ queue: "killed", lock });
  await until(() => first.begun.length > 0);
  const second = holder({ queue: "killed", lock });
  // It looks for stalled batches once when it begins.
  await pause(1_500);
  first.child.kill("SIGKILL");
  const killed = performance.now();
  await until(() => second.begun.length > 0);
  second.child.kill("SIGKILL");
  return (performance.now() - killed) / 1000;
}

/** The same of a store's own claims. */
async function secondsAfterKillHere() {
  const { openStore, placeIn } = await import("../dist/files/index.js");
  const steps = [{ name: "score", version: 1, produces: "score", parameters: {} }];
  const place = placeIn(connectionString, `queue-trial-${Date.now()}`);
  const create = { command: "bench", seed: 1, software: "bench" };
  const writer = await (await openStore(place, { create })).startWriting(steps);
  const step = await writer.openStep("score");
  const program = fileURLToPath(new URL("../test/support/store-worker.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, place, JSON.stringify(steps)]);
  await once(child.stdout, "data");
  child.stdin.write('{"claim":0}\n');
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  const killed = performance.now();
  await until(() => step.claim(0));
  const seconds = (performance.now() - killed) / 1000;
  const began = performance.now();
  for (let batch = 1; batch <= 1000; batch++) {
    await step.claim(batch);
    await step.release(batch);
  }
  const claimMilliseconds = (performance.now() - began) / 1000;
  await step.close();
  await writer.close();
  return { seconds, claimMilliseconds };
}

async function takenByClockAhead() {
  await queueOf("ahead", 4);
  const right = holder({ queue: "ahead", lock: 10_000 });
  await until(() => right.begun.length === 4);
  const ahead = holder({ queue: "ahead", lock: 10_000, ahead: 90_000 });
  await pause(30_000);
  for (const { child } of [right, ahead]) child.kill("SIGKILL");
  return ahead.begun.length;
}

async function callsASecond() {
  const queue = await queueOf("limited", 20);
  let calls = 0;
  const sixteen = async () => {
    for (let call = 0; call < 16; call++, calls++) await pause(5);
  };
  const limiter = { max: 10, duration: 1000 };
  const began = performance.now();
  const workers = [0, 1].map(
    () => new Worker("limited", sixteen, { connection, concurrency: 8, limiter }),
  );
  await until(async () => {
    const { waiting, active } = await queue.getJobCounts();
    return waiting + active === 0;
  });
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(workers.map((worker) => worker.close()));
  return calls / seconds;
}

async function takeMilliseconds() {
  await queueOf("rate", 1000);
  const worker = new Worker("rate", null, { connection, autorun: false });
  const began = performance.now();
  for (let at = 0; at < 1000; at++) {
    const job = await worker.getNextJob("trial", { block: false });
    await job.moveToCompleted(0, "trial", false);
  }
  return (performance.now() - began) / 1000;
}

if (process.send !== undefined) await hold(process.argv.slice(2));
const client = await connection.connect();
await bullmq.runMigrations(client);
client.release();
const figure = (value) => Number(value.toPrecision(3));
const ours = await secondsAfterKillHere();
const trial = {
  load: figure(loadavg()[0]),
  secondsUntilAKilledWorkersBatchIsTaken: {
    "lock of 5 s": figure(await secondsAfterKill(5_000)),
    "lock of 30 s, the default": figure(await secondsAfterKill(30_000)),
    ours: figure(ours.seconds),
  },
  batchesAlsoTakenByAClock90sAhead: `${await takenByClockAhead()} of 4`,
  callsASecondUnderALimitOf10: figure(await callsASecond()),
  millisecondsToTakeAndEndABatch: {
    bullmq: figure(await takeMilliseconds()),
    ours: figure(ours.claimMilliseconds),
  },
};
console.log(JSON.stringify(trial, null, 2));
process.exit();
