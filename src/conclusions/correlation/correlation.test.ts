import { describe, expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { displayWidth } from "../../cli/terminal/wrap.js";

const { put, read, names, run } = commandLines();
const analyze = (...words: readonly string[]) =>
  run(["analyze", "correlation", ...words, "--human", "rating", "--resamples", "100"]);

/** Forty images of twenty prompts: `close` follows people, `far` hardly, `note` is text. */
const rows = Array.from({ length: 40 }, (_, at) => ({
  id: `image ${at}`,
  prompt: `prompt ${Math.floor(at / 2)}`,
  rating: (at * 7) % 5,
  close: at === 3 ? null : ((at * 7) % 5) + ((at * 3) % 4) / 2,
  far: (at * 11) % 13,
  note: "a text",
}));
const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
const csv = [
  "id,prompt,rating,close,far,note",
  ...rows.map((row) => Object.values(row).join(",")),
].join("\n");

test("--json holds every measure of each metric, from JSONL and CSV alike", async () => {
  await put("t.jsonl", jsonl);
  const { code, stdout } = await analyze("t.jsonl", "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({
    human: "rating",
    n: 79,
    unscored: 1,
    intervals: { method: "percentile", clusteredBy: "prompt", clusters: 20, resamples: 100 },
    warnings: expect.any(Array),
  });
  expect(Object.keys(found.metrics)).toEqual(["close", "far"]);
  expect(found.metrics.close).toMatchObject({ n: 39, unscored: 1 });
  for (const key of ["spearman", "kendallTauB", "pearson", "pairwiseAccuracy"]) {
    const { value, low, high } = found.metrics.close[key];
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
  }
  expect(
    (
      await run(
        ["analyze", "correlation", "-", "--human", "rating", "--resamples", "100", "--json"],
        csv,
      )
    ).stdout,
  ).toBe(stdout);
});

test("the verdict says by how much the best is ahead, as the differences do, and raters have a ceiling", async () => {
  const rated = rows.map(({ rating, close: _, ...row }, at) => ({
    ...row,
    rater_1: rating,
    rater_2: rating + (at % 3),
    close: 2 * rating + (at % 4) / 8,
  }));
  await put("t.jsonl", rated.map((row) => JSON.stringify(row)).join("\n"));
  const words = ["t.jsonl", "--human", "rater_1,rater_2", "--resamples", "200"];
  const { stdout } = await run(["analyze", "correlation", ...words, "--json"]);
  const { differences, ceiling, metrics, verdict } = JSON.parse(stdout);
  expect(differences).toMatchObject([
    { a: "far", b: "close", n: 40, pAdjusted: expect.any(Number) },
  ]);
  const [{ kendallTauB, p, pAdjusted }] = differences;
  expect(kendallTauB.value).toBeCloseTo(
    metrics.far.kendallTauB.value - metrics.close.kendallTauB.value,
    12,
  );
  expect(p).toBe(pAdjusted);
  expect(verdict).toContain(`by ${(-kendallTauB.value).toFixed(2)}`);
  expect(ceiling).toMatchObject({ n: 40, raters: 2 });
  const [{ value: one }, { value: other }] = await Promise.all(
    ["rater_1", "rater_2"].map(async (human, at) => {
      const metric = ["--metrics", at === 0 ? "rater_2" : "rater_1"];
      const found = await run([
        "analyze",
        "correlation",
        "t.jsonl",
        "--human",
        human,
        ...metric,
        "--json",
      ]);
      return JSON.parse(found.stdout).metrics[at === 0 ? "rater_2" : "rater_1"].kendallTauB;
    }),
  );
  expect(ceiling.value).toBeCloseTo((one + other) / 2, 12);
});

test("the index that pandas writes is no metric", async () => {
  const [header, ...rows] = csv.trim().split("\n");
  await put("t.csv", [`,${header}`, ...rows.map((row, at) => `${at},${row}`)].join("\n"));
  const { stdout } = await analyze("t.csv", "--json");
  expect(Object.keys(JSON.parse(stdout).metrics).sort()).toEqual(["close", "far"]);
});

test("text begins with the verdict and lists the best first", async () => {
  await put("t.csv", csv);
  const { code, stdout } = await analyze("t.csv", "--metrics", "far,close");
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^close follows rating best: Kendall's tau-b 0\.\d+ over 39 rows/);
  expect(stdout.replace(/\s+/g, " ")).toContain("better than far, the runner-up");
  expect(stdout.indexOf("\n  close")).toBeLessThan(stdout.indexOf("\n  far"));
  expect(stdout).toContain("close: 1 of 40 rows is unscored");
  expect(lines.at(-1)).toContain("analyze correlation t.csv --human rating --metrics far,close");
});

