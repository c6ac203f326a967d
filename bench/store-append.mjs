// Records a second that are kept: in a folder, and in PostgreSQL by COPY. The database is that of
// TOUCHSTONE_BENCH_STORE, such as postgres://me@localhost/bench; its runs named bench-… are new each time.
// node bench/store-append.mjs [RECORDS]
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

const { openStore, placeIn } = await import(
  new URL("../dist/files/index.js", import.meta.url).href
);
const { keyOf } = await import(new URL("../dist/core/index.js", import.meta.url).href);

const count = Number(process.argv[2] ?? 100_000);
const atOnce = 5_000;
const store = process.env.TOUCHSTONE_BENCH_STORE;
const step = { name: "score", version: 1, produces: "score", parameters: {} };
const create = { command: "bench", seed: 1, software: "bench" };
const records = Array.from({ length: count }, (_, at) => ({
  schema: 1,
  type: "score",
  key: keyOf(at),
  step: "score@1",
  attempt: 1,
  of: keyOf("image"),
  image: "0".repeat(64),
  text: `Bird number ${at} is in a desert with exactly one log.`,
  metric: "vqa-score",
  metricVersion: 1,
  statistic: "probability",
  model: "lab:vqa",
  range: [0, 1],
  direction: "higher",
  trial: 0,
  status: "done",
  value: at / count,
}));

async function timed(place) {
  const run = await openStore(place, { create });
  const writer = await run.startWriting([step]);
  const work = await writer.openStep("score");
  await work.plan(records.map(({ key }) => key));
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let at = 0; at < count; at += atOnce) await work.append(records.slice(at, at + atOnce));
  const appended = performance.now();
  await work.finish({ signal: new AbortController().signal });
  const finished = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  await work.close();
  await writer.close();
  return {
    appendsPerSecond: Math.round(count / ((appended - started) / 1000)),
    finishSeconds: Number(((finished - appended) / 1000).toPrecision(3)),
    cpuMicrosecondsARecord: Math.round((user + system) / count),
  };
}

const directory = await mkdtemp(join(tmpdir(), "touchstone-bench-"));
try {
  const [folder, postgres] = [
    await timed(join(directory, "run")),
    store === undefined ? undefined : await timed(placeIn(store, `bench-${Date.now()}`)),
  ];
  const ratio = postgres && postgres.appendsPerSecond / folder.appendsPerSecond;
  console.log(
    JSON.stringify({ records: count, load: loadavg()[0], folder, postgres, ratio }, null, 2),
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}
