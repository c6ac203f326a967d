import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const asking = fileURLToPath(new URL("./asking-step.mjs", import.meta.url));

/**
 * A model behind a real socket: answers each text with a number that follows from it, after
 * `delay` milliseconds, and counts how often it was asked for which.
 */
async function countingServer(delay) {
  const asked = new Map();
  const server = createServer(async (request, response) => {
    request.setEncoding("utf8");
    let text = "";
    for await (const piece of request) text += piece;
    asked.set(text, (asked.get(text) ?? 0) + 1);
    const value = (Number(text.replace(/\D/g, "")) % 1009) / 1009;
    setTimeout(() => response.end(JSON.stringify({ value })), delay);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Numbers in [0, 1) that follow from the seed (a linear congruential generator, modulus 2^31). */
function* fractions(seed) {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

/** Everything of a run that must come out the same, by its path. */
async function recordsOf(directory) {
  const folder = join(directory, "records");
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]),
    ),
  );
}

/**
 * Works on a run whose tasks are asked of a server over HTTP, kills the process so often at random
 * moments of its work, starts another each time, and lets the last one end. The moments follow from
 * the seed: a random number of records after its start, and up to `jitter` milliseconds later. The
 * last `inOrder` kills come when all is asked and the records are being put in order.
 */
export async function killRun({
  directory,
  calls,
  kills,
  concurrency,
  delay,
  inOrder = 0,
  jitter = 0,
  seed = 0,
}) {
  const server = await countingServer(delay);
  const random = fractions(seed + 1);
  const next = () => random.next().value;
  const begin = () => {
    const child = spawn(
      process.execPath,
      [asking, directory, server.url, String(calls), String(concurrency)],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    return { child, stderr: () => stderr };
  };
  /** Kills after so many events were told of; returns whether it was still at work then. */
  const killAfter = async (events) => {
    const { child, stderr } = begin();
    const isOver = once(child, "close");
    const wait = jitter * next();
    let told = 0;
    let timer;
    child.stdout.setEncoding("utf8").on("data", (text) => {
      told += text.length;
      if (told < events) return;
      if (jitter === 0) child.kill("SIGKILL");
      else timer ??= setTimeout(() => child.kill("SIGKILL"), wait);
    });
    const [code, signal] = await isOver;
    clearTimeout(timer);
    if (signal === "SIGKILL") return true;
    if (code === 0) return false;
    throw new Error(`Expected to be killed or to end well but ended with ${code}: ${stderr()}`);
  };
  try {
    let killed = 0;
    const most = Math.floor((1.5 * calls) / (kills + 1));
    for (let kill = 0; kill < kills - inOrder; kill++) {
      if (await killAfter(1 + Math.floor(next() * most))) killed++;
    }
    const asked = () => server.asked.size;
    while (inOrder > 0 && asked() < calls) await killAfter(calls - asked() + 1);
    for (let kill = 0; kill < inOrder; kill++) if (await killAfter(1)) killed++;
    const { child, stderr } = begin();
    child.stdout.resume();
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`Expected to end well but ended with ${code}: ${stderr()}`);
    const counts = [...server.asked.values()];
    return {
      killed,
      records: await recordsOf(directory),
      left: (await readdir(directory)).sort(),
      asked: server.asked.size,
      again: counts.reduce((sum, count) => sum + count - 1, 0),
    };
  } finally {
    await server.close();
  }
}
