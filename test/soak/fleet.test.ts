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
import { runStatus } from "../../src/runs/run-status.js";
import { CutLine } from "../support/cut-line.js";
import { generatedRun } from "../support/generated-run.js";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";
import { SmallDisk } from "../support/small-disk.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { touchstone } from "../support/touchstone.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));
const rounds = Number(process.env.CHAOS_ROUNDS ?? 20);
const seed = process.env.CHAOS_SEED ?? "fleet";
/** How long the network is cut; an hour's soak has no time for the half a minute of a real one. */
const cutSeconds = Number(process.env.CHAOS_CUT_SECONDS ?? 2);
const [workers, concurrency, images] = [3, 4, 160];
/** Tasks that are taken in advance. */
const readAhead = 4;
const blows = 4;
const incomplete = 3;
const signal = new AbortController().signal;

/** A metric that takes a moment and notes each time it is asked, before it answers. */
const metric = `import { appendFileSync } from "node:fs";
export default {
  name: "slow", range: [0, 1], direction: "higher",
  async score({ text, image }) {
    appendFileSync("asked.txt", process.pid + " " + image.hash + " " + text + "\\n");
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { value: ([...text].reduce((sum, one) => sum + one.codePointAt(0), 0) % 97) / 97 };
  },
};
`;
const step = "score-images-slow-none";

async function recordsIn(directory: string): Promise<string> {
  const names = (await readdir(join(directory, "records"))).sort();
  const texts = names.map((name) => readFile(join(directory, "records", name), "utf8"));
  return keyOf((await Promise.all(texts)).join(""));
}

test.skipIf(noPostgres !== undefined)(
  `a fleet loses nothing and counts nothing twice, whatever befalls it ${noPostgres ?? ""}`,
  async () => {
    const [disk, logDisk] = [await SmallDisk.mount(48), await SmallDisk.mount(24)];
    const server = await PostgresServer.start({ log: logDisk?.path });
    onTestFinished(() => server.stop());
    const line = await CutLine.to(server.port);
    onTestFinished(() => line.stop());
    if (disk === undefined) console.log("No disk is filled up: a small one can't be mounted here");
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
    const tasks = (await askedIn(directory)).length;
    expect(new Set((await askedIn(directory)).map(({ task }) => task)).size).toBe(tasks);
    try {
      for (let round = 0; round < rounds; round++) {
        const store = await server.newDatabase({ folder: disk?.path ?? "" });
        const chaos = new Chaos({ round, server, line, disk, logDisk, directory, store });
        const { befell, asked, records, ...rest } = await chaos.run();
        console.log(JSON.stringify({ round, ...befell, ...rest, again: asked - tasks }));
        expect(records).toBe(expected);
        // What was in hand when something fell is asked again, and no more than that.
        const { killed, ...ofAll } = befell;
        const fleets = Object.values(ofAll).reduce((sum, many) => sum + many, 0);
        const inHand = (killed + fleets * workers) * (concurrency + readAhead);
        expect(asked - tasks).toBeLessThanOrEqual(inHand);
        await server.dropDatabase(store);
      }
    } finally {
      await server.kill();
      await disk?.unmount();
      await logDisk?.unmount();
    }
  },
  3_600_000,
);

interface Place {
  readonly round: number;
  readonly server: PostgresServer;
  /** What the workers reach the server by. */
  readonly line: CutLine;
  /** Where the tables lie, and where the server's write-ahead log does. */
  readonly disk: SmallDisk | undefined;
  readonly logDisk: SmallDisk | undefined;
  readonly directory: string;
  readonly store: string;
}

