import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { runCommandLine } from "../../main.js";

let folder: string;

/** Scores the width; has no answer for "refuse" and a number that is none for "NaN". */
const widthMetric = `export default {
  name: "width", range: [0, 100], direction: "higher", statistic: "pixels",
  async score({ image, text }) {
    if (text === "throw") throw new Error("no such luck");
    return { value: text === "NaN" ? NaN : image.width };
  },
};`;

const png = (width: number) =>
  sharp({ create: { width, height: 4, channels: 3, background: "red" } })
    .png()
    .toBuffer();

async function put(name: string, content: string | Uint8Array) {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

const jsonl = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n");

const score = (...words: string[]) => scoreWith("", ...words);

async function scoreWith(stdin: string, ...words: string[]) {
  return touchstoneHere(["score", ...words], { workingDirectory: folder, stdin });
}

beforeEach(async () => {
  folder = await temporaryDirectory();
  await put("mine.mjs", widthMetric);
  await put("images/a.png", await png(10));
  await put("images/in/b.png", await png(30));
  await put(
    "images/metadata.jsonl",
    jsonl(
      { file_name: "a.png", text: "a cat", model: "flux", seed: 3 },
      { file_name: "in/b.png", text: "a dog", model: "sd" },
    ),
  );
});

test("how many entities a localiser did not find is said, and from a tenth on to be minded", async () => {
  const questions = Array.from({ length: 6 }, (_, at) => ({ on: `e${at}`, mask: "found" }));
  const localized = (found: number) => `export default {
    name: "local", range: [0, 1], direction: "higher", statistic: "F1",
    async score({ text }) {
      const questions = ${JSON.stringify(questions)};
      const isCat = text === "a cat";
      for (const one of questions.slice(${found})) if (isCat) one.mask = "none";
      return { value: 1, details: { questions } };
    },
  };`;
  await put("local.mjs", localized(3));
  const many = await score("images", "--metric", "./local.mjs");
  expect(many.stdout).toContain(
    "Caveat: local: 3 of 12 entities were not found and were judged on the whole image.",
  );
  const { stdout } = await score("images", "--metric", "./local.mjs", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    metrics: [{ entities: { all: 12, notFound: 3 } }],
    warnings: expect.arrayContaining([expect.stringContaining("3 of 12 entities were not found")]),
  });
  await put("few.mjs", localized(5));
  const few = await score("images", "--metric", "./few.mjs");
  expect(few.stdout).toContain("  1 of 12 entities was not found and was judged on the whole");
  expect(few.stdout).not.toContain("Caveat: local");
  await put("all.mjs", localized(6));
  expect((await score("images", "--metric", "./all.mjs")).stdout).not.toContain("entities");
});

test("a folder of images: every result, the mean, how to read it, and what to do next", async () => {
  const { code, stdout, stderr } = await score("images", "--metric", "./mine.mjs");
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toMatch(/a\.png +a cat +width +10\n/);
  expect(stdout).toMatch(/in\/b\.png +a dog +width +30\n/);
  expect(stdout).toMatch(/width +none +2 +0 +20.0 \[10.0, 30.0\] +0 to 100 +higher/);
  expect(stdout).toContain("width: pixels");
  expect(stdout).toContain("2 prompts, seed 0");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(
    "Next: touchstone score images --metric ./mine.mjs --out scores.jsonl",
  );
});

describe("what a text is made of", () => {
  const parts = `export default {
    name: "parts", range: [0, 9], direction: "higher",
    score: ({ structure = [] }) => ({ value: structure.length, details: { structure } }),
  };`;
  const entities = [{ entity: "skirt", attributes: ["red"] }];

  test("comes from a column, as JSON or as text that holds it, and reaches the metric", async () => {
    await put("parts.mjs", parts);
    const row = { image: "images/a.png", text: "a red skirt" };
    await put("t.jsonl", jsonl({ ...row, entities }, row));
    await put(
      "t.csv",
      `image,text,entities\nimages/a.png,x,${csvCell(JSON.stringify(entities))}\n`,
    );
    for (const [table, values] of [
      ["t.jsonl", [1, 0]],
      ["t.csv", [1]],
    ] as const) {
      const { code } = await score(table, "--metric", "parts.mjs", "--out", "o.jsonl");
      expect(code).toBe(0);
      const lines = (await readFile(join(folder, "o.jsonl"), "utf8")).trim().split("\n");
      const rows = lines.map((line) => JSON.parse(line));
      expect(rows.map(({ value }) => value)).toEqual(values);
      expect(rows[0].details).toEqual({ structure: entities });
    }
  });

  test("comes from the command line, too", async () => {
    await put("parts.mjs", parts);
    const words = ["--image", "images/a.png", "--text", "x", "--metric", "parts.mjs", "--json"];
    const { stdout } = await score(...words, "--entities", JSON.stringify(entities));
    expect(JSON.parse(stdout).results[0].value).toBe(1);
    const wrong = await score(...words, "--entities", "skirt");
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Expected a list of entities"),
    });
    const table = await score("images", "--metric", "mine.mjs", "--entities", "[]");
    expect(table).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Expected --text for --entities"),
    });
  });

  test("is refused with its line where it is none", async () => {
    await put("t.jsonl", jsonl({ image: "images/a.png", text: "x", entities: [{ entity: "a" }] }));
    const { code, stderr } = await score("t.jsonl", "--metric", "mine.mjs");
    expect(code).toBe(2);
    expect(stderr).toContain("Expected a list of entities with their attributes");
    expect(stderr).toContain("line 1");
  });
});

const csvCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

test("a model that chats or takes texts apart is asked for where one is to", async () => {
  const words = ["images", "--model", "lab:vqa", "--metric", "blip-vqa"];
  const { code, stderr } = await score(...words, "--decompose-with", "lab:dual-encoder-skewed");
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    "for --decompose-with but received lab:dual-encoder-skewed@",
  );
});

test("a metric that needs a second model says so", async () => {
  const words = ["images", "--model", "lab:vqa", "--metric", "localized-vqa-score:recall:masking"];
  const { code, stderr } = await score(...words);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    "Expected a model that finds entities in images for the metric localized-vqa-score",
  );
  expect(stderr.replace(/\s+/g, " ")).toContain(
    "It needs two models, one of them to find entities: add --model transformers-js:localizer:",
  );
});

test("what is scored is a run, which explain shows and run clean removes", async () => {
  const { stdout } = await score("images", "--metric", "./mine.mjs", "--json");
  const { run } = JSON.parse(stdout);
  const inFolder = (...words: string[]) => touchstoneHere(words, { workingDirectory: folder });
  const records = join(folder, run, "records");
  const [, scores = ""] = (await readdir(records)).sort();
  const [line = ""] = (await readFile(join(records, scores), "utf8")).split("\n");
  const { key } = JSON.parse(line);
  const life = await inFolder("run", "explain", key, "--run", run, "--json");
  expect(JSON.parse(life.stdout)).toMatchObject({
    record: { text: "a cat", value: 10 },
    imagePath: "images/a.png",
  });
  expect((await inFolder("run", "verify", run)).code).toBe(0);
  // A job that has ended, one that was killed, and one of a studio that was killed as it made its folder.
  const jobs = join(folder, ".touchstone", "jobs");
  await mkdir(join(jobs, "0123456789ab-1"), { recursive: true });
  await writeFile(join(jobs, "0123456789ab-1", "exit.json"), "{}");
  const killed = { started: "2026-01-01T00:00:00Z", host: "elsewhere", starter: { process: 7 } };
  await mkdir(join(jobs, "0123456789ab-2"));
  await writeFile(join(jobs, "0123456789ab-2", "job.json"), JSON.stringify(killed));
  await mkdir(join(jobs, ".new-a1b2c3"));
  const unasked = await inFolder("run", "clean");
  expect(unasked).toMatchObject({ code: 2, stdout: "" });
  expect(unasked.stderr.replace(/\s+/g, " ")).toMatch(
    /Expected --yes to remove 1 run and 3 jobs of the studio below \.touchstone, \d+ kB, last written \d{4}-\d\d-\d\d \d\d:\d\d UTC: score-/,
  );
  expect((await inFolder("run", "verify", run)).code).toBe(0);
  expect(JSON.parse((await inFolder("run", "clean", "--yes", "--json")).stdout)).toEqual({
    removed: 1,
    atWork: 0,
    jobs: 3,
    bytes: expect.any(Number),
  });
  expect(await inFolder("run", "clean")).toMatchObject({ code: 0 });
  expect(await readdir(folder)).not.toContain(".touchstone");
});

test("a row keeps its score where the text or the model of another row of its image changes", async () => {
  await put(
    "ask.mjs",
    `globalThis.askedTexts = [];
    export default { name: "ask", range: [0, 99], direction: "higher",
      score: ({ text }) => ({ value: globalThis.askedTexts.push(text) }) };`,
  );
  const askedFor = async (first: string, model: string) => {
    await put("t.csv", `image,text,model\nimages/a.png,${first},${model}\nimages/a.png,a dog,x\n`);
    await score("t.csv", "--metric", "./ask.mjs", "--run", "kept");
    return (globalThis as unknown as { askedTexts: string[] }).askedTexts.splice(0);
  };
  expect((await askedFor("a cat", "sd")).toSorted()).toEqual(["a cat", "a dog"]);
  expect(await askedFor("a cat", "flux")).toEqual([]);
  expect(await askedFor("a hat", "flux")).toEqual(["a hat"]);
  expect(await askedFor("a dog", "flux")).toHaveLength(1);
});

test("two metrics of one description are told apart in the run, which verifies", async () => {
  const metric = (value: number) =>
    `export default { name: "twin", range: [0, 9], direction: "higher", score: () => ({ value: ${value} }) };`;
  await put("one.mjs", metric(1));
  await put("two.mjs", metric(2));
  const valuesBy = async (...metrics: string[]) => {
    const words = metrics.flatMap((name) => ["--metric", name]);
    const { stdout } = await score("images", ...words, "--run", "kept", "--json");
    return JSON.parse(stdout).results.map(({ value }: { value: number }) => value);
  };
  expect(await valuesBy("./one.mjs", "./two.mjs")).toEqual([1, 2, 1, 2]);
  // The order in which they are named changes nobody's score.
  expect(await valuesBy("./two.mjs", "./one.mjs")).toEqual([2, 1, 2, 1]);
  const verified = await touchstoneHere(["run", "verify", "kept"], { workingDirectory: folder });
  expect(verified).toMatchObject({ code: 0 });
});