test("one metric alone, and one that can't be told from chance", async () => {
  await put("t.csv", csv);
  const one = await analyze("t.csv", "--metrics", "close");
  expect(one.stdout).toMatch(/^close follows rating: /);
  const other = await analyze("t.csv", "--metrics", "far");
  expect(other.stdout).toMatch(/^Whether far follows rating is inconclusive: /);
});

test("--out writes each of its formats", async () => {
  await put("t.csv", csv);
  for (const [name, part] of [
    ["a.json", '"kendallTauB": {'],
    ["a.csv", "metric,human,n,unscored,spearman,spearmanLow,"],
    ["a.md", "| against rating | close | 39 | 1 |"],
    ["a.html", "close follows rating best"],
  ] as const) {
    expect((await analyze("t.csv", "--out", name)).code).toBe(0);
    expect(await read(name)).toContain(part);
  }
});

test.each([
  [
    "t.csv",
    "id,rating,m\n1,2,3\n2,3,maybe\n",
    [],
    'numbers or nothing for m but received "maybe" in line 3',
  ],
  ["t.csv", "id,rating,m\n1,2,3\n", ["--metrics", "m,k"], "Expected the column k in t.csv"],
  ["t.csv", "id,rating,m\n1,2,3\n", ["--metrics", "m,m"], "different columns for --metrics"],
  ["t.csv", "id,rating,m\n1,2,3\n", ["--metrics", "rating"], "none of them rating"],
  ["t.jsonl", '{"rating": 1, "s": {"clip": 0.2}}\n', [], "--metrics s.clip"],
  ["t.jsonl", '{"rating": 1, "clip": "0.2"}\n', [], "--metrics clip"],
  ["t.jsonl", '{"rating": 1, "note": "2"}\n', [], "Expected a metric's column of numbers"],
])("wrong input ends with 2 and nothing written: %s %j", async (name, content, flags, message) => {
  await put(name, content);
  const { code, stdout, stderr } = await analyze(name, ...flags, "--out", "out.json");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
  expect(await names()).toEqual([name]);
});

test("a named column may hold its numbers as text, in JSON too; others are left alone", async () => {
  const asText = rows.map((row) => ({ ...row, rating: `${row.rating}.0`, far: `${row.far}` }));
  await put("t.jsonl", asText.map((row) => JSON.stringify(row)).join("\n"));
  const named = await analyze("t.jsonl", "--metrics", "close,far", "--json");
  expect(named.code).toBe(0);
  await put("t.csv", csv);
  expect(named.stdout).toBe((await analyze("t.csv", "--json")).stdout);
  const halves = asText.map((row, at) => ({ ...row, far: at === 3 ? "n/a" : `${row.far}.5` }));
  await put("t.jsonl", halves.map((row) => JSON.stringify(row)).join("\n"));
  const unnamed = JSON.parse((await analyze("t.jsonl", "--json")).stdout);
  expect(Object.keys(unnamed.metrics)).toEqual(["close"]);
  expect(unnamed.warnings).toContain(
    "far holds numbers as text and is left out; --metrics far reads it",
  );
});