/** One round: workers collect a run while a seed says what befalls them. */
class Chaos {
  readonly #place: Place;
  readonly #befell = { killed: 0, restarted: 0, told: 0, silent: 0, full: 0, fullLog: 0 };
  #running: ReturnType<typeof begun>[] = [];
  readonly #checks: Promise<void>[] = [];
  #statuses = 0;
  /** How often a status was sooner than the line, which tells the server of a death. */
  #heardLater = 0;
  /** Process numbers of those that were killed. */
  readonly #gone: (number | undefined)[] = [];
  /** Why workers said that they could not go on. */
  readonly #stopped: string[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  async run() {
    const { round, store, directory } = this.#place;
    const place = placeIn(store, "run");
    const from = await openStore(join(directory, "run"));
    await copyRun(from, await openStore(place, { copyOf: from.recipe }), { signal });
    await writeFile(join(directory, "asked.txt"), "");
    const score = ["score", "run", "--metric", "./slow.mjs", "--store", store, "--max-calls", "1"];
    await touchstone(score, { workingDirectory: directory });

    this.#running = Array.from({ length: workers }, () => this.#begun());
    const random = randomFrom(seed, round);
    const kept: { readonly before: number; readonly tasks: ReadonlySet<string> }[] = [];
    for (let blow = 0; blow < blows; blow++) {
      // While they are asking, not while they begin.
      const from = Math.round((images * (blow + random.between(0.2, 0.9))) / (blows + 1));
      while ((await askedIn(directory)).length < from && this.#alive.length > 0) await pause(10);
      if (this.#alive.length === 0) break;
      await this.#befall(random.between(0, 1), Math.floor(random.between(0, workers)));
      kept.push(await this.#acknowledged());
      this.#checks.push(this.#checkStatus());
    }
    await this.#end();
    await Promise.all(this.#checks);
    await this.#checkStatus();

    const asked = await askedIn(directory);
    for (const { before, tasks } of kept) {
      const again = afterInHand(asked.slice(before)).filter(({ task }) => tasks.has(task));
      expect(again).toEqual([]);
    }
    const stored = await openStore(place);
    expect((await stored.check()).problems).toEqual([]);
    const copy = join(directory, `copy-${round}`);
    await copyRun(stored, await openStore(copy, { copyOf: stored.recipe }), { signal });
    const records = await recordsIn(copy);
    return {
      befell: this.#befell,
      asked: asked.length,
      records,
      stopped: this.#stopped,
      statuses: this.#statuses,
      heardLater: this.#heardLater,
    };
  }

  /** Until all have ended because nothing is left: who met a full disk, or no server, is begun again. */
  async #end(): Promise<void> {
    for (;;) {
      await Promise.all(this.#running.map(({ ended }) => ended));
      const codes = this.#running.map(({ child }) => child.exitCode);
      const mayStop = this.#befell.full + this.#befell.fullLog > 0;
      if (!mayStop || !codes.includes(incomplete)) {
        expect(codes).toEqual(this.#running.map(() => 0));
        return;
      }
      this.#beginAgain();
    }
  }

  /** Begins those again that said that they could not go on. */
  #beginAgain(): void {
    this.#running = this.#running.map((one) => {
      if (one.child.exitCode !== incomplete) return one;
      this.#stopped.push(one.said());
      return this.#begun();
    });
  }

  async #befall(chance: number, which: number): Promise<void> {
    const { server, line, disk, logDisk } = this.#place;
    const alive = this.#alive;
    const worker = alive[which % alive.length];
    if (worker !== undefined && chance < 0.3) {
      worker.child.kill("SIGKILL");
      await worker.ended;
      this.#gone.push(worker.child.pid);
      this.#running[this.#running.indexOf(worker)] = this.#begun();
      this.#befell.killed++;
    } else if (disk !== undefined && chance < 0.42) {
      await disk.fill();
      // A worker ends at a full disk, as any command does, and is begun again when there is room.
      await Promise.all(this.#running.map(({ ended }) => ended));
      await disk.free();
      this.#beginAgain();
      this.#befell.full++;
    } else if (logDisk !== undefined && chance < 0.55) {
      // Who asks by hand waits for nothing.
      await Promise.all(this.#checks);
      await fillLog(server, logDisk);
      this.#befell.fullLog++;
    } else if (chance < 0.78) {
      const how = chance < 0.66 ? "told" : "silent";
      line.cut(how);
      await pause(1000 * cutSeconds);
      line.mend();
      this.#befell[how]++;
    } else {
      await Promise.all(this.#checks);
      await server.kill();
      await server.begin();
      this.#befell.restarted++;
    }
  }

  /** What is kept by now, and how often anybody had been asked before that was known. */
  async #acknowledged() {
    const { server, store, directory } = this.#place;
    const rows = await server.ask(store, `select r.line ${recordsOf}`);
    const tasks = rows.map((row) => {
      const { image, text } = JSON.parse(String(Object(row).line));
      return `${image} ${text}`;
    });
    return { tasks: new Set(tasks), before: (await askedIn(directory)).length };
  }

  /** What `run status` says lies between what stood there before and after. */
  async #checkStatus(): Promise<void> {
    const { server, store } = this.#place;
    const place = placeIn(store, "run");
    const count = async () => {
      const [row] = await server.ask(
        store,
        `select count(distinct r.key)::int as many ${recordsOf}`,
      );
      return Number(Object(row).many);
    };
    const gone = this.#gone.map((pid) => `process ${pid} of`);
    const before = await count();
    const { steps, atWork } = await runStatus(await openStore(place));
    const after = await count();
    const told = steps.find((one) => one.step === step);
    expect(told?.done).toBeGreaterThanOrEqual(before);
    expect(told?.done).toBeLessThanOrEqual(after);
    expect(told?.isFinished === true && (told?.done ?? 0) < (told?.planned ?? 0)).toBe(false);
    const counted = (some: typeof atWork) =>
      some.filter(({ who }) => gone.some((one) => who.startsWith(one)));
    // The line has yet to tell the server of a worker that was killed a moment ago.
    if (counted(atWork).length > 0) {
      const again = async () => counted((await runStatus(await openStore(place))).atWork);
      await expect.poll(again, { interval: 20, timeout: 5_000 }).toEqual([]);
      this.#heardLater++;
    }
    this.#statuses++;
  }

  get #alive() {
    return this.#running.filter(isRunning);
  }

