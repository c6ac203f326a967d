// 200 people on one study over real sockets, the server killed (kill -9) ten times in between: how long
// calls take, and whether an acknowledged answer was lost or counted twice.
//   node bench/study-load.mjs [--people 200] [--kills 10] [--think 2000]
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { collect, openStudyFolder } from "../dist/studies/index.js";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "200" },
    kills: { type: "string", default: "10" },
    think: { type: "string", default: "2000" },
  },
});
const people = Number(values.people);
const kills = Number(values.kills);
const think = Number(values.think);
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
  `title: Load\nopen: true\nconsent: yes\nblocks:\n  - {protocol: pairwise, from: pairs.csv, ` +
    `ratingsPerItem: ${ratingsPerItem}, itemsPerParticipant: ${itemsEach}}\n`,
);
await run("study", "create", "study.yaml", "--run", "study");

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
let server = await serve();
let killed = 0;
const times = { next: [], answers: [], images: [] };
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
  server.kill("SIGKILL");
  server = await serve();
}
await work;
const seconds = (performance.now() - begun) / 1000;
server.kill("SIGTERM");
await new Promise((resolve) => server.once("exit", resolve));

const { answers } = await collect(await openStudyFolder(join(folder, "study")));
const found = new Map();
const byItem = new Map();
for (const { participant, item, swapped } of answers) {
  const name = `${participant} ${item.id}`;
  found.set(name, (found.get(name) ?? 0) + 1);
  const count = byItem.get(item.id) ?? { answers: 0, sides: 0 };
  byItem.set(item.id, { answers: count.answers + 1, sides: count.sides + (swapped ? -1 : 1) });
}
const line = (name, all) => {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `${name.padEnd(14)} n ${String(sorted.length).padStart(6)}   p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   p99 ${at(0.99)} ms`;
};
console.log(
  `${people} people, think time ${think} ms, ${killed} kills, ${seconds.toFixed(0)} s, ${availableParallelism()} processors`,
);
console.log(line("GET next", times.next));
console.log(line("POST answers", times.answers));
console.log(line("GET images", times.images));
const lost = acknowledged.length - answers.length;
const twice = [...found.values()].filter((count) => count > 1).length;
const short = [...byItem.values()].filter((count) => count.answers !== ratingsPerItem).length;
const uneven = [...byItem.values()].filter((count) => Math.abs(count.sides) > 1).length;
console.log(
  `${acknowledged.length} answers acknowledged: ${Math.max(0, lost)} lost, ${twice} twice; of ${pairs} items ` +
    `${short} without their ${ratingsPerItem} ratings, ${uneven} with sides uneven by more than one`,
);
await rm(folder, { recursive: true, force: true });
process.exitCode = lost > 0 || twice > 0 || byItem.size < pairs ? 1 : 0;

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
      return response;
    } catch {
      await sleep(50);
    }
  }
}

async function timed(list, work) {
  const response = await work();
  list.push(response.milliseconds);
  return response;
}

function serve() {
  const child = spawn(
    process.execPath,
    [bin, "study", "serve", "study", "--port", String(port), "--json"],
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
