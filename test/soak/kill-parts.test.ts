import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { randomFrom } from "../../src/core/random.js";
import { completion, misbehavingServer } from "../support/misbehaving-server.js";
import { colouredImage } from "../support/scripted-openai.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));
const kills = Number(process.env.KILLS ?? 200);
/** Half as many again as the calls of one performer at once: an answer is kept while the next is asked. */
const inHand = 24;

const asked = new Map<string, number>();
let onCall = () => {};
let variables: Record<string, string | undefined> = {};
let directory = "";

/** Runs a verb; `killer` is handed what kills it. Tells whether it was killed. */
async function run(words: string, killer: (kill: () => void) => void = () => {}) {
  const child = spawn(process.execPath, [bin, ...words.split(" ")], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  killer(() => void child.kill("SIGKILL"));
  const [code, signal] = await once(child, "close");
  if (signal !== "SIGKILL") expect([code, said]).toEqual([0, expect.any(String)]);
  return signal === "SIGKILL";
}

/** The files below a folder, by their path. */
async function bytesIn(folder: string): Promise<Record<string, string>> {
  const found = await readdir(join(directory, folder), { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const texts = await Promise.all(files.map((file) => readFile(file, "base64")));
  return Object.fromEntries(
    files.map((file, at) => [file.slice(directory.length), texts[at] ?? ""]),
  );
}

/** The same with another folder's name. */
const under = (files: Record<string, string>, name: string) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path.replace(/^\/\w+/, name), text]),
  );

/** A run of so many calls that was done, `whole`, one that is to be planned, `begun`, and one that was, `planned`. */
async function prepare(rows: number) {
  asked.clear();
  directory = await temporaryDirectory();
  const { baseUrl } = await misbehavingServer({
    behave: ({ body }) => {
      const [, scene = ""] = /scene (\d+)\./.exec(JSON.stringify(body)) ?? [];
      asked.set(scene, (asked.get(scene) ?? 0) + 1);
      onCall();
      const yes = (Number(scene) + 1) / (rows + 1);
      return { kind: "reply", json: completion({ probabilities: { Yes: yes, No: 1 - yes } }) };
    },
  });
  variables = {
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: "sk-0123456789abcdef",
    TOUCHSTONE_CACHE: join(directory, "answers"),
  };
  await writeFile(join(directory, "a.png"), colouredImage("image", 0, 16));
  const lines = Array.from({ length: rows }, (_, at) => `a.png,scene ${at}.`);
  await writeFile(join(directory, "table.csv"), ["image,text", ...lines, ""].join("\n"));
  const score = "score table.csv --metric vqa-score --model openai-compatible:tiny --no-sanity";
  await run(`${score} --run whole`);
  await run(`${score} --run begun --plan`);
  await cp(join(directory, "begun"), join(directory, "planned"), { recursive: true });
  await run(`run plan planned --exchange shared --part-size ${rows / 10}`);
  await rm(join(directory, "answers"), { recursive: true });
  const folder = join("shared", "tasks");
  const names = await readdir(join(directory, folder), { recursive: true });
  const parts = names.filter((name) => name.endsWith(".parquet")).map((name) => join(folder, name));
  return `run perform ${parts.join(" ")}`;
}

test(`a performer killed at ${kills} random points: equal bytes, and no answer is asked for again`, async () => {
  const rows = 20 * kills;
  const perform = await prepare(rows);
  const random = randomFrom(1, "kills of a performer");
  asked.clear();
  let killed = 0;
  for (let life = 0; life < kills; life++) {
    let left = 1 + random.integer(Math.floor((1.5 * rows) / kills));
    const after = random.integer(40);
    const isKilled = await run(perform, (kill) => {
      onCall = () => {
        if (--left === 0) setTimeout(kill, after);
      };
    });
    if (isKilled) killed++;
  }
  onCall = () => {};
  await run(perform);
  await cp(join(directory, "planned"), join(directory, "performed"), { recursive: true });
  await run("run finish performed --exchange shared");
  expect(under(await bytesIn("performed/records"), "")).toEqual(
    under(await bytesIn("whole/records"), ""),
  );
  await run("run verify performed");
  expect(asked.size).toBe(rows);
  const again = [...asked.values()].reduce((sum, times) => sum + times - 1, 0);
  console.log(`killed ${killed} of ${kills} times: ${again} of ${rows} calls repeated`);
  // Of each life at most what it had in hand.
  expect(again).toBeLessThanOrEqual(killed * inHand);
  expect(killed).toBeGreaterThan(kills / 2);
}, 7_200_000);

test.each([
  ["plan", "begun", "run plan RUN --exchange RUN/exchange"],
  ["finish", "planned", "run finish RUN --exchange shared"],
])(
  "the writer killed by each change that %s makes on the disk: equal bytes",
  async (verb, from, words) => {
    const line = (name: string) => words.replaceAll("RUN", name);
    await run(await prepare(200));
    const start = async (name: string) => {
      await rm(join(directory, name), { recursive: true, force: true });
      await cp(join(directory, from), join(directory, name), { recursive: true });
      for (const inside of ["records", "seals", "exchange/tasks"]) {
        await mkdir(join(directory, name, inside), { recursive: true });
      }
    };
    /** All that must be the same whatever was killed. */
    const outcome = async (name: string) => {
      const files = Object.entries(await bytesIn(name)).filter(
        ([path]) => !path.includes("/trace/"),
      );
      return under(Object.fromEntries(files), "");
    };
    await start("undisturbed");
    await run(line("undisturbed"));
    const expected = await outcome("undisturbed");
    let killed = 0;
    for (let change = 1; ; change++) {
      await start("killed");
      const watchers: FSWatcher[] = [];
      const isKilled = await run(line("killed"), (kill) => {
        let left = change;
        for (const inside of ["", "records", "seals", "exchange", "exchange/tasks"]) {
          watchers.push(watch(join(directory, "killed", inside), () => --left === 0 && kill()));
        }
      });
      for (const watcher of watchers) watcher.close();
      if (!isKilled) break;
      killed++;
      await run(line("killed"));
      expect(await outcome("killed")).toEqual(expected);
    }
    console.log(`${verb}: killed by each of ${killed} changes`);
    expect(killed).toBeGreaterThan(2);
  },
  3_600_000,
);
