import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { completion, misbehavingServer } from "../../../../test/support/misbehaving-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";

let directory = "";
beforeEach(async () => {
  directory = await temporaryDirectory();
});

async function touchstone(line: string, { columns = 100, variables = {} } = {}) {
  const environment = fakeEnvironment({ workingDirectory: directory, columns, variables });
  const code = await runCommandLine(line.split(" "), environment);
  const { stdout, stderr } = environment.written;
  // As one line: where it is broken is the terminal's matter.
  return { code, stdout, stderr: stderr.replace(/\s+/g, " ") };
}

/** A metric that is no model's, so that scoring costs nothing. */
const metric = (name: string) => `export default {
  name: "${name}", range: [0, 1], direction: "higher",
  score: async ({ text }, { trace }) => {
    trace({ kind: "call", cost: 0.25 });
    return (text.length % 7) / 7;
  },
};`;

const build = "build --run run --prompts 2 --domain animals --drawable-by lab:painter";
const generate = "generate --run run --model lab:painter --samples 1";

/** A run that was built and painted without a stop, once for all tests; each takes a copy. */
let painted = "";
beforeAll(async () => {
  painted = await mkdtemp(join(tmpdir(), "touchstone-"));
  directory = painted;
  await touchstone(build);
  await touchstone(generate);
});
afterAll(() => rm(painted, { recursive: true }));
const usePainted = () => cp(painted, directory, { recursive: true });

/** The files of `records/` and their bytes. */
async function records(run: string): Promise<Record<string, string>> {
  const folder = join(directory, run, "records");
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
}

test("a run is stopped at a limit, told of, resumed by its recipe, and whole", async () => {
  await writeFile(join(directory, "mine.mjs"), metric("mine"));
  expect(await touchstone(`${build} --max-calls 1`)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /limit of 1 call in.* of 8 records Go on with: touchstone run resume run/,
    ),
  });
  expect(await touchstone("run resume run")).toMatchObject({ code: 0 });
  const stopped = await touchstone(`${generate} --max-calls 3`);
  expect(stopped.code).toBe(3);
  expect(stopped.stderr).toContain("Go on with: touchstone run resume run");

  const status = JSON.parse((await touchstone("run status run --json")).stdout);
  expect(status).toMatchObject({
    isFinished: false,
    atWork: [],
    // Nobody said what anything costs.
    cost: null,
    steps: [
      { step: "build-prompts", planned: 8, done: 2, isFinished: true },
      { step: "paint-images", planned: 8, done: 3, isFinished: false },
    ],
  });
  const shown = await touchstone("run status run");
  expect(shown.stdout).toMatch(/paint-images +8 +3 .*not finished/);
  expect(shown.stdout).toContain("Next: touchstone run resume run");

  const resumed = await touchstone("run resume run");
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringMatching(/paint-images +8 +0/) });
  expect(await touchstone("score run --metric ./mine.mjs")).toMatchObject({ code: 0 });
  const scored = JSON.parse((await touchstone("run status run --json")).stdout);
  expect(scored).toMatchObject({ isFinished: true, cost: 2 });
  expect(await touchstone("run verify run")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("run is whole: 32 records, 8 images, 8 truths."),
  });

  // Never stopped, it has the same bytes.
  const whole = await records("run");
  await rm(join(directory, "run"), { recursive: true });
  await usePainted();
  const { stdout } = await touchstone("score run --metric ./mine.mjs --json");
  expect(await records("run")).toEqual(whole);
  const { sanity } = JSON.parse(stdout);
  expect(Object.keys(sanity.metrics)).toEqual(["mine=none"]);
  const { path } = JSON.parse((await touchstone("report run --json")).stdout);
  expect(await readFile(path, "utf8")).toContain(sanity.verdict);
});

test("a step that nobody has gone over yet is not finished", async () => {
  await usePainted();
  for (const name of ["mine", "other"])
    await writeFile(join(directory, `${name}.mjs`), metric(name));
  const score = "score run --metric ./mine.mjs --metric ./other.mjs --max-calls 1";
  expect(await touchstone(score)).toMatchObject({ code: 3 });
  const { steps } = JSON.parse((await touchstone("run status --run run --json")).stdout);
  expect(steps.slice(-2)).toMatchObject([
    { planned: null, done: 0, isFinished: false },
    { planned: null, done: 0, isFinished: false },
  ]);
});