describe("a file of score with several metrics", () => {
  type Named = { metric: string; model?: string; value: number | null };
  const asScored = (metrics: (row: (typeof rows)[number]) => Named[]) =>
    rows
      .flatMap(({ id, prompt, rating, ...row }) =>
        metrics({ id, prompt, rating, ...row }).map((named) =>
          JSON.stringify({ image: id, text: prompt, ...named, metricVersion: "1", low: 0, rating }),
        ),
      )
      .join("\n");
  const value = ["--metrics", "value", "--map", "prompt=text", "--json"];
  const wide = async (content = csv) => {
    await put("wide.csv", content);
    return JSON.parse((await analyze("wide.csv", "--json")).stdout);
  };

  test("says of each what a table with a column for each says", async () => {
    const long = asScored(({ close, far }) => [
      { metric: "close", model: "a", value: close },
      { metric: "far", model: "b", value: far },
    ]);
    await put("t.jsonl", long);
    const found = await analyze("t.jsonl", ...value);
    expect(found.code).toBe(0);
    expect(JSON.parse(found.stdout)).toEqual(await wide());
    const sorted = long
      .split("\n")
      .sort((a, b) => (a.includes('"far"') ? 1 : 0) - (b.includes('"far"') ? 1 : 0));
    await put("t.jsonl", sorted.join("\n"));
    expect(JSON.parse((await analyze("t.jsonl", ...value)).stdout)).toEqual(await wide());
    const unnamed = JSON.parse((await analyze("t.jsonl", "--json")).stdout);
    // Its range and version are numbers, too, and no metrics.
    expect(Object.keys(unnamed.metrics)).toEqual(["close", "far"]);
  });

  test("tells one metric with two models apart, but not by a model that made the images", async () => {
    const long = asScored(({ close, far }) => [
      { metric: "vqa", model: "lab:a@f5c8e40c032d", value: close },
      { metric: "vqa", model: "lab:b@a50b09052f5f", value: far },
    ]);
    await put("t.jsonl", long);
    const { metrics } = JSON.parse((await analyze("t.jsonl", ...value)).stdout);
    expect(Object.keys(metrics)).toEqual(["lab:a vqa", "lab:b vqa"]);
    expect(metrics["lab:a vqa"].n).toBe(39);
    await put("t.jsonl", long.replaceAll('"metricVersion":"1",', ""));
    const generators = JSON.parse((await analyze("t.jsonl", ...value)).stdout);
    expect(Object.keys(generators.metrics)).toEqual(["value"]);
  });

  test("pools people's counts for each, too", async () => {
    const lines = rows.flatMap(({ id, rating, far }) =>
      ["far", "farther"].map((metric) => ({
        image: id,
        metric,
        value: metric === "far" ? far : -far,
        tp: rating,
        fp: 1,
        fn: 4 - rating,
      })),
    );
    await put("t.jsonl", lines.map((row) => JSON.stringify(row)).join("\n"));
    const counts = ["--human-counts", "tp,fp,fn", "--groups", "10", "--seeds", "2"];
    const words = ["analyze", "correlation", "t.jsonl", "--metrics", "value", "--json"];
    const { code, stdout } = await run([...words, ...counts, "--resamples", "100"]);
    expect(code).toBe(0);
    const { far, farther } = JSON.parse(stdout).metrics;
    expect(far).toMatchObject({ n: 40, unscored: 0 });
    expect(farther.spearman.value).toBeCloseTo(-far.spearman.value, 12);
  });

  test.each([
    ["metric,value,rating\na,1,2\nb,2,2\n", "Expected the column id or image in each row of t.csv"],
    ["id,metric,value,rating\n1,a,1,2\n1,b,2,2\n1,,2,2\n", "Expected a name in the column metric"],
  ])("is refused where rows can't be brought together: %j", async (content, message) => {
    await put("t.csv", content);
    const { code, stdout, stderr } = await analyze("t.csv", ...value.slice(0, 2));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replace(/\s+/g, " ")).toContain(message);
    expect(stderr.replace(/\s+/g, " ")).toContain("since its column metric has a and b");
  });
});