test("a run that is named says where the scores of other items went", async () => {
  await put(
    "one.mjs",
    `export default { name: "one", range: [0, 9], direction: "higher", score: () => 1 };`,
  );
  await mkdir(join(folder, "few"));
  await copyFile(join(folder, "images", "a.png"), join(folder, "few", "a.png"));
  await put("few/a.txt", "something else");
  const moved = async (source: string) =>
    (await score(source, "--metric", "./one.mjs", "--run", "moved")).stderr;
  expect(await moved("few")).not.toContain("went to the trace");
  expect((await moved("images")).replace(/\s+/g, " ")).toMatch(
    /\d records? of other items went to the trace of moved. Another --run keeps both/,
  );
});

test("a run that is named keeps its scores, and is given only what is new", async () => {
  await put(
    "count.mjs",
    `globalThis.counted = 0;
    export default { name: "count", range: [0, 99], direction: "higher",
      score: () => ({ value: ++globalThis.counted }) };`,
  );
  const line = ["images", "--metric", "./count.mjs", "--run", "kept", "--json"];
  const valuesOf = async () =>
    JSON.parse((await score(...line)).stdout).results.map(({ value }: { value: number }) => value);
  const [cat, dog] = await valuesOf();
  expect(new Set([cat, dog])).toEqual(new Set([1, 2]));
  await put(
    "images/metadata.jsonl",
    jsonl(
      { file_name: "in/b.png", text: "a dog", model: "sd" },
      { file_name: "a.png", text: "a cat", model: "flux" },
      { file_name: "a.png", text: "a cat", model: "flux" },
    ),
  );
  expect(await valuesOf()).toEqual([dog, cat, 3]);
});

test("one image, as JSON", async () => {
  const words = ["--image", "images/a.png", "--text", "a cat", "--metric", "mine.mjs", "--json"];
  const { code, stdout } = await score(...words);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    n: 1,
    unscored: 0,
    metrics: [
      {
        metric: "width",
        metricVersion: 1,
        statistic: "pixels",
        model: "none",
        range: [0, 100],
        direction: "higher",
        n: 1,
        unscored: 0,
        mean: { value: 10, low: null, high: null },
      },
    ],
    results: [{ image: "images/a.png", text: "a cat", metric: "width", value: 10 }],
    warnings: [],
  });
});

