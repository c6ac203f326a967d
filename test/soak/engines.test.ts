import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { touchstone } from "../support/touchstone.js";

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
});
