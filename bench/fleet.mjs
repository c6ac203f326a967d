// Images by the hundred million: calls, tokens, hours and money by the number of workers, and which part is
// the first that can't go faster. What a worker's own work takes is measured here, by the very loop that
// workers run; all else stands with its source in fleet.yaml. A simulation lets every worker's calls wait
// for its processor, the object store, the judge and the database. --write writes the page in README.md:
//   node bench/fleet.mjs [--write] [CALLS]

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { instantCalls } from "./instant-calls.mjs";
import { words, writeBetweenMarks } from "./written-table.mjs";

const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { openStore } = await built("files/open-store.js");
const { runSteps } = await built("runs/run-steps.js");
const { randomFrom } = await built("core/random.js");
const yaml = (path) => parse(readFileSync(new URL(path, import.meta.url), "utf8"));

const given = yaml("./fleet.yaml");
const of = Object.fromEntries(Object.entries(given).map(([name, { value }]) => [name, value]));
const fleets = [1, 4, 16, 64, 256];
const calls = of.images * of.metrics;

/** A worker's own work: seconds of processor time for a call and for a key of a plan, bytes for a record. */
async function measured(count) {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-fleet-"));
  const step = instantCalls(count, { replyLength: 500 });
  const create = { command: "touchstone score", seed: 0, software: "bench" };
  const each = async () => {
    const cpu = process.cpuUsage();
    await runSteps({
      run: await openStore(join(directory, "run"), { create }),
      steps: [step],
      concurrency: of.callsAtOnce,
      openPicture: () => Promise.reject(new Error("Expected no picture")),
    });
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1e6 / count;
  };
  try {
    const [callSeconds, keySeconds] = [await each(), await each()];
    const bytesIn = (name) =>
      readdirSync(join(directory, "run", name))
        .map((file) => statSync(join(directory, "run", name, file)).size)
        .reduce((sum, size) => sum + size, 0) / count;
    return {
      callSeconds,
      keySeconds,
      recordBytes: bytesIn("records"),
      traceBytes: bytesIn("trace"),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The least first. */
class Heap {
  #items = [];
  get size() {
    return this.#items.length;
  }
  push(item) {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (items[above][0] <= item[0]) break;
      items[at] = items[above];
      at = above;
    }
    items[at] = item;
  }
  pop() {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && items[below + 1][0] < items[below][0]) below += 1;
      if (items[below][0] >= last[0]) break;
      items[at] = items[below];
      at = below;
    }
    items[at] = last;
    return first;
  }
}

/** Something that serves one after the other, or so many at once, in the order in which they come. */
class Served {
  busy = 0;
  constructor(atOnce = 1) {
    this.atOnce = atOnce;
    this.free = new Heap();
  }
  /** When it is done with what comes now. */
  until(now, seconds) {
    const start = this.free.size < this.atOnce ? now : Math.max(now, this.free.pop()[0]);
    this.free.push([start + seconds]);
    this.busy += seconds;
    return start + seconds;
  }
}

/** Calls a second of so many workers once all are at it, and how busy each part then is. */
function simulated(workers, judge, own) {
  const random = randomFrom(1, "fleet", String(workers));
  const parts = {
    "the judge's limit": new Served(),
    "the judge": new Served(judge.atOnce.value),
    "the database": new Served(),
    "the object store": new Served(),
    "the workers' processors": undefined,
  };
  const processors = Array.from({ length: workers }, () => new Served());
  const spacing = judge.requestsASecond === undefined ? 0 : 1 / judge.requestsASecond.value;
  const kept = of.claimSeconds / of.batch + 1 / of.insertsASecond;
  const stages = [
    (now, worker) => processors[worker].until(now, own.callSeconds),
    (now) => parts["the object store"].until(now, 1 / of.objectReadsASecond) + of.objectSeconds,
    (now) => parts["the judge's limit"].until(now, spacing),
    // Half to one and a half of the mean: answers differ in length.
    (now) => parts["the judge"].until(now, judge.seconds.value * (0.5 + random.next())),
    (now) => parts["the database"].until(now, kept),
  ];
  const slots = workers * of.callsAtOnce;
  const warm = 3 * slots;
  const all = warm + Math.max(20_000, 4 * slots);
  const events = new Heap();
  for (let slot = 0; slot < slots; slot++) events.push([slot * 1e-6, slot % workers, 0]);
  let done = 0;
  let from = 0;
  let before = {};
  const busyNow = () =>
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [
        name,
        part === undefined
          ? processors.reduce((sum, { busy }) => sum + busy, 0) / workers
          : part.busy / part.atOnce,
      ]),
    );
  for (;;) {
    const [now, worker, stage] = events.pop();
    if (stage === stages.length) {
      done += 1;
      if (done === warm) [from, before] = [now, busyNow()];
      if (done === all) {
        const seconds = now - from;
        const busy = Object.entries(busyNow()).map(([name, sum]) => [
          name,
          (sum - before[name]) / seconds,
        ]);
        return { rate: (all - warm) / seconds, busy: busy.sort((a, b) => b[1] - a[1]) };
      }
    }
    const next = stage === stages.length ? 0 : stage;
    events.push([stages[next](now, worker), worker, next + 1]);
  }
}