test("what has no answer is shown with its reason, however narrow the terminal", async () => {
  await usePainted();
  await writeFile(
    join(directory, "fails.mjs"),
    metric("fails").replace("return (", "return NaN * ("),
  );
  await touchstone("score run --metric ./fails.mjs");
  const { stdout } = await touchstone("run status run", { columns: 60 });
  const lines = stdout.split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
  const [, column = ""] = /^(step.*)no result/m.exec(stdout) ?? [];
  const row = lines.find((line) => line.startsWith("score-images"));
  expect(row?.slice(column.length)).toMatch(/^8 /);
  // The detail, below.
  expect(stdout).toContain("NaN");
});

test("a long name of a step leaves the results' columns their room at 80 columns", async () => {
  await usePainted();
  const name = "fails-with-a-name-that-is-longer-than-others";
  await writeFile(join(directory, "long.mjs"), metric(name).replace("return (", "return NaN * ("));
  const scored = await touchstone("score run --metric ./long.mjs", { columns: 80 });
  const { stdout } = await touchstone("run status run", { columns: 80 });
  for (const text of [scored.stdout, stdout]) {
    expect(text).not.toContain("Not shown");
    expect(text).toMatch(/^score-image.*others-none +\d+ /m);
    expect(text).toContain("NaN");
  }
});

test("a run that was moved is resumed where it is, by each of its commands once", async () => {
  await touchstone(`${build} --max-calls 1`);
  await rename(join(directory, "run"), join(directory, "moved"));
  expect(await touchstone("run resume moved")).toMatchObject({ code: 0 });
  const again = await touchstone("run resume moved");
  expect(again.stderr.match(/Candidates for prompts: all 8 were there already/g)).toHaveLength(1);
  expect(await readdir(directory)).toEqual(["moved"]);
});

test("a limit holds for all that is resumed together", async () => {
  await touchstone(`${build} --max-calls 0`);
  await touchstone(generate);
  const resumed = await touchstone("run resume run --max-calls 1");
  expect(resumed.code).toBe(3);
  expect(resumed.stderr).toMatch(/in step build-prompts, with 1 of 8/);
  expect((await touchstone("run resume run --max-calls 10")).stderr).toMatch(
    /in step paint-images, with 3 of 8/,
  );
});

test("what was begun with --no-cache is resumed without replies that are kept", async () => {
  const server = await misbehavingServer({
    behave: () => ({ kind: "reply", json: completion({ probabilities: { Yes: 0.75, No: 0.25 } }) }),
  });
  const variables = {
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "sk-0123456789abcdef",
    XDG_CACHE_HOME: join(directory, "cache"),
  };
  const asked = async (line: string) => {
    const before = server.received.length;
    const { code } = await touchstone(line, { variables });
    return { code, asked: server.received.length - before };
  };
  const again = async () => {
    await rm(join(directory, "run"), { recursive: true, force: true });
    await usePainted();
  };
  const score = "score run --metric vqa-score --model openai-compatible:tiny";
  await usePainted();
  const whole = await asked(score);
  expect(whole).toMatchObject({ code: 0 });
  await again();
  // Eight of the calls compare pictures with the truth, four look whether the model sees.
  expect(await asked(`${score} --no-cache --max-calls 15`)).toEqual({ code: 3, asked: 3 });
  expect(await asked("run resume run")).toEqual({ code: 0, asked: whole.asked - 3 });
  expect(await asked("run resume run")).toEqual({ code: 0, asked: 0 });
  // Begun without it, kept replies are taken.
  await again();
  expect(await asked(`${score} --max-calls 3`)).toEqual({ code: 3, asked: 0 });
  expect(await asked("run resume run")).toEqual({ code: 0, asked: 0 });
});

