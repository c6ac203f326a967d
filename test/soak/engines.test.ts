import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completion, misbehavingServer } from "../support/misbehaving-server.js";
import { colouredImage } from "../support/scripted-openai.js";
import { touchstone } from "../support/touchstone.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));
const rows = 320;
/** Calls of two performers at once. */
const inFlight = 32;

const python = process.env.TOUCHSTONE_PYTHON ?? "python3";
const modules = { ray: "ray", spark: "pyspark", dask: "dask.distributed" };

/** Why an engine can't be tried, for the test's name; undefined where it can. */
const missing = (engine: keyof typeof modules): string | undefined => {
  const needed = ["touchstone_t2i", modules[engine]];
  const lacks = needed.find((name) => spawnSync(python, ["-c", `import ${name}`]).status !== 0);
  return lacks && `(${python} has no ${lacks}: TOUCHSTONE_PYTHON names one that has)`;
};

/** Scores by the length of texts; asked for the first time it kills the performer that asks. */
const killer = `import { existsSync, writeFileSync } from "node:fs";
export default {
  name: "killer", range: [0, 100], direction: "higher",
  async score({ text }) {
    if (process.env.KILLED !== undefined && !existsSync(process.env.KILLED)) {
      writeFileSync(process.env.KILLED, "");
      process.kill(process.ppid, "SIGKILL");
      process.kill(process.pid, "SIGKILL");
    }
    return text.length;
  },
};`;

const shared = { PYTHONWARNINGS: "ignore", HOME: process.env.HOME ?? "" };

async function recordFiles(run: string): Promise<Record<string, string>> {
  const folder = join(run, "records");
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
}

let directory = "";
const here = async (words: string, variables: Record<string, string> = {}) => {
  const ended = await touchstone(words.split(" "), {
    workingDirectory: directory,
    variables: { ...shared, TOUCHSTONE_PYTHON: python, ...variables },
  });
  expect(ended.stderr.includes("Error:") ? ended.stderr : "").toBe("");
  return ended;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-engines-"));
  await writeFile(join(directory, "killer.mjs"), killer);
  await here("build --run begun --prompts 4 --domain animals --drawable-by lab:painter");
  await here("generate --run begun --model lab:painter --samples 1 --plan");
  await cp(join(directory, "begun"), join(directory, "looped"), { recursive: true });
  await here("run resume looped");
  await here("score looped --metric ./killer.mjs --no-sanity");
});

afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each(["ray", "spark", "dask"] as const)("%s", (engine) => {
  const reason = missing(engine);

  test.skipIf(reason !== undefined)(
    `collects a run with the bytes of one process, though a performer is killed ${reason ?? ""}`,
    async () => {
      await cp(join(directory, "begun"), join(directory, engine), { recursive: true });
      await here(`run resume ${engine} --on ${engine} --performers 2`);
      await here(`score ${engine} --metric ./killer.mjs --no-sanity --plan`);
      const KILLED = join(directory, `killed-${engine}`);
      const resumed = await here(`run resume ${engine} --on ${engine} --performers 2`, { KILLED });
      expect(resumed.code).toBe(0);
      expect(await readFile(KILLED, "utf8")).toBe("");
      expect(await recordFiles(join(directory, engine))).toEqual(
        await recordFiles(join(directory, "looped")),
      );
    },
  );

  test.skipIf(reason !== undefined)(
    `goes on where its driver was killed: no row lost, none twice, no answer asked for again ${reason ?? ""}`,
    async () => {
      const asked: string[] = [];
      let onCall: (() => void) | undefined;
      const { baseUrl } = await misbehavingServer({
        behave: ({ body }) => {
          const [, scene = ""] = /scene (\d+)\./.exec(JSON.stringify(body)) ?? [];
          asked.push(scene);
          onCall?.();
          const yes = (Number(scene) + 1) / (rows + 1);
          return { kind: "reply", json: completion({ probabilities: { Yes: yes, No: 1 - yes } }) };
        },
      });
      const home = join(directory, `driver-${engine}`);
      await mkdir(home);
      await writeFile(join(home, "a.png"), colouredImage("image", 0, 16));
      const lines = Array.from({ length: rows }, (_, at) => `a.png,scene ${at}.`);
      await writeFile(join(home, "table.csv"), ["image,text", ...lines, ""].join("\n"));
      const variables = {
        ...shared,
        TOUCHSTONE_PYTHON: python,
        OPENAI_BASE_URL: baseUrl,
        OPENAI_API_KEY: "sk-0123456789abcdef",
      };
      const words = (line: string) => line.split(" ");
      const score = "score table.csv --metric vqa-score --model openai-compatible:tiny --no-sanity";
      const ran = (line: string, own: Record<string, string> = {}) =>
        touchstone(words(line), { workingDirectory: home, variables: { ...variables, ...own } });
      expect(
        await ran(`${score} --run looped`, { TOUCHSTONE_CACHE: join(home, "other") }),
      ).toMatchObject({ code: 0 });
      expect(await ran(`${score} --run killed --plan`)).toMatchObject({ code: 0 });

      asked.length = 0;
      const resume = `run resume killed --on ${engine} --performers 2`;
      const TOUCHSTONE_CACHE = join(home, "answers");
      const child = spawn(process.execPath, [bin, ...words(resume)], {
        cwd: home,
        env: { PATH: process.env.PATH, ...variables, TOUCHSTONE_CACHE },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const said = text(child.stderr);
      onCall = () => {
        if (asked.length < rows / 2) return;
        onCall = undefined;
        const children = `/proc/${child.pid}/task/${child.pid}/children`;
        process.kill(Number.parseInt(readFileSync(children, "utf8"), 10), "SIGKILL");
      };
      expect(await once(child, "close")).toEqual([3, null]);
      expect(await said).toContain("was ended by SIGKILL");
      expect(asked.length).toBeLessThan(rows);

      const resumed = await ran(resume, { TOUCHSTONE_CACHE });
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(await recordFiles(join(home, "killed"))).toEqual(
        await recordFiles(join(home, "looped")),
      );
      // Only calls that were in flight were asked again.

      expect(new Set(asked).size).toBe(rows);
      expect(asked.length - rows).toBeLessThanOrEqual(inFlight);
    },
  );
});