test("--group correlates within each group, too, and the verdict is of these", async () => {
  const grouped = rows.map((row, at) => ({ ...row, model: `m${at % 7}`, fold: at % 2 }));
  await put("t.jsonl", grouped.map((row) => JSON.stringify(row)).join("\n"));
  const flags = ["--group", "model", "--average", "mean", "--weight", "n", "--undefined", "zero"];
  const found = JSON.parse((await analyze("t.jsonl", ...flags, "--json")).stdout);
  expect(found.metrics.close.grouped).toMatchObject({ groups: 7, undefined: 0, average: "mean" });
  expect(found.metrics.close.spearman.value).toBeGreaterThan(0);
  for (const key of ["spearman", "kendallTauB", "pearson"]) {
    const { value, low, high } = found.metrics.close.grouped[key];
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
  }
  expect(found.grouped).toMatchObject({ weight: "n", undefinedGroups: "zero", groups: 7 });
  const { stdout } = await analyze("t.jsonl", ...flags);
  expect(stdout).toMatch(/^close follows rating best within groups: average Kendall's tau-b 0\./);
  expect(stdout).toContain("Within 7 groups, averaged");
  expect(stdout).toContain(`--human rating ${flags.join(" ")} --resamples 100 --out`);
  const lines = stdout.trimEnd().split("\n").slice(0, -1);
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(100);
  const two = await analyze("t.jsonl", "--group", "fold,model", "--json");
  const { each } = JSON.parse(two.stdout).metrics.close.grouped;
  expect(Object.keys(each)).toHaveLength(14);
  expect(each).toHaveProperty("fold=0, model=m3");
  expect(Object.keys(JSON.parse(two.stdout).metrics)).toEqual(["close", "far"]);
  await analyze("t.jsonl", ...flags, "--out", "a.csv", "--plot", "a.svg");
  const [header, line] = (await read("a.csv")).split("\n");
  expect(header).toContain(",groups,undefined,average,groupedSpearman,groupedSpearmanLow,");
  expect(line).toContain(",7,0,mean,");
  expect(await read("a.svg")).toContain("within groups and pooled");
});

test("several raters' columns, or a list of ratings, are averaged and no metrics", async () => {
  const content = ["image_id,r1,r2,clip", "1,1,3,1", "2,2,,2", "3,5,4,3", "4,,,4"].join("\n");
  await put("t.csv", content);
  const words = ["analyze", "correlation", "t.csv", "--resamples", "100", "--json"];
  const mean = JSON.parse((await run([...words, "--human", "r1,r2"])).stdout);
  expect(mean).toMatchObject({ human: "mean of r1 and r2", n: 3, unrated: 1 });
  expect(Object.keys(mean.metrics)).toEqual(["clip"]);
  // 2, 2 and 4.5: a tie of people.
  expect(mean.metrics.clip.kendallTauB.value).toBeCloseTo(2 / Math.sqrt(6), 12);
  expect(mean.warnings).toContain("1 row has fewer than 2 ratings; its mean is over those given");
  const one = JSON.parse((await run([...words, "--human", "r1"])).stdout);
  expect(Object.keys(one.metrics)).toEqual(["clip"]);
  expect(one.warnings.join()).toContain("r2 looks like a rater's column and is no metric");
  const named = await run([...words, "--human", "r1", "--metrics", "clip,r2,image_id"]);
  expect(Object.keys(JSON.parse(named.stdout).metrics)).toEqual(["clip", "r2", "image_id"]);
  const lists = [
    { id: 1, said: [1, 3], clip: 1 },
    { id: 2, said: [2, null], clip: 2 },
    { id: 3, said: [5, 4], clip: 3 },
  ];
  await put("t.json", JSON.stringify(lists));
  const listed = JSON.parse((await run([...words.with(2, "t.json"), "--human", "said"])).stdout);
  expect(listed.metrics.clip).toEqual(mean.metrics.clip);
});

describe("several ratings of one id", () => {
  const rated = rows.map(({ id, rating, far }) => ({ id, rating, far }));
  const long = rated.flatMap((row) =>
    [-1, 0, 1].map((less) => ({ ...row, rating: row.rating + less, rater: `r${less}` })),
  );
  const write = (name: string, lines: readonly object[]) =>
    put(name, lines.map((line) => JSON.stringify(line)).join("\n"));
  const said = "120 ratings of 40 ids with several were averaged";

  test("are averaged, and it is said once", async () => {
    await write("wide.jsonl", rated);
    await write("long.jsonl", long);
    const wide = JSON.parse((await analyze("wide.jsonl", "--json")).stdout);
    const found = JSON.parse((await analyze("long.jsonl", "--json")).stdout);
    expect(found.metrics).toEqual(wide.metrics);
    expect(found.warnings).toEqual([said, ...wide.warnings]);
  });

  test("are averaged where a table has a row for each metric and rating", async () => {
    const both = long.flatMap(({ far, ...row }) => [
      { ...row, metric: "far", value: far },
      { ...row, metric: "near", value: -far },
    ]);
    await write("long.jsonl", both);
    const found = JSON.parse((await analyze("long.jsonl", "--json")).stdout);
    expect(found).toMatchObject({ n: 80, unscored: 0 });
    expect(found.metrics.far.n).toBe(40);
    expect(found.warnings).toEqual([said]);
  });

  test("are none where rows of an id differ in a score: it names no item then", async () => {
    await write("long.jsonl", [...long, { ...rated[0], far: 99 }]);
    const found = JSON.parse((await analyze("long.jsonl", "--json")).stdout);
    expect(found.metrics.far.n).toBe(121);
    expect(found.warnings.join()).toContain("1 id has rows with different scores");
  });
});

test.each([
  [["--average", "mean"], "Expected --group for --average"],
  [["--undefined", "zero"], "Expected --group for --undefined"],
  [["--group", "a,a"], 'Expected different columns for --group but received "a,a"'],
  [["--group", "model"], "Expected the column model in t.csv"],
])("groups given wrong end with 2: %j", async (flags, message) => {
  await put("t.csv", csv);
  const { code, stderr } = await analyze("t.csv", ...flags);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
});

test("reads the sample that example prints", async () => {
  const sample = await run(["example", "correlation"]);
  const flags = ["--human", "rating", "--resamples", "100", "--json"];
  const { code, stdout } = await run(["analyze", "correlation", "-", ...flags], sample.stdout);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ n: 23, unscored: 1 });
});