test("a card of a run says what an image costs, by the price and the tokens of each call", async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 10 };
  const probabilities = { Yes: 0.75, No: 0.25 };
  const server = await misbehavingServer({
    behave: () => ({ kind: "reply", json: completion({ probabilities, usage }) }),
  });
  const priced = { provider: "openai-compatible", model: "tiny", baseUrl: server.baseUrl };
  const models = { priced: { ...priced, price: { input: 2, output: 8 } } };
  await writeFile(join(directory, "touchstone.config.yaml"), JSON.stringify({ models }));
  await usePainted();
  const variables = { OPENAI_API_KEY: "sk-0123456789abcdef", XDG_CACHE_HOME: directory };
  const score = "score run --metric vqa-score --model priced";
  expect(await touchstone(score, { variables })).toMatchObject({ code: 0 });
  const { cards } = JSON.parse((await touchstone("card run --json")).stdout);
  const { costPerImage } = cards[0].figures;
  // 1000 tokens at $2 a million and 10 at $8.
  expect(costPerImage).toMatchObject({ status: "measured", estimate: { unit: "dollars" } });
  expect(costPerImage.estimate.value).toBeCloseTo(0.00208, 12);
});

test("a run is scored by another metric later, and both stand beside each other", async () => {
  for (const name of ["one", "two"]) {
    await writeFile(join(directory, `${name}.mjs`), metric(name));
  }
  await usePainted();
  expect(await touchstone("score run --metric ./one.mjs")).toMatchObject({ code: 0 });
  const before = await records("run");
  const second = await touchstone("score run --metric ./two.mjs");
  expect(second).toMatchObject({ code: 0 });
  expect(await records("run")).toEqual({
    ...before,
    "05-score-images-two-none.jsonl": expect.stringContaining('"metric":"two"'),
  });
  expect(Object.keys(before)).toContain("04-score-images-one-none.jsonl");
});

test("outside a run a limit leaves the rest unscored, and the exit code says so", async () => {
  await writeFile(join(directory, "mine.mjs"), metric("mine"));
  await usePainted();
  const blobs = await readdir(join(directory, "run/blobs"), { recursive: true });
  const rows = blobs.flatMap((name) => (name.endsWith(".png") ? [`run/blobs/${name},a fox`] : []));
  await writeFile(join(directory, "table.csv"), `image,text\n${rows.join("\n")}\n`);
  const line = "score table.csv --metric ./mine.mjs --json";
  const limited = await touchstone(`${line} --max-cost 0.5`);
  expect(limited.code).toBe(3);
  expect(limited.stderr).toContain("limit of $0.5: 6 of 8 results are unscored");
  expect(JSON.parse(limited.stdout)).toMatchObject({ n: 2, unscored: 6 });
  expect((await touchstone(`${line} --max-cost 5`)).code).toBe(0);
});

describe("run verify", () => {
  beforeEach(usePainted);
  const edit = async (name: string, change: (text: string) => string) => {
    const path = join(directory, "run/records", name);
    await writeFile(path, change(await readFile(path, "utf8")));
  };
  const verified = async () => {
    const { code, stdout } = await touchstone("run verify run --json");
    return { code, problems: JSON.parse(stdout).problems.join("\n") };
  };

  test.each([
    ["a changed member", (text: string) => text.replace('"seed":', '"seed":1'), "has the key"],
    ["a broken line", (text: string) => text.replace('{"schema"', "{schema"), "one JSON value"],
    ["a cut line", (text: string) => text.slice(0, -9), "one JSON value"],
    ["no record", (text: string) => `{"a":1}\n${text}`, "Expected a record"],
    ["a line twice", (text: string) => `${text}${text.slice(0, text.indexOf("\n") + 1)}`, "twice"],
  ])("finds %s, names the place and changes nothing", async (_case, change, said) => {
    await edit("02-paint-images.jsonl", change);
    const before = await records("run");
    const { code, problems } = await verified();
    expect(code).toBe(2);
    expect(problems).toContain(said);
    expect(problems).toMatch(/02-paint-images\.jsonl, line \d+/);
    expect(await records("run")).toEqual(before);
  });

  test("finds what is missing: a prompt, an image, a truth; and what is strange", async () => {
    await edit("01-build-prompts.jsonl", (text) => text.slice(text.indexOf("\n") + 1));
    expect(await verified()).toMatchObject({
      code: 2,
      problems: expect.stringContaining("that it was made from is not there"),
    });
    const [folder = ""] = await readdir(join(directory, "run/blobs"));
    await rm(join(directory, "run/blobs", folder), { recursive: true });
    expect((await verified()).problems).toContain("Expected the image");
    const [truth = ""] = await readdir(join(directory, "run/truth"));
    await rm(join(directory, "run/truth", truth), { recursive: true });
    expect((await verified()).problems).toContain("Expected a truth");
    await writeFile(join(directory, "run/records/notes.jsonl"), "");
    expect((await verified()).problems).toContain("No step of run.json has the file");
  });

  test.skipIf(process.platform === "win32")("finds a pipe, and does not wait for it", async () => {
    const path = join(directory, "run/records/02-paint-images.jsonl");
    await rm(path);
    execFileSync("mkfifo", [path]);
    const { code, stderr } = await touchstone("run verify run");
    expect(code).toBe(2);
    expect(stderr).toContain("it is a pipe, not a file");
  });

  test("finds an image whose bytes were changed", async () => {
    const names = await readdir(join(directory, "run/blobs"), { recursive: true });
    const name = names.find((each) => each.endsWith(".png")) ?? "";
    const path = join(directory, "run/blobs", name);
    const bytes = await readFile(path);
    await writeFile(path, bytes.with(-1, 7));
    const { code, problems } = await verified();
    expect(code).toBe(2);
    expect(problems).toContain(`Expected bytes with SHA-256 ${name.slice(3, 67)}`);
  });
});