test("results go to a file of either type, the table's own columns kept", async () => {
  for (const name of ["out.jsonl", "out.json", "sub/out.csv"]) {
    const { code, stderr } = await score("images", "--metric", "./mine.mjs", "--out", name);
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^Wrote 2 results to ${name}\n`));
  }
  const lines = (await readFile(join(folder, "out.jsonl"), "utf8")).trimEnd().split("\n");
  const rows = lines.map((line) => JSON.parse(line));
  expect(rows[0]).toEqual({
    image: "a.png",
    text: "a cat",
    metric: "width",
    status: "scored",
    value: 10,
    reason: null,
    detail: null,
    question: null,
    details: null,
    convention: null,
    template: null,
    statistic: "pixels",
    model: "none",
    baseUrl: null,
    metricVersion: 1,
    low: 0,
    high: 100,
    direction: "higher",
    sanity: "too-few",
    input_model: "flux",
    seed: 3,
  });
  expect(JSON.parse(await readFile(join(folder, "out.json"), "utf8"))).toEqual(rows);
  const csv = (await readFile(join(folder, "sub/out.csv"), "utf8")).split("\n");
  expect(csv[0]).toBe(
    "image,text,metric,status,value,reason,detail,question,details,convention,template,statistic,model,baseUrl,metricVersion,low,high,direction,sanity,input_model,seed",
  );
  expect(csv[2]).toBe(
    "in/b.png,a dog,width,scored,30,,,,,,,pixels,none,,1,0,100,higher,too-few,sd,",
  );
});

test("a page: the worst image first, each score with its range, unscored images by reason", async () => {
  const args = ["images", "--metric", "./mine.mjs", "--out", "scores.html"];
  await put(
    "images/metadata.jsonl",
    jsonl(
      { file_name: "in/b.png", text: "a <b>dog</b>" },
      { file_name: "a.png", text: "a cat" },
      { file_name: "a.png", text: "NaN" },
    ),
  );
  const { code, stderr, stdout } = await score(...args);
  expect(code).toBe(0);
  expect(stderr).toContain("Wrote scores.html; open it in a browser");
  expect(stdout + stderr).toContain("--out scores.jsonl");
  const page = await readFile(join(folder, "scores.html"), "utf8");
  expect(page).toContain("width gives 2 images a mean score of 20.0");
  expect(page).toContain("0 to 100, higher is better");
  expect(page).toMatch(/Unscored images by reason.*unparsable.*<td class="number">1<\/td>/s);
  const worst = page.slice(page.indexOf('id="worst"'));
  expect(worst.indexOf("for: a cat")).toBeGreaterThan(0);
  expect(worst.indexOf("for: a cat")).toBeLessThan(worst.indexOf("for: a &lt;b&gt;dog"));
  expect(page).not.toMatch(/<script|<b>dog/);
});

test("a page holds 48 images at most, and says where all scores are", async () => {
  const rows = Array.from({ length: 50 }, (_, at) => ({ file_name: "a.png", text: `${at}` }));
  await put("images/metadata.jsonl", jsonl(...rows));
  expect((await score("images", "--metric", "./mine.mjs", "--out", "s.html")).code).toBe(0);
  const page = await readFile(join(folder, "s.html"), "utf8");
  expect(page).toMatch(/the worst 48 of 50 scored images.*--out scores\.jsonl<\/code>/s);
  expect(page.match(/<img /g)).toHaveLength(48);
});

test("a table, its columns mapped, its images relative to it", async () => {
  await put("images/table.csv", 'path,caption\na.png,"a ""cat"", one"\n');
  const words = ["images/table.csv", "--map", "image=path", "--map", "text=caption"];
  const { code } = await score(...words, "--metric", "./mine.mjs", "--out", "out.csv");
  expect(code).toBe(0);
  expect(await readFile(join(folder, "out.csv"), "utf8")).toContain(
    '\na.png,"a ""cat"", one",width,',
  );
});

test("a folder whose table calls its columns otherwise is read, and what was taken is said", async () => {
  await put("images/metadata.csv", "filename,caption\na.png,a cat\n");
  await rm(join(folder, "images/metadata.jsonl"));
  const { code, stdout, stderr } = await score("images", "--metric", "./mine.mjs");
  expect(code).toBe(0);
  expect(stdout).toMatch(/a\.png +a cat +width +10/);
  expect(stderr).toContain(
    "Reading the image from the column filename and the text from the column caption",
  );
});

test("a table on standard input, its images relative to where one stands", async () => {
  const rows = jsonl({ image: "images/a.png", text: "a cat" });
  const { code, stdout } = await scoreWith(rows, "-", "--metric", "./mine.mjs", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results).toMatchObject([{ image: "images/a.png", value: 10 }]);
});

test("at a limit a table on standard input is given again, and its answers are kept with --run alone", async () => {
  const rows = jsonl(
    { image: "images/a.png", text: "a cat" },
    { image: "images/in/b.png", text: "a dog" },
  );
  const words = ["-", "--metric", "./mine.mjs", "--max-calls", "1"];
  const gone = await scoreWith(rows, ...words);
  expect(gone.code).toBe(3);
  expect(gone.stderr).toContain("its run is gone, so only cached replies cost nothing again");
  const kept = await scoreWith(rows, ...words, "--run", "run");
  expect(kept.stderr).toContain(
    "Give the same command again with a higher limit\nWhat was answered is kept",
  );
  expect(kept.stderr).not.toContain("run resume");
  const again = await scoreWith(rows, ...words, "--run", "run");
  expect(again.code).toBe(0);
});

test("the lab's models judge no photograph, and say so with the ways forward", async () => {
  const { code, stdout, stderr } = await score("images", "--model", "lab:vqa");
  expect(code).toBe(3);
  expect(stdout).toContain("undefined (nothing was scored)");
  expect(stdout).not.toContain("Next:");
  expect(stderr).toContain("Error: Nothing was scored: 2 not-applicable\n");
  expect(stdout).toContain(
    "2 not-applicable, such as: The lab's models judge only what the lab painted",
  );
  expect(stderr).toContain("Three ways forward");
});

test("where nothing at all was scored the results are written, and the exit code is 3", async () => {
  await put("t.csv", "image,text\nimages/a.png,throw\nimages/a.png,NaN\n");
  const words = ["t.csv", "--metric", "./mine.mjs", "--out", "out.csv"];
  const { code, stdout, stderr } = await score(...words);
  expect(code).toBe(3);
  expect(stdout).toMatch(/width +none +0 +2 /);
  expect(stderr).toContain("Nothing was scored: 1 unparsable, 1 provider-error");
  expect(stderr).not.toContain("Three ways forward");
  expect(await readFile(join(folder, "out.csv"), "utf8")).toContain("unscored");
  const asJson = await score("t.csv", "--metric", "./mine.mjs", "--json");
  expect(asJson.code).toBe(3);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ n: 0, unscored: 2 });
  expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: "incomplete" } });
  expect((await score("--help")).stdout).toContain("exit code is 3");
});

test("a run of which nothing could be scored ends with 3 too", async () => {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const build = ["--prompts", "1", "--domain", "animals", "--drawable-by", "lab:painter"];
  for (const words of [
    ["build", "--run", "mine", ...build],
    ["generate", "--run", "mine", "--model", "lab:painter"],
  ]) {
    expect(await runCommandLine(words, environment)).toBe(0);
  }
  await put("never.mjs", widthMetric.replace("text === ", "text !== "));
  // Of twenty images the metric fails on each: no other is tried.
  const { code, stderr } = await score("mine", "--metric", "./never.mjs");
  expect(code).toBe(3);
  expect(stderr).toContain("no answer for any of 20 items, provider-error each");
});

test("a metric that gives only numbers outside of its range is not asked about all", async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `images/a.png,thing ${at}`);
  await put("many.csv", `image,text\n${rows.join("\n")}\n`);
  await put("never.mjs", widthMetric.replace("image.width }", "-image.width }"));
  const { code, stderr } = await score("many.csv", "--metric", "./never.mjs");
  expect(code).toBe(3);
  expect(stderr).toContain("no answer for any of 20 items, unparsable each");
});

test("the recipe of a run names whom scoring asked", async () => {
  const stopped = fakeEnvironment({ workingDirectory: folder });
  stopped.interrupt();
  const line = "score mine --model lab:vqa --rate-with lab:filter-vqa";
  for (const [words, environment, code] of [
    [
      "build --run mine --prompts 1 --domain animals --drawable-by lab:painter",
      fakeEnvironment({ workingDirectory: folder }),
      0,
    ],
    ["generate --run mine --samples 1", fakeEnvironment({ workingDirectory: folder }), 0],
    [line, stopped, 130],
  ] as const) {
    expect(await runCommandLine(words.split(" "), environment)).toBe(code);
  }
  const { models } = JSON.parse(await readFile(join(folder, "mine/run.json"), "utf8"));
  expect(models.map((model: string) => model.replace(/@.*$/, ""))).toEqual([
    "lab:painter",
    "lab:filter-vqa",
    "lab:vqa",
  ]);
});

test("a run without images is refused before its metrics are fixed", async () => {
  const touchstone = (line: string) =>
    runCommandLine(line.split(" "), fakeEnvironment({ workingDirectory: folder }));
  expect(await touchstone("build --run mine --prompts 2 --drawable-by lab:painter")).toBe(0);
  const before = await readFile(join(folder, "mine/run.json"), "utf8");
  const { code, stdout, stderr } = await score("mine", "--metric", "./mine.mjs");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Expected a run with images but received mine, which has none");
  expect(stderr).toMatch(/Make them first:\s+touchstone generate --run mine\n/);
  expect(await readFile(join(folder, "mine/run.json"), "utf8")).toBe(before);
});

test("an interval from few images is said to be too narrow", async () => {
  const warning = "intervals from 2 prompts are too narrow";
  const { stdout } = await score("images", "--metric", "./mine.mjs");
  expect(stdout).toContain(`Caveat: ${warning}.`);
  const asJson = await score("images", "--metric", "./mine.mjs", "--json");
  expect(JSON.parse(asJson.stdout).warnings).toEqual([warning]);
  const many = Array.from({ length: 30 }, (_, at) => ({ image: "images/a.png", text: `${at}` }));
  await put("many.jsonl", jsonl(...many));
  const enough = await score("many.jsonl", "--metric", "./mine.mjs", "--json");
  expect(JSON.parse(enough.stdout).warnings).toEqual([]);
});

describe("what to do next", () => {
  const own = ["--metric", "./mine.mjs"];

  test("keeps the flags that the work needed", async () => {
    await put("t.csv", "image,text\nimages/a.png,a\ngone.png,b\n");
    const { stdout } = await score("t.csv", ...own, "--skip-bad");
    expect(stdout).toContain(
      "Next: touchstone score t.csv --metric ./mine.mjs --out scores.jsonl --skip-bad\n",
    );
  });

  const images = ["images/a.png", "images/in/b.png"];
  const correlation = (out: string) => `analyze correlation ${out} --human rating`;
  const comparison = (out: string) => `compare ${out}`;
  const other = widthMetric.replace('"width"', '"breadth"');
  const made = images.flatMap((image, at) => [
    { image, text: `${at}`, model: "flux" },
    { image, text: `${at}`, model: "sd" },
  ]);

  test.each([
    ["ratings in CSV", "t.csv", "image,text,rating\nA,a,1\nB,b,4.0\n", own, correlation],
    ["ratings of some", "t.csv", "image,text,rating\nA,a,1\nB,b,\nA,c,2\n", own, correlation],
    [
      "two metrics",
      "t.csv",
      "image,text,rating\nA,a,1\nB,b,4\n",
      [...own, "--metric", "./other.mjs"],
      correlation,
    ],
    ["two models", "t.jsonl", jsonl(...made), own, comparison],
    [
      "two models, two metrics",
      "t.jsonl",
      jsonl(...made),
      [...own, "--metric", "./other.mjs"],
      (out: string) => `${comparison(out)} --metric width`,
    ],
  ])("is one that runs on what was written: %s", async (_, table, content, metrics, expected) => {
    await put("other.mjs", other);
    await put(table, content.replaceAll("A,", `${images[0]},`).replaceAll("B,", `${images[1]},`));
    for (const out of ["out.csv", "out.jsonl", "out.json"]) {
      const { stdout } = await score(table, ...metrics, "--out", out);
      const [, next = ""] = /Next: touchstone (.+)\n$/.exec(stdout) ?? [];
      expect(next).toBe(expected(out));
      const environment = fakeEnvironment({ workingDirectory: folder });
      const code = await runCommandLine(next.split(" "), environment);
      expect({ code, stderr: environment.written.stderr }).toEqual({ code: 0, stderr: "" });
    }
  });

  test.each([
    ["ratings that are words", "image,text,rating\nA,a,good\nB,b,4\n", own],
    ["one model", "image,text,model\nA,a,flux\nB,b,flux\n", own],
    ["models asked for other texts", "image,text,model\nA,a,flux\nB,b,sd\n", own],
    [
      "models, and a metric that can't be named",
      "image,text,model\nA,a,flux\nA,a,sd\n",
      [...own, ...own],
    ],
  ])("is the studio where no analysis would run: %s", async (_, content, metrics) => {
    await put("t.csv", content.replaceAll("A,", `${images[0]},`).replaceAll("B,", `${images[1]},`));
    const { code, stdout, stderr } = await score("t.csv", ...metrics, "--out", "out.csv");
    expect(code).toBe(0);
    expect(stdout).toContain("Next: touchstone studio out.csv\n");
    expect(stderr).toMatch(/To conclude more|touchstone compare out\.csv OTHER/);
  });

  test("is no command where there is none that could be pasted", async () => {
    const rows = jsonl({ image: "images/a.png", text: "a cat" });
    const piped = await scoreWith(rows, "-", ...own);
    expect(piped.stderr).toContain("give the table again and --out scores.jsonl");
    const kept = await score("images", ...own, "--out", "out.jsonl");
    expect(kept.stderr).toContain("touchstone analyze contrastive reads the scores");
    const one = await score("--image", "images/a.png", "--text", "a cat", ...own);
    expect(kept.stdout).toContain("Next: touchstone studio out.jsonl\n");
    for (const { stdout, stderr, code } of [piped, one]) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain("Next:");
    }
  });
});

test("a column mapped from nothing brings the one that is there", async () => {
  const { code, stderr } = await score("images", "--metric", "./mine.mjs", "--map", "text=caption");
  expect(code).toBe(2);
  expect(stderr).toContain("--map text=text");
});

test("no answer is counted by reason, and the mean says what it could change", async () => {
  await put(
    "table.jsonl",
    jsonl(
      { image: "images/a.png", text: "a cat" },
      { image: "images/a.png", text: "NaN" },
      { image: "images/a.png", text: "throw" },
      { image: "images/in/b.png", text: "a dog" },
    ),
  );
  const { code, stdout } = await score("table.jsonl", "--metric", "./mine.mjs");
  // Half is missing: a script must see it.
  expect(code).toBe(3);
  expect(stdout).toMatch(/width +none +2 +2 +20.0 /);
  expect(stdout).toContain("2 unscored: the mean over all would lie from 10 to 60");
  expect(stdout).toContain("1 unparsable, such as: Expected a number from 0 to 100");
  expect(stdout).toContain("1 provider-error, such as: The metric width failed: no such luck");
  expect(stdout).toContain("unscored: provider-error");
});

test("images that the table does not list are said", async () => {
  await put("images/extra.webp", await png(3));
  const { stderr, code } = await score("images", "--metric", "./mine.mjs");
  expect(code).toBe(0);
  expect(stderr).toContain("1 of the folder's images is not in metadata.jsonl, such as extra.webp");
});

test("columns of other names are guessed, which is said, unless --map names them", async () => {
  const own = ["--metric", "./mine.mjs"];
  await put("images/list.csv", "path,caption,text_before\na.png,a cat,x\nin/b.png,a dog,y\n");
  const { code, stdout, stderr } = await score("images/list.csv", ...own);
  expect(code).toBe(0);
  expect(stdout).toContain("a cat");
  const said =
    "Reading the image from the column path and the text from the column caption; another one: --map image=my_column";
  expect(stderr.replace(/\s+/g, " ")).toContain(said);
  const found = await score("images/list.csv", ...own, "--json");
  expect(JSON.parse(found.stdout)).toMatchObject({
    n: 2,
    warnings: expect.arrayContaining([said]),
  });
  const mapped = ["--map", "image=path", "--map", "text=text_before"];
  const { stdout: named } = await score("images/list.csv", ...own, ...mapped, "--json");
  expect(JSON.parse(named)).toMatchObject({ results: [{ text: "x" }, { text: "y" }] });
});

describe("wrong input ends with 2, one message and nothing written", () => {
  const refused = async (...words: string[]) => {
    const before = await readdir(folder, { recursive: true });
    const { code, stdout, stderr } = await score(...words, "--out", "out.jsonl");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(await readdir(folder, { recursive: true })).toEqual(before);
    expect(stderr).not.toContain("fault of ours");
    return stderr;
  };
  const own = ["--metric", "./mine.mjs"];

  test("all bad images at once, by line", async () => {
    await put("images/cut.png", (await png(500)).subarray(0, 60));
    await put("images/note.png", "hello");
    await put("images/empty.png", "");
    const names = ["a", "gone", "cut", "note", "empty"];
    await put("images/t.csv", `image,text\n${names.map((name) => `${name}.png,a cat\n`).join("")}`);
    const message = await refused("images/t.csv", ...own);
    expect(message).toContain("4 of 5 images can't be scored");
    expect(message).toContain("line 3: Can't read gone.png: there is no such file");
    expect(message).toContain("line 4: Can't read cut.png: the file is cut short or corrupt");
    expect(message).toContain("line 5: Can't read note.png: it is not an image in a known format");
    expect(message).toContain("line 6: Can't read empty.png: it is empty (0 bytes)");
    expect(message).toContain("--skip-bad");
  });

  test("more than 20 bad images", async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ image: `${index}.png`, text: "a" }));
    await put("t.jsonl", jsonl(...rows));
    const message = await refused("t.jsonl", ...own);
    expect(message).toContain("line 20:");
    expect(message).not.toContain("line 21:");
    expect(message).toContain("and 5 more");
  });

  test("one image", async () => {
    const one = (image: string) => refused("--image", image, "--text", "a cat", ...own);
    expect(await one("gone.png")).toContain("Can't read gone.png: there is no such file");
    expect(await one("images")).toContain("Can't read images: it is a folder");
  });

  test("columns, rows, folders and encodings", async () => {
    await put("wrong.csv", "picture,text\na.png,a\n");
    expect(await refused("wrong.csv", ...own)).toContain("image");
    await put("rows.jsonl", '{"image": "images/a.png", "text": ""}\nnonsense\n');
    const rows = await refused("rows.jsonl", ...own);
    expect(rows).toContain("line 1");
    expect(rows).toContain("line 2");
    await put("latin.csv", Buffer.from("image,text\na.png,caf\xe9\n", "latin1"));
    expect(await refused("latin.csv", ...own)).toContain("UTF-8");
    await mkdir(join(folder, "void"));
    expect(await refused("void", ...own)).toContain("is empty");
    expect(await refused("nowhere", ...own)).toContain("nowhere");
  });

  test("texts are for folders alone, and rows without images lead to --texts order", async () => {
    await mkdir(join(folder, "draw"));
    await put("draw/prompts.csv", "Prompts\na cat\n");
    await put("draw/0.png", await readFile(join(folder, "images/a.png")));
    expect(await refused("draw", ...own)).toContain("score draw --texts order");
    expect((await score("draw", ...own, "--texts", "order")).code).toBe(0);
    await put("t.csv", "image,text\nimages/a.png,a cat\n");
    expect(await refused("t.csv", ...own, "--texts", "names")).toContain("for --texts names");
  });

  test("images outside of splits are said to be left out", async () => {
    await mkdir(join(folder, "splits/train"), { recursive: true });
    await mkdir(join(folder, "splits/extra"));
    const image = await readFile(join(folder, "images/a.png"));
    await put("splits/train/a.png", image);
    await put("splits/train/metadata.csv", "file_name,text\na.png,a cat\n");
    await put("splits/extra/b.png", image);
    const { code, stderr, stdout } = await score("splits", ...own);
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toContain(
      "1 image outside, such as extra/b.png",
    );
  });

  test("a folder with another table is named with the command that reads it", async () => {
    await mkdir(join(folder, "mine"));
    await put("mine/captions.csv", "file,caption\na.png,a cat\n");
    const message = await refused("mine", ...own);
    expect(message).toContain(
      "Expected metadata.jsonl or metadata.csv in mine but found captions.csv",
    );
    expect(message).toContain("score mine/captions.csv --map image=file --map text=caption");
  });

  test("metrics", async () => {
    const model = ["--model", "lab:vqa"];
    expect(await refused("images", "--metric", "clipscore", ...model)).toContain(
      "Did you mean clip-score?",
    );
    expect(await refused("images", "--metric", "./none.mjs")).toContain(
      "Could not read the metric ./none.mjs: there is no such file",
    );
    await put("bad.mjs", 'export default { name: "x", range: [0, 1], direction: "up" };');
    const message = await refused("images", "--metric", "./bad.mjs");
    expect(message).toContain("direction:");
    expect(message).toContain("score: expected a function");
  });

  test("what to score, and where to", async () => {
    expect(await refused(...own)).toContain("--image and --text");
    expect(await refused("--image", "images/a.png", ...own)).toContain("--image and --text");
    expect(await refused("images", "--image", "a.png", ...own)).toContain("received both");
    expect(await refused("images", ...own, "--map", "image")).toContain("NAME=COLUMN");
    const { code, stderr } = await score("images", ...own, "--out", "scores.xlsx");
    expect(code).toBe(2);
    expect(stderr).toContain("Expected a file that ends in .jsonl, .csv, .parquet, .json, .html");
  });

  test("no model: the three ways forward", async () => {
    for (const words of [["images"], ["images", "--metric", "clip-score"]]) {
      const message = await refused(...words);
      expect(message).toContain("needs a model, and none was named");
      for (const way of ["transformers-js:", "hosted model", "touchstone analyze contrastive"]) {
        expect(message).toContain(way);
      }
    }
  });

  test("a model that is none", async () => {
    expect(await refused("images", "--model", "vqa")).toContain("Expected provider:model");
    expect(await refused("images", "--model", "painted:gpt")).toContain(
      "touchstone metrics models lists all providers",
    );
    expect(await refused("images", "--model", "openai:gpt")).toContain(
      "Did you mean openai-compatible?",
    );
    expect(await refused("images", "--model", "lab:vqua")).toContain("Did you mean lab:vqa?");
  });
});

describe("a body that can't be decoded shows when it is read", () => {
  const looks = `export default { name: "looks", range: [0, 255], direction: "higher",
    score: async ({ image }) => (await image.pixels()).data[0] };`;
  const blind = looks.replace("(await image.pixels()).data[0]", "1");

  beforeEach(async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
    const create = { width: 64, height: 64, channels: 3, background: "red", noise } as const;
    const whole = await sharp({ create }).jpeg().toBuffer();
    await put("cut.jpg", whole.subarray(0, whole.length - 400));
    await put("t.csv", "image,text\nimages/a.png,a\ncut.jpg,b\n");
    await put("looks.mjs", looks);
    await put("blind.mjs", blind);
  });

  test("the image is named, and nothing is written", async () => {
    const { code, stderr } = await score("t.csv", "--metric", "./looks.mjs", "--out", "o.jsonl");
    expect(code).toBe(2);
    expect(stderr).toContain("1 of 2 images can't be scored");
    expect(stderr).toContain("line 3: Can't read cut.jpg: the file is cut short or corrupt");
    expect(stderr).not.toContain("score-items");
    expect(await readdir(folder)).not.toContain("o.jsonl");
  });

  test("--skip-bad goes on", async () => {
    const words = ["t.csv", "--metric", "./looks.mjs", "--skip-bad", "--json"];
    const { code, stdout } = await score(...words);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      n: 1,
      results: [{ image: "images/a.png" }, { value: null, reason: "bad-input" }],
    });
  });

  test("a metric that never looks at pixels does not decode them", async () => {
    expect((await score("t.csv", "--metric", "./blind.mjs")).code).toBe(0);
  });
});

test("--skip-bad scores the rest and leaves the bad unscored", async () => {
  await put("t.csv", "image,text\nimages/a.png,a\ngone.png,b\n");
  const { code, stdout } = await score("t.csv", "--metric", "./mine.mjs", "--skip-bad", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    n: 1,
    unscored: 1,
    metrics: [{ reasons: { "bad-input": 1 }, bounds: [5, 55] }],
    results: [{ value: 10 }, { value: null, reason: "bad-input", image: "gone.png" }],
  });
});

test("--scores-only prints the scores in order of the rows, and concludes nothing", async () => {
  await put("t.csv", "image,text\nimages/in/b.png,b\nimages/a.png,NaN\n ,c\nimages/a.png,a\n");
  const own = ["t.csv", "--metric", "./mine.mjs", "--skip-bad", "--scores-only", "--run", "run"];
  const { code, stdout } = await score(...own, "--json");
  expect(code).toBe(0);
  const { scores, ...others } = JSON.parse(stdout);
  expect(others).toEqual({});
  expect(scores.value).toEqual([30, null, null, 10]);
  expect(scores.reason).toEqual([null, "unparsable", "bad-input", null]);
  const [name = ""] = (await readdir(join(folder, "run/records"))).filter((one) =>
    one.includes("score-items"),
  );
  const lines = (await readFile(join(folder, "run/records", name), "utf8")).trim().split("\n");
  const keys = new Map(lines.map((line) => [JSON.parse(line).text, JSON.parse(line).key]));
  expect(scores.key).toEqual([keys.get("b"), keys.get("NaN"), null, keys.get("a")]);

  const text = await score(...own);
  expect(text.stdout.trimEnd()).toBe("30\nunscored: unparsable\nunscored: bad-input\n10");
  const both = await score(...own, "--out", "x.jsonl");
  expect(both.stderr).toContain("Expected --out or --scores-only but received both");
  const gated = await score(...own, "--no-sanity", "--fail-on", "defect");
  expect(gated).toMatchObject({ code: 4, stdout: text.stdout });
});

test("--skip-bad passes over cells without image or text", async () => {
  await put("t.csv", "image,text\nimages/a.png,a\nimages/a.png,\n ,b\n");
  const own = ["--metric", "./mine.mjs", "--json"];
  expect((await score("t.csv", ...own)).code).toBe(2);
  const { code, stdout } = await score("t.csv", ...own, "--skip-bad");
  expect(code).toBe(0);
  const { n, unscored, results } = JSON.parse(stdout);
  expect({ n, unscored }).toEqual({ n: 1, unscored: 2 });
  expect(results[1].detail).toBe("Expected text for text but received nothing");
  expect(results[2].detail).toBe("Expected text for image but received nothing");
});

test("--skip-bad passes over JSONL rows that lack image or text", async () => {
  await put("t.jsonl", '{"image": "images/a.png", "text": "a"}\n{"image": "images/a.png"}\n');
  const own = ["--metric", "./mine.mjs", "--json"];
  expect((await score("t.jsonl", ...own)).code).toBe(2);
  const { code, stdout } = await score("t.jsonl", ...own, "--skip-bad");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    n: 1,
    unscored: 1,
    results: [{ value: 10 }, { detail: "Expected text for text but received nothing" }],
  });
});

test.each([
  ["--out", "out.jsonl"],
  ["--scores-only", "--json"],
])("an interruption writes nothing and ends with 130: %s %s", async (...given) => {
  await put(
    "stop.mjs",
    `export default { name: "stop", range: [0, 1], direction: "higher",
      score: (_, { signal }) => { globalThis.interruptScore(); signal.throwIfAborted(); } };`,
  );
  const environment = fakeEnvironment({ workingDirectory: folder });
  Object.assign(globalThis, { interruptScore: () => environment.interrupt() });
  const words = ["score", "images", "--metric", "./stop.mjs", ...given];
  expect(await runCommandLine(words, environment)).toBe(130);
  expect(environment.written.stdout).toBe("");
  expect(await readdir(folder)).not.toContain("out.jsonl");
});

test("a flag that would change nothing is refused", async () => {
  const table = await score("images", "--metric", "./mine.mjs", "--rate-with", "lab:vqa");
  expect(table.code).toBe(2);
  expect(table.stderr).toContain("Expected a run for --rate-with");
  await put("run/run.json", "{}");
  const run = await score("run", "--metric", "./mine.mjs", "--skip-bad", "--scores-only");
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("Expected no --skip-bad, --scores-only for a run");
});

test.each([
  [["images", "--out", "images/metadata.jsonl"]],
  [["--image", "x.jsonl", "--text", "a cat", "--out", "x.jsonl"]],
])("--out never replaces what is scored: %j", async (words) => {
  await writeFile(join(folder, "x.jsonl"), "mine");
  const { code, stderr } = await score(...words, "--metric", "./mine.mjs");
  expect(code).toBe(2);
  expect(stderr).toContain("Expected another file than the input for --out");
  expect(await readFile(join(folder, "x.jsonl"), "utf8")).toBe("mine");
});