test("--tie-calibration counts people's ties and says what ties a metric", async () => {
  // Two ratings one apart, and scores that differ by k eighths within a rating: 8 (7 - k) pairs, while
  // 4 (k - 1) pairs of both ratings do; up to k = 4 there are more of the former.
  const tied = Array.from({ length: 28 }, (_, at) => `${at},${at % 2},${(at % 2) + (at % 7) / 8}`);
  await put("t.csv", ["id,rating,m", ...tied].join("\n"));
  const { code, stdout } = await analyze("t.csv", "--tie-calibration");
  expect(code).toBe(0);
  expect(stdout).toContain("Pairs as people have them, ties included");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.at(-1)).toContain("--human rating --tie-calibration --resamples 100 --out");
  expect(Math.max(...lines.slice(0, -1).map(displayWidth))).toBeLessThanOrEqual(100);
  const { metrics } = JSON.parse((await analyze("t.csv", "--tie-calibration", "--json")).stdout);
  const { accuracy, calibrated, epsilon, n } = metrics.m.tieCalibration;
  expect({ n, epsilon }).toEqual({ n: 28, epsilon: 0.5 });
  expect(calibrated.value - accuracy.value).toBeCloseTo(120 / ((28 * 27) / 2), 12);
  expect((await analyze("t.csv", "--tie-calibration", "--out", "out.csv")).code).toBe(0);
  const written = await read("out.csv");
  expect(written).toContain(`,${accuracy.value},0.5,${calibrated.value},`);
});

test("--interval bca is named where intervals are", async () => {
  await put("t.csv", csv);
  const { code, stdout } = await analyze("t.csv", "--interval", "bca");
  expect(code).toBe(0);
  expect(stdout).toContain("95 % BCa bootstrap: 100 resamples of 20 prompts, seed 0");
  expect(stdout).toContain("--interval bca --resamples 100 --out");
});

test("of too few prompts the verdict says why it claims nothing", async () => {
  const few = rows.slice(0, 10).map(({ far, note, ...row }) => row);
  await put("t.jsonl", few.map((row) => JSON.stringify(row)).join("\n"));
  const { verdict } = JSON.parse((await analyze("t.jsonl", "--json")).stdout);
  expect(verdict).toMatch(/^Whether close follows rating is inconclusive: /);
  expect(verdict).toMatch(/ 5 prompts are too few to claim more: it takes 6\.$/);
  await put("t.jsonl", jsonl);
  expect(JSON.parse((await analyze("t.jsonl", "--json")).stdout).verdict).not.toMatch(/too few/);
});

test.each([
  ["--human rating", (rare: number) => ({ rating: 1 + (rare % 4), weight: rare })],
  ["--human-counts tp,fp,fn --groups 4", (rare: number) => ({ tp: 2, fp: rare, fn: 1 })],
])("a 9 among weights or counts is no code for no answer (%s)", async (flags, people) => {
  const table = [1, 2, 1, 2, 9, 2, 1, 1].map((rare, at) => ({
    id: at,
    m: at / 8,
    ...people(rare),
  }));
  await put("nines.jsonl", table.map((row) => JSON.stringify(row)).join("\n"));
  const words = `analyze correlation nines.jsonl --resamples 100 ${flags}`.split(" ");
  const { code, stdout, stderr } = await run(words);
  expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringContaining("no answer")]);
});