describe("an edited run", () => {
  beforeEach(usePainted);
  const edit = async (name: string, from: string, to: string) => {
    const path = join(directory, "run", name);
    const text = await readFile(path, "utf8");
    expect(text).toContain(from);
    await writeFile(path, text.replace(from, to));
  };
  const readers = [
    "run verify run",
    "report run",
    "run resume run",
    "run status run",
    "run explain 0 --run run",
    "card run",
    "score run --model lab:vqa",
    "generate --run run --model recorded:run",
  ];

  test.each(readers)("whose values fit their schema is refused by: %s", async (line) => {
    await edit("records/02-paint-images.jsonl", '"width":', '"width":1');
    const { code, stderr } = await touchstone(line);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "the records of step paint-images were changed since they were sealed",
    );
    expect(stderr).not.toContain("build-prompts were");
  });

  test("whose recipe was changed is refused", async () => {
    await edit("run.json", '"seed": 0', '"seed": 7');
    const { code, stderr } = await touchstone("report run");
    expect([code, stderr]).toEqual([2, expect.stringContaining("the recipe was changed since")]);
  });

  test("without a file of records is reported by nobody, and collected anew by resume", async () => {
    const before = await records("run");
    await rm(join(directory, "run/records/02-paint-images.jsonl"));
    for (const line of ["report run", "run verify run"]) {
      const { code, stderr } = await touchstone(line);
      expect([code, stderr]).toEqual([2, expect.stringContaining("paint-images are gone since")]);
    }
    expect((await touchstone("run resume run")).code).toBe(0);
    expect(await records("run")).toEqual(before);
    expect((await touchstone("run verify run")).code).toBe(0);
  });

  test("counts as unsealed where the seal is removed, as the message says", async () => {
    await edit("records/02-paint-images.jsonl", '"width":', '"width":1');
    const { stderr } = await touchstone("report run");
    const [, seal = ""] = /remove its seal, (\S+): /.exec(stderr) ?? [];
    await rm(seal);
    const { code, stdout } = await touchstone("run verify run --json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).unsealed).toEqual(["records/02-paint-images.jsonl"]);
    expect((await touchstone("run verify run")).stderr).toContain("Unsealed: records/02-paint");
  });
});

describe("a run with images that are gone or damaged", () => {
  beforeEach(usePainted);
  const spoil = async () => {
    const folder = join(directory, "run/blobs");
    const names = (await readdir(folder, { recursive: true })).filter((name) =>
      name.endsWith(".png"),
    );
    const [gone = "", damaged = ""] = names.map((name) => join(folder, name));
    const bytes = [await readFile(gone), await readFile(damaged)];
    await rm(gone);
    await writeFile(damaged, (bytes[1] ?? Buffer.alloc(0)).subarray(0, -20));
    return { gone, damaged, bytes };
  };

  test("is not reported on", async () => {
    await spoil();
    const { code, stderr } = await touchstone("report run");
    expect(code).toBe(2);
    expect(stderr).toContain("but 2 are gone or damaged");
    expect(stderr).toContain("touchstone run resume run");
    expect(await readdir(join(directory, "run"))).not.toContain("report.html");
  });

  test("is made whole by resume, which says so, and keeps its records", async () => {
    const before = await records("run");
    const { gone, damaged, bytes } = await spoil();
    const { code, stderr } = await touchstone("run resume run");
    expect(code).toBe(0);
    expect(stderr).toContain(
      "Painting pictures: 2 images are gone or damaged, and made anew: Expected",
    );
    expect(stderr).toContain("2 of 8 to do");
    expect([await readFile(gone), await readFile(damaged)]).toEqual(bytes);
    expect(await records("run")).toEqual(before);
    expect((await touchstone("report run")).code).toBe(0);
  });

  test("has it said by explain, and no command to repeat a score with other bytes", async () => {
    const { damaged } = await spoil();
    const [hash = ""] = /[0-9a-f]{64}/.exec(damaged) ?? [];
    const text = (await records("run"))["02-paint-images.jsonl"] ?? "";
    const line = text.split("\n").find((each) => each.includes(hash)) ?? "{}";
    const { stdout } = await touchstone(`run explain ${JSON.parse(line).key} --run run`);
    expect(stdout).toContain(`Expected bytes with SHA-256 ${hash}`);
  });
});

