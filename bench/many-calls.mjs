// Goes over a run of 50,000 calls to a model that answers at once, twice: to make it, and to find
// nothing to do; then reads it. Memory is bounded by a flag of Node's: npm run build, then
// node --max-old-space-size=200 bench/many-calls.mjs [CALLS]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instantCalls } from "./instant-calls.mjs";

const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { openStore } = await built("files/open-store.js");
const { runSteps } = await built("runs/run-steps.js");

const calls = Number(process.argv[2] ?? 50_000);
const directory = await mkdtemp(join(tmpdir(), "touchstone-many-"));
const step = instantCalls(calls, { replyLength: 2000 });

const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(0);
let mostRss = 0;
let mostHeap = 0;
const watch = setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  mostRss = Math.max(mostRss, rss);
  mostHeap = Math.max(mostHeap, heapUsed);
}, 20);

async function timed(what, work) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - began) / 1000;
  const each = (user + system) / calls;
  console.log(`${what}: ${done}, ${seconds.toFixed(1)} s, ${each.toFixed(0)} µs of CPU each`);
}

try {
  const create = { command: "touchstone score", seed: 0, software: "bench" };
  const go = async () => {
    const folder = await openStore(join(directory, "run"), { create });
    const [{ done, reused }] = await runSteps({
      run: folder,
      steps: [step],
      concurrency: 64,
      openPicture: () => Promise.reject(new Error("Expected no picture")),
    });
    return `${done} done, ${reused} of them before`;
  };
  await timed("asked", go);
  await timed("asked again", go);
  await timed("read", async () => {
    let count = 0;
    const folder = await openStore(join(directory, "run"));
    for await (const _ of folder.ofType("score")) count++;
    return `${count} records`;
  });
  console.log(`at most ${megabytes(mostHeap)} MB of heap in use, ${megabytes(mostRss)} MB in all`);
} finally {
  clearInterval(watch);
  await rm(directory, { recursive: true, force: true });
}