const [count = 20_000] = words.map(Number);
const own = await measured(count);
const patches = Math.ceil(of.imageSide / 32) ** 2;
const round = (value, digits = 3) => Number(value.toPrecision(digits)).toLocaleString("en-US");
const lines = [
  `${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0].toFixed(1)}, Node ${process.version.slice(1)}. ` +
    `Measured over ${count.toLocaleString("en-US")} calls into a folder: ${round(own.callSeconds * 1e6)} µs of processor time a ` +
    `call, ${round(own.keySeconds * 1e6)} µs a key of a plan that is done, ${round(own.recordBytes)} bytes a record and ` +
    `${round(own.traceBytes)} a note beside it. All else from [fleet.yaml](fleet.yaml), each number with its source.`,
];

const planHours = (own.keySeconds * of.images) / 3600;
const orderHours = (of.orderSeconds * calls) / 3600;
for (const judge of Object.values(given.judges)) {
  const found = fleets.map((workers) => ({ workers, ...simulated(workers, judge, own) }));
  const price = yaml("../data/prices.yaml")
    .flatMap(({ models }) => Object.entries(models))
    .find(([name]) => name === judge.model)?.[1];
  const tokens = of.textTokens + patches * (price?.image?.patch ?? 1);
  const money = (hours) =>
    price === undefined
      ? judge.servers * judge.serverHour.value * hours
      : (calls * (tokens * price.input + of.answerTokens * price.output)) / 1e6;
  lines.push(
    "",
    `**${judge.about}**: ${round(calls)} calls, ${round(calls * (tokens + of.answerTokens))} tokens.`,
    "",
    "| workers | calls a second | days | US dollars | busiest | next |",
    "| ---: | ---: | ---: | ---: | --- | --- |",
  );
  for (const { workers, rate, busy } of found) {
    const hours = calls / rate / 3600;
    const cost = money(hours) + calls * of.objectReadsPrice;
    const [first, second] = busy.map(([name, share]) => `${name} ${(100 * share).toFixed(0)} %`);
    lines.push(
      `| ${workers} | ${round(rate)} | ${round(hours / 24)} | ${round(cost)} | ${first} | ${second} |`,
    );
  }
}
lines.push(
  "",
  "What stands beside the calls, whatever the judge:",
  "",
  `- **The plan (coordinator).** Each worker holds up to ${round((of.keyBytes * of.images) / 1e9)} GB of keys for a step of all ` +
    `images and goes over its plan for ${round(planHours)} hours of its processor, for each of ${of.metrics} steps. It is the ` +
    "first thing to give way: make runs of a million images each, and start workers on all of them.",
  `- **Order.** Putting all steps in order takes the database some ${round(orderHours)} hours, if it grows in line.`,
  `- **Kept.** ${round((own.recordBytes * calls) / 1e9)} GB of records and ${round((own.traceBytes * calls) / 1e9)} GB of notes.`,
  `- **Ceilings.** One database keeps ${round(1 / (of.claimSeconds / of.batch + 1 / of.insertsASecond))} calls a second ` +
    `(claims of ${of.batch} tasks take ${round((100 * of.claimSeconds) / of.batch / (of.claimSeconds / of.batch + 1 / of.insertsASecond))} % of that; they are counted one at a time, though a database does several at once), ` +
    `a worker's processor ${round(1 / own.callSeconds)}, a prefix of the object store ${round(of.objectReadsASecond)}.`,
  "",
  "What to do where a part is busiest: **judge**: more servers, or a higher tier; ask only what can change an answer " +
    "(a calibrated judge's rounds). **Database**: several databases, some runs in each. **Object store**: nothing, as " +
    "long as hashes spread images over 256 prefixes. **Workers**: more of them.",
);
const page = lines.join("\n");
console.log(page);
if (process.argv.includes("--write")) writeBetweenMarks("fleet", page);