test("a run is resumed whatever made it, where this version has its steps", async () => {
  await usePainted();
  const path = join(directory, "run/run.json");
  const recipe = JSON.parse(await readFile(path, "utf8"));
  await rm(join(directory, "run/seals"), { recursive: true });
  await writeFile(path, JSON.stringify({ ...recipe, commands: [] }));
  expect(await touchstone("run resume run")).toMatchObject({ code: 0 });
  const [build, paint] = recipe.steps;
  const steps = [build, { ...paint, name: "paint-walls" }];
  await rm(join(directory, "run/seals"), { recursive: true, force: true });
  await writeFile(path, JSON.stringify({ ...recipe, steps }));
  expect(await touchstone("run resume run")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("paint-walls@1"),
  });
  expect(await touchstone("run resume nowhere")).toMatchObject({ code: 2 });
});

describe("what a recipe holds beside a step's parameters", () => {
  const rooms = `set: rooms
descriptions:
  - entities: { sofa: green, curtains: blue }
  - entities: { lamp: red, rug: white }
  - entities: { table: black, chair: yellow }
`;

  test("a file of the user's own is gone on with when it is gone", async () => {
    const line = "build --benchmark attribute-confusion --run run --descriptions rooms.yaml";
    const file = join(directory, "rooms.yaml");
    await writeFile(file, rooms);
    expect((await touchstone(`${line} --max-calls 1`)).code).toBe(3);
    await rm(file);
    expect((await touchstone("run resume run")).code).toBe(0);
    const resumed = await records("run");
    await rm(join(directory, "run"), { recursive: true });
    await writeFile(file, rooms);
    expect((await touchstone(line)).code).toBe(0);
    expect(await records("run")).toEqual(resumed);
    // Other flags contradict the recipe, before anything is made.
    expect(await touchstone(`${line} --prompts 2`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--prompts was not given and is now 2"),
    });
  });

  test("a metric of the user's own is asked again by its path", async () => {
    await usePainted();
    await writeFile(join(directory, "mine.mjs"), metric("mine"));
    expect((await touchstone("score run --metric ./mine.mjs --max-calls 11")).code).toBe(3);
    expect((await touchstone("run resume run")).code).toBe(0);
    const resumed = await records("run");
    await rm(join(directory, "run"), { recursive: true });
    await usePainted();
    await touchstone("score run --metric ./mine.mjs");
    expect(await records("run")).toEqual(resumed);
  });

  test("a recipe of version 0.2 that lacks it names the command to give again", async () => {
    const line = "build --benchmark attribute-confusion --run run --descriptions rooms.yaml";
    await writeFile(join(directory, "rooms.yaml"), rooms);
    expect((await touchstone(`${line} --max-calls 1`)).code).toBe(3);
    const path = join(directory, "run/run.json");
    const { steps, ...recipe } = JSON.parse(await readFile(path, "utf8"));
    const [{ inputs, ...step }] = steps;
    expect([recipe.schema, inputs.descriptions.text]).toEqual([2, rooms]);
    await writeFile(path, JSON.stringify({ ...recipe, schema: 1, steps: [step] }));
    await rm(join(directory, "run/seals"), { recursive: true });
    expect(await touchstone("run resume run")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("touchstone build --benchmark attribute-confusion --run run"),
    });
  });
});