test("--human-counts pools counts in groups", async () => {
  const counted = rows.map(({ id, prompt, rating, close, far }) => ({
    id,
    prompt,
    tp: rating,
    fp: 1,
    tn: 3 + (rating % 2),
    fn: 4 - rating,
    close,
    far,
  }));
  await put("t.jsonl", counted.map((row) => JSON.stringify(row)).join("\n"));
  const words = ["analyze", "correlation", "t.jsonl", "--resamples", "100"];
  const flags = ["--human-counts", "tp,fp,fn", "--groups", "10", "--seeds", "2"];
  const { code, stdout } = await run([...words, ...flags, "--target", "recall", "--json"]);
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ human: "recall of tp, fp, fn", groups: 10, seeds: 2, n: 79 });
  expect(Object.keys(found.metrics)).toEqual(["close", "far"]);
  expect(found.metrics.close.spearman.value).toBeGreaterThan(0.5);
  const text = (await run([...words, ...flags])).stdout;
  expect(text.replace(/\s+/g, " ")).toContain("over 10 groups of 39 rows");
  expect(text.trimEnd()).toContain("--human-counts tp,fp,fn --groups 10 --seeds 2 --resamples 100");
});

test.each([
  [[], "Expected either --human or --human-counts"],
  [["--human", "tp", "--human-counts", "tp,fp,fn"], "Expected either --human or --human-counts"],
  [["--human-counts", "tp,fp"], "Expected three columns for --human-counts"],
  [["--human-counts", "tp,fp,fn", "--interval", "delta"], "Expected --interval percentile"],
  [["--human-counts", "tp,fp,fn", "--interval", "bca"], "for --human-counts but received bca"],
  [["--human-counts", "tp,fp,fn", "--tie-calibration"], "Expected --human for --tie-calibration"],
  [["--human-counts", "tp,fp,fn"], "Expected a number of at least 0 or nothing for fn"],
  [
    ["--human", "tp", "--groups", "9", "--target", "f1", "--seeds", "5"],
    "Expected --human-counts for --target and --groups and --seeds but received --human",
  ],
  [
    ["--human-counts", "tp,fp,m", "--groups", "3"],
    "Expected at least as many rows with people's counts as --groups, 3, but received 1",
  ],
])("people's judgement given wrong ends with 2: %j", async (flags, message) => {
  await put("t.csv", "tp,fp,fn,m,o\n1,1,-1,3,4\n1,1,1,,1\n");
  const { code, stderr } = await run(["analyze", "correlation", "t.csv", ...flags]);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
});

test("a table without ids gives the same bytes in every format, and rows without a group are one", async () => {
  const items = Array.from({ length: 60 }, (_, at) => ({
    rating: (at * 7) % 5,
    clip: ((at * 11) % 13) / 10,
    task: at % 3 === 0 ? null : `t${at % 4}`,
  }));
  const csv = items.map(({ rating, clip, task }) => `${rating},${clip},${task ?? ""}\n`).join("");
  await put("t.csv", `rating,clip,task\n${csv}`);
  await put("t.jsonl", items.map((row) => JSON.stringify(row)).join("\n"));
  const words = ["--human", "rating", "--group", "task", "--json", "--resamples", "100"];
  const found = [];
  for (const file of ["t.csv", "t.jsonl"]) {
    const { code, stdout, stderr } = await run(["analyze", "correlation", file, ...words]);
    expect(code, stderr).toBe(0);
    found.push(stdout);
  }
  expect(found[0]).toBe(found[1]);
  expect(Object.keys(JSON.parse(found[0] ?? "").metrics.clip.grouped.each)).toContain("(empty)");
});

test.each(["0.5 pts", "score: 0.5", "4/5"])(
  "a column of %j is left out, and said",
  async (cell) => {
    const rows = [1, 2, 3, 4].map((rating) => `${rating},${rating},${cell}\n`);
    await put("worded.csv", `rating,vqa,clip\n${rows.join("")}`);
    const { code, stdout } = await analyze("worded.csv", "--json");
    expect(code).toBe(0);
    expect(stdout).toContain("clip holds numbers among words");
  },
);

test("words that were read as no answer are said of columns that nobody named, too", async () => {
  await put("words.csv", "rating,vqa,note\n1,0.1,-\n2,N/A,a\n3,0.3,b\n4,0.2,c\n");
  const { code, stderr } = await analyze("words.csv");
  expect(code).toBe(0);
  expect(stderr).toContain('Read as no answer: "N/A" in vqa (in words.csv).');
});

test("an id within an object names its item as one in a column does", async () => {
  await put("flat.csv", csv);
  const nested = rows.map(({ id, ...row }) => JSON.stringify({ ...row, meta: { id } }));
  await put("nested.jsonl", nested.join("\n"));
  const flat = JSON.parse((await analyze("flat.csv", "--json")).stdout);
  const found = await analyze("nested.jsonl", "--map", "id=meta.id", "--json");
  expect(JSON.parse(found.stdout)).toEqual(flat);
});
