import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { keyOf } from "../../src/core/keys.js";
import { randomFrom } from "../../src/core/random.js";
import { openStore, placeIn } from "../../src/files/open-store.js";
import { copyRun } from "../../src/runs/copy-run.js";
import { generatedRun } from "../support/generated-run.js";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { touchstone } from "../support/touchstone.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));
const rounds = Number(process.env.CHAOS_ROUNDS ?? 20);
const seed = process.env.CHAOS_SEED ?? "fleet";
const [workers, concurrency, images] = [3, 4, 160];
/** Tasks that are taken in advance. */
const readAhead = 4;
const blows = 4;
const signal = new AbortController().signal;

/** A metric that takes a moment and notes each time it is asked, before it answers. */
const metric = `import { appendFileSync } from "node:fs";
export default {
  name: "slow", range: [0, 1], direction: "higher",
  async score({ text }) {
    appendFileSync("asked.txt", text + "\\n");
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { value: ([...text].reduce((sum, one) => sum + one.codePointAt(0), 0) % 97) / 97 };
  },
};
`;

async function recordsIn(directory: string): Promise<string> {
  const names = (await readdir(join(directory, "records"))).sort();
  const texts = names.map((name) => readFile(join(directory, "records", name), "utf8"));
  return keyOf((await Promise.all(texts)).join(""));
}

test.skipIf(noPostgres !== undefined)(
  `a fleet loses nothing and counts nothing twice, whatever is killed ${noPostgres ?? ""}`,
  async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const directory = await temporaryDirectory();
    for (const name of ["run", "whole"]) {
      await mkdir(join(directory, name));
      await generatedRun(join(directory, name), { images, metrics: 1 });
      // Nobody is to carry out the command that the generated run pretends to be made by.
      const recipe = join(directory, name, "run.json");
      const rest = JSON.parse(await readFile(recipe, "utf8"));
      await writeFile(recipe, JSON.stringify({ ...rest, commands: [] }));
    }
    await writeFile(join(directory, "slow.mjs"), metric);
    const alone = ["score", "whole", "--metric", "./slow.mjs"];
    expect(await touchstone(alone, { workingDirectory: directory })).toMatchObject({ code: 0 });
    const expected = await recordsIn(join(directory, "whole"));
    const tasks = await askedIn(directory);
    for (let round = 0; round < rounds; round++) {
      const { kills, restarts, asked, records } = await chaos(round, { server, directory });
      console.log(JSON.stringify({ round, kills, restarts, again: asked - tasks }));
      expect(records).toBe(expected);
      // What was in hand when something fell is asked again, and no more than that.
      const inHand = (kills + restarts * workers) * (concurrency + readAhead);
      expect(asked - tasks).toBeLessThanOrEqual(inHand);
    }
  },
  3_600_000,
);

/** One round: workers collect a run while they are killed, and the database restarts, as a seed says. */
async function chaos(
  round: number,
  { server, directory }: { readonly server: PostgresServer; readonly directory: string },
) {
  const random = randomFrom(seed, round);
  const store = await server.newDatabase();
  const place = placeIn(store, "run");
  const from = await openStore(join(directory, "run"));
  await copyRun(from, await openStore(place, { copyOf: from.recipe }), { signal });
  await writeFile(join(directory, "asked.txt"), "");
  const score = ["score", "run", "--metric", "./slow.mjs", "--store", store, "--max-calls", "1"];
  await touchstone(score, { workingDirectory: directory });

  const running = Array.from({ length: workers }, () => begun(store, directory));
  let [kills, restarts] = [0, 0];
  for (let blow = 0; blow < blows; blow++) {
    // While they are asking, not while they begin.
    const from = Math.round((images * (blow + random.between(0.2, 0.9))) / (blows + 1));
    while ((await askedIn(directory)) < from && running.some(isRunning)) await pause(10);
    const alive = running.filter(isRunning);
    const worker = alive[Math.floor(random.between(0, alive.length))];
    if (worker === undefined || random.between(0, 1) < 0.3) {
      await server.kill();
      await server.begin();
      restarts++;
    } else {
      worker.child.kill("SIGKILL");
      await worker.ended;
      running[running.indexOf(worker)] = begun(store, directory);
      kills++;
    }
  }
  await Promise.all(running.map(({ ended }) => ended));
  expect(running.map(({ child }) => child.exitCode)).toEqual(running.map(() => 0));
  const stored = await openStore(place);
  expect((await stored.check()).problems).toEqual([]);
  const copy = join(directory, `copy-${round}`);
  await copyRun(stored, await openStore(copy, { copyOf: stored.recipe }), { signal });
  return { kills, restarts, asked: await askedIn(directory), records: await recordsIn(copy) };
}

const isRunning = ({ child }: ReturnType<typeof begun>) => child.exitCode === null;

function begun(store: string, cwd: string) {
  const words = ["worker", "--store", store, "--until-idle", "--concurrency", String(concurrency)];
  const child = spawn(process.execPath, [bin, ...words], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { child, ended: once(child, "exit") };
}

const askedIn = async (directory: string): Promise<number> =>
  (await readFile(join(directory, "asked.txt"), "utf8")).split("\n").length - 1;