  #begun() {
    const { store, line, directory } = this.#place;
    return begun(Object.assign(new URL(store), { port: String(line.port) }).href, directory);
  }
}

/** A server whose write-ahead log can't grow ends by itself; somebody makes room and starts it. */
async function fillLog(server: PostgresServer, disk: SmallDisk): Promise<void> {
  await disk.fill();
  let isUp = true;
  const ended = server.ended().then(() => {
    isUp = false;
  });
  const write = "select pg_logical_emit_message(false, 'ballast', repeat('x', 500000))";
  while (isUp) await server.ask("postgres", write).catch(() => pause(20));
  await ended;
  await disk.free();
  await server.kill();
  await server.begin();
}

const recordsOf = `from touchstone.records r join touchstone.steps s on s.id = r.step
  where s.name = '${step}'`;

const isRunning = ({ child }: ReturnType<typeof begun>) =>
  child.exitCode === null && child.signalCode === null;

function begun(store: string, cwd: string) {
  const words = ["worker", "--store", store, "--until-idle", "--concurrency", String(concurrency)];
  const child = spawn(process.execPath, [bin, ...words], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stderr.on("data", (some) => {
    text += some;
  });
  return { child, ended: once(child, "close"), said: () => /Could not .*/.exec(text)?.[0] ?? text };
}

/** A worker's asking of a task. */
interface Asked {
  readonly worker: string;
  readonly task: string;
}

const askedIn = async (directory: string): Promise<Asked[]> => {
  const lines = (await readFile(join(directory, "asked.txt"), "utf8")).split("\n").slice(0, -1);
  return lines.map((line) => {
    const [worker = "", ...task] = line.split(" ");
    return { worker, task: task.join(" ") };
  });
};

/** All but the first that each worker asked: of those it had decided on before, as many as it has in hand. */
function afterInHand(asked: readonly Asked[]): Asked[] {
  const seen = new Map<string, number>();
  return asked.filter(({ worker }) => {
    const many = seen.get(worker) ?? 0;
    seen.set(worker, many + 1);
    return many >= concurrency;
  });
}
