// 200 people on one study over real sockets, the server killed (kill -9) ten times in between: how long
// calls take, whether an acknowledged answer was lost or counted twice, and whether every item has its
// ratings. Ends with 1 where it is not so, or the 95th percentile of a kind of calls is the bar or more.
//   node bench/study-load.mjs [--people 200] [--kills 10] [--think 2000] [--bar 200]
// Several servers on one study in a database, behind a proxy that sends each request to the next of them:
//   PGPASSWORD=… node bench/study-load.mjs --servers 2 --store postgres://me@localhost/bench --kills 1
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { openStudy } from "../dist/studies/home/open-study.js";
import { collect } from "../dist/studies/tables/counted-answers.js";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "200" },
    kills: { type: "string", default: "10" },
    think: { type: "string", default: "2000" },
    bar: { type: "string", default: "200" },
    servers: { type: "string", default: "1" },
    store: { type: "string" },
  },
});
const people = Number(values.people);
const kills = Number(values.kills);
const think = Number(values.think);
const bar = Number(values.bar);
const serverCount = Number(values.servers);
const name = values.store === undefined ? "study" : `load-${Date.now()}`;
const inStore = values.store === undefined ? [] : ["--store", values.store];
const itemsEach = 20;
const pairs = 100;
const ratingsPerItem = (people * itemsEach) / pairs;
const bin = new URL("../bin/touchstone", import.meta.url).pathname;

const folder = await mkdtemp(join(tmpdir(), "touchstone-load-"));
const images = await Promise.all(
  Array.from({ length: 2 * pairs }, async (_, at) => {
    const name = `${at}.png`;
    const data = Buffer.alloc(512 * 512 * 3, createHash("sha256").update(name).digest());
    await sharp(data, { raw: { width: 512, height: 512, channels: 3 } })
      .png()
      .toFile(join(folder, name));
    return name;
  }),
);
const rows = Array.from(
  { length: pairs },
  (_, at) => `pair-${at},${images[2 * at]},${images[2 * at + 1]},x,y`,
);
await writeFile(
  join(folder, "pairs.csv"),
  ["id,image_a,image_b,model_a,model_b", ...rows, ""].join("\n"),
);
await writeFile(
  join(folder, "study.yaml"),
  // As many answers are wanted as these people can give: that they are no more must be said.
  `title: Load\nopen: true\nconsent: yes\nparticipants: ${people}\nblocks:\n  - {protocol: pairwise, from: pairs.csv, ` +
    `ratingsPerItem: ${ratingsPerItem}, itemsPerParticipant: ${itemsEach}}\n`,
);
await run("study", "create", "study.yaml", "--run", name, ...inStore);

const ports = await Promise.all(Array.from({ length: serverCount }, freePort));
const servers = await Promise.all(ports.map(serve));
const proxy = serverCount === 1 ? undefined : await roundRobin(ports);
const url = `http://127.0.0.1:${proxy?.port ?? ports[0]}`;
let killed = 0;
/** Milliseconds from each kill to when its successor serves: no call that waits for that is timed. */
const away = [];
const times = { next: [], answers: [], images: [] };
let repeated = 0;
const acknowledged = [];
const begun = performance.now();
const work = Promise.all(Array.from({ length: people }, (_, at) => annotate(`person-${at}`)));
let isDone = false;
work.finally(() => {
  isDone = true;
});
// Spread over what the answers take at this pace.
const pause = (itemsEach * think) / (kills + 1);
for (; killed < kills && !isDone; killed++) {
  await sleep(pause);
  if (isDone) break;
  const at = killed % serverCount;
  const killedAt = performance.now();
  servers[at].kill("SIGKILL");
  servers[at] = await serve(ports[at]);
  away.push(performance.now() - killedAt);
}
await work;
const seconds = (performance.now() - begun) / 1000;
const processorSeconds = await processorTime(servers);
for (const server of servers) {
  server.kill("SIGTERM");
  await new Promise((resolve) => server.once("exit", resolve));
}
proxy?.child.kill();

const place = values.store === undefined ? join(folder, name) : `${values.store}/${name}`;
const { answers } = await collect(await openStudy(place));
const found = new Map();
const byItem = new Map();
for (const { participant, item, swapped } of answers) {
  const slot = `${participant} ${item.id}`;
  found.set(slot, (found.get(slot) ?? 0) + 1);
  const count = byItem.get(item.id) ?? { answers: 0, sides: 0 };
  byItem.set(item.id, { answers: count.answers + 1, sides: count.sides + (swapped ? -1 : 1) });
}
const line = (kind, all) => {
  const at = (share) => percentile(all, share).toFixed(1);
  return `${kind.padEnd(14)} n ${String(all.length).padStart(6)}   p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   p99 ${at(0.99)} ms`;
};
console.log(
  `${people} people, think time ${think} ms, ${serverCount} ${serverCount === 1 ? "server" : "servers"} on ` +
    `${values.store === undefined ? "a folder" : "a database"}, ${killed} kills, ${seconds.toFixed(0)} s, ` +
    `${availableParallelism()} processors, load ${loadavg()[0].toFixed(1)}; ${repeated} calls repeated`,
);
console.log(line("GET next", times.next));
console.log(line("POST answers", times.answers));
console.log(line("GET images", times.images));
if (killed === 0 && processorSeconds !== undefined) {
  const calls = times.next.length + times.answers.length + times.images.length;
  const each = ((1000 * processorSeconds) / calls).toFixed(2);
  console.log(`${each} ms of the servers' processor time a call, their start and joining included`);
}
if (killed > 0) {
  const [half, most] = [percentile(away, 0.5), away.reduce((a, b) => Math.max(a, b))].map((ms) =>
    ms.toFixed(0),
  );
  console.log(`Away after a kill: p50 ${half} ms, longest ${most} ms; no call above counts that`);
}
const lost = acknowledged.length - answers.length;
const twice = [...found.values()].filter((count) => count > 1).length;
const short = pairs - [...byItem.values()].filter((of) => of.answers === ratingsPerItem).length;
const uneven = [...byItem.values()].filter((count) => Math.abs(count.sides) > 1).length;
console.log(
  `${acknowledged.length} answers acknowledged: ${Math.max(0, lost)} lost, ${twice} twice; of ${pairs} items ` +
    `${short} without their ${ratingsPerItem} ratings, ${uneven} with sides uneven by more than one`,
);
await rm(folder, { recursive: true, force: true });
const missed = Object.entries(times).filter(([, all]) => percentile(all, 0.95) >= bar);
for (const [kind, all] of missed) {
  console.log(
    `Missed: p95 of ${kind} is ${percentile(all, 0.95).toFixed(1)} ms, the bar ${bar} ms`,
  );
}
process.exitCode = lost > 0 || twice > 0 || short > 0 || uneven > 0 || missed.length > 0 ? 1 : 0;

/** One person: joins, agrees, then looks, thinks and answers until nothing is left. */
async function annotate(id) {
  const joined = await call("participants", { external: { source: "load", id } });
  const { session, study } = await joined.json();
  await call("consent", { version: study.consent.version, agreed: true }, session);
  for (;;) {
    const next = await timed(times.next, () => call("next", undefined, session));
    if (next.status === 204) return;
    const { assignment, item } = await next.json();
    for (const name of [...item.a, ...item.b]) {
      const image = await timed(times.images, () => call(`images/${name}`, undefined, session));
      await image.arrayBuffer();
    }
    await sleep(think * (0.5 + Math.random()));
    const answer = await timed(times.answers, () =>
      call("answers", { assignment, answer: { preferred: "a" } }, session),
    );
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    acknowledged.push(assignment);
  }
}

function percentile(all, share) {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Repeats a call until a server answers, as the page does; only the call that is answered is timed. */
async function call(path, body, session) {
  for (;;) {
    const begun = performance.now();
    try {
      const response = await fetch(`${url}/api/${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(session && { Authorization: `Bearer ${session}` }),
          ...(body && { "Content-Type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      response.milliseconds = performance.now() - begun;
      if (response.status < 500) return response;
      await response.arrayBuffer();
    } catch {}
    repeated += 1;
    await sleep(50);
  }
}

async function timed(list, work) {
  const response = await work();
  list.push(response.milliseconds);
  return response;
}

function serve(port) {
  const child = spawn(
    process.execPath,
    [bin, "study", "serve", name, "--port", String(port), "--json", ...inStore],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return new Promise((resolve, reject) => {
    child.stdout.once("data", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}`)));
  });
}

/** Seconds that these processes computed; undefined where the system does not tell. */
async function processorTime(processes) {
  const ticks = await Promise.all(
    processes.map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
      const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
      return fields === undefined ? Number.NaN : Number(fields[11]) + Number(fields[12]);
    }),
  );
  const all = ticks.reduce((sum, one) => sum + one, 0);
  return Number.isNaN(all) ? undefined : all / 100;
}

function roundRobin(ports) {
  const script = new URL("./round-robin.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...ports.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve) =>
    child.stdout.once("data", (port) => resolve({ child, port: Number(port) })),
  );
}

function run(...words) {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) =>
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${words.join(" ")}: ${code}`)),
    ),
  );
}

function freePort() {
  const probe = createServer();
  return new Promise((resolve) =>
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    }),
  );
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
