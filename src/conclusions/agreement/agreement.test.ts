import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { put, read, run } = commandLines();
const analyze = (stdin: string, ...words: readonly string[]) =>
  run(["analyze", "agreement", "-", "--resamples", "100", ...words], stdin);
const sample = async () => (await run(["example", "agreement"])).stdout;

test("--json holds every statistic, and a matrix for each kappa", async () => {
  const flags = ["--scale", "ordinal", "--categories", "1,2,3,4,5", "--json"];
  const { code, stdout } = await analyze(await sample(), ...flags);
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ items: 12, annotators: 3, ratings: 35, n: 12, unscored: 1 });
  expect(found.pairwise.annotators).toEqual(["Ada", "Ben", "Cleo"]);
  for (const name of ["cohen", "linear", "quadratic"]) {
    const matrix = found.pairwise[name];
    expect(matrix).toHaveLength(3);
    for (const at of [0, 1, 2]) expect(matrix[at][at]).toBe(1);
    expect(matrix[0][2]).toBe(matrix[2][0]);
  }
  expect(found.majorityShare).toBe(found.intervalsOf.majorityShare.value);
  expect(found.krippendorffAlpha).toBe(found.intervalsOf.krippendorffAlpha.value);
  expect(found.fleissForm).toBe("generalised");
  expect(found.fleissKappa).toBe(found.intervalsOf.fleissKappa.value);
  expect(found.intervals).toMatchObject({ clusteredBy: "item", resamples: 100, seed: 0 });
});

test("text begins with the verdict and shows each pair", async () => {
  const { code, stdout } = await analyze(await sample(), "--scale", "ordinal", "--details");
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^3 annotators agree enough for tentative conclusions \(alpha from 0\.667\): Krippendorff/,
  );
  expect(stdout).toMatch(/annotator +Ada +Ben +Cleo/);
  expect(stdout).toMatch(/Fleiss' kappa, generalised +0\.\d{3} \[/);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "Generalised: for unequal numbers of ratings (Gwet 2014).",
  );
});

test("3, 3.0 and a mapped column are one category", async () => {
  const csv = "item,annotator,rating\na,x,3\na,y,3.0\nb,x,1\nb,y,1\n";
  const { stdout } = await analyze(csv, "--scale", "ordinal", "--map", "value=rating", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ categories: ["1", "3"], majorityShare: 1 });
});

test("a table without annotator is of anonymous raters, in every form", async () => {
  const csv = "item,value\na,1\na,1\na,2\nb,3\nb,3\nc,2\n";
  const { code, stdout } = await analyze(csv, "--scale", "ordinal", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    items: 3,
    annotators: null,
    ratings: 6,
    n: 2,
    pairwise: null,
    fleissForm: "generalised",
    krippendorffAlpha: expect.any(Number),
    fleissKappa: expect.any(Number),
  });
  const text = (await analyze(csv, "--scale", "ordinal")).stdout;
  expect(text).toMatch(/^Anonymous raters: /);
  expect(text).not.toContain("kappa of pairs");
  const written = async (name: string) => {
    await analyze(csv, "--scale", "ordinal", "--out", name);
    return read(name);
  };
  expect((await written("a.csv")).split("\n")).toHaveLength(5);
  expect(await written("a.html")).toContain("Agreement of anonymous raters");
  const some = await analyze("item,annotator,value\na,x,1\na,,2\n", "--scale", "ordinal");
  expect(some.code).toBe(2);
  expect(some.stderr.replace(/\s+/g, " ")).toContain(
    "Expected an annotator in every row or in none",
  );
});

test("--out writes each form", async () => {
  const written = async (name: string) => {
    const { code } = await analyze(await sample(), "--scale", "nominal", "--out", name);
    expect(code).toBe(0);
    return read(name);
  };
  expect(JSON.parse(await written("a.json")).scale).toBe("nominal");
  const [header, majority] = (await written("a.csv")).split("\n");
  expect(header).toBe("statistic,annotator,other,n,value,low,high");
  expect(majority).toMatch(/^majorityShare,,,12,0\.736/);
  expect(await written("a.md")).toContain("| statistic |");
  expect(await written("a.html")).toContain("3 annotators agree ");
});

test("wrong input ends with 2 and says where", async () => {
  const cases = [
    [["--scale", "ordinal", "--categories", "1,2"], "Expected one of 1, 2 for value but received"],
    [["--scale", "interval", "--map", "value=annotator"], "Expected a number or nothing"],
    [["--scale", "ordinal", "--categories", "1,1"], "two or more different categories"],
    [["--scale", "ordinal", "--map", "value=annotator"], "an order of categories"],
    [["--scale", "cardinal"], "nominal, ordinal, interval"],
    [[], "--scale"],
  ] as const;
  for (const [flags, message] of cases) {
    const { code, stdout, stderr } = await analyze(await sample(), ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  }
  await put("twice.csv", "item,annotator,value\na,x,1\na,x,2\n");
  const { stderr } = await run(["analyze", "agreement", "twice.csv", "--scale", "nominal"]);
  expect(stderr).toContain(
    'item "a" of annotator "x" stands in line 2 already (in twice.csv, line 3)',
  );
});

test("--raters reads a column for each annotator, the same as a row for each rating", async () => {
  const wide = "item,anna,ben,note\na,3,2,x\nb,1,,y\nc,2,2,z\n";
  const long = "item,annotator,value\na,anna,3\na,ben,2\nb,anna,1\nb,ben,\nc,anna,2\nc,ben,2\n";
  const flags = ["--scale", "ordinal", "--json"];
  const { stdout } = await analyze(wide, ...flags, "--raters", "anna,ben");
  expect(JSON.parse(stdout)).toMatchObject({ items: 3, ratings: 5, unscored: 1 });
  expect(stdout).toBe((await analyze(long, ...flags)).stdout);
  const twice = await analyze("item,anna,ben\na,1,1\na,1,1\n", ...flags, "--raters", "anna,ben");
  expect(twice.code).toBe(2);
  expect(JSON.parse(twice.stderr).error.problems.join()).toContain('item "a" stands in line 2');
  const one = await analyze(wide, ...flags, "--raters", "anna");
  expect(one.stderr).toContain("Expected two or more different columns for --raters");
});

test.each([
  [
    "a column of people",
    "ResponseId,Q1,Q2\nr1,1,2\nr2,2,2\nr3,1,2\n",
    "Q1,Q2",
    "annotator=ResponseId",
  ],
  ["more columns than rows", "who,i1,i2,i3\nr1,1,2,3\nr2,2,2,3\n", "i1,i2,i3", "annotator=person"],
  ["items in rows", "image,anna,ben\na,1,1\nb,2,1\nc,2,2\n", "anna,ben", undefined],
])("--raters says where rows may be people: %s", async (_, table, raters, expected) => {
  const flags = ["--scale", "ordinal", "--raters", raters, "--json"];
  const { code, stdout } = await analyze(table, ...flags);
  const said = JSON.parse(stdout).warnings.join("\n");
  expect(code).toBe(0);
  if (expected === undefined) expect(said).not.toContain("a row for each person");
  else expect(said).toContain(expected);
  const { stderr } = await analyze(table, "--scale", "ordinal");
  expect(stderr).not.toMatch(/--raters .*(ResponseId|image)/);
});

test("--raters does not take rows of several metrics for as many items", async () => {
  const table = "image,metric,rating,value\nx,a,1,1\nx,b,1,2\ny,a,2,2\ny,b,2,2\n";
  const flags = ["--scale", "interval", "--raters", "rating,value"];
  const { code, stdout, stderr } = await analyze(table, ...flags);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.replace(/\s+/g, " ")).toContain("since its column metric has a and b");
  const one = table.split("\n").filter((line) => !line.includes(",b,"));
  expect((await analyze(one.join("\n"), ...flags)).code).toBe(0);
  const items = await analyze(
    table.replace("image", "place").replace("x,b", "z,b").replace("y,b", "u,b"),
    ...flags,
    "--map",
    "item=place",
  );
  expect(items.code).toBe(0);
});

test("a JSON document's rows, nested ratings and words for none are read where they are told", async () => {
  const document = JSON.stringify({ p: { m: { r: [5, 41] }, n: { r: [3, 3] } } });
  const words = ["--scale", "interval", "--raters", "r.0,r.1", "--format", "json"];
  const more = ["--rows", "*.*", "--unscored", "41", "--map", "item=key"];
  const { stdout } = await analyze(document, ...words, ...more, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ items: 2, ratings: 3, categories: ["3", "5"] });
  const text = await analyze(document, ...words, ...more);
  const next = text.stdout.replaceAll("\n", " ");
  expect(next).toContain("--map item=key --rows '*.*' --unscored 41 --scale interval");
});

test.each(["item,r1,r2,r3", "item,annotator_a,annotator_b", "id,anna 1,anna 2"])(
  "a table with a column for each annotator is told to name them: %s",
  async (header) => {
    const names = header.split(",").slice(1);
    const { code, stderr } = await analyze(
      `${header}\n${names.map(() => 1)},1\n`,
      "--scale",
      "ordinal",
    );
    expect(code).toBe(2);
    expect(stderr).toContain(`With a column for each annotator: --raters ${names.join(",")}`);
  },
);

test("NA is a missing rating, unless the categories name it", async () => {
  const rows = ["1,ann,A", "1,ben,A", "2,ann,B", "2,ben,NA", "3,ann,B", "3,ben,B"];
  const table = ["item,annotator,value", ...rows].join("\n");
  const ratings = async (...flags: readonly string[]) =>
    JSON.parse((await analyze(table, "--scale", "nominal", "--json", ...flags)).stdout).ratings;
  expect(await ratings()).toBe(5);
  expect(await ratings("--categories", "A,B,NA")).toBe(6);
});

test("a judge that names the same by other words is warned of, and --values recodes it", async () => {
  const people = Array.from({ length: 24 }, (_, at) => (((at * 5) % 7) % 2 === 0 ? "a" : "b"));
  const rows = people.flatMap((word, at) => [
    { item: at, annotator: "anna", value: word },
    { item: at, annotator: "judge", value: word === "a" ? "left" : "Right" },
  ]);
  const table = rows.map((row) => JSON.stringify(row)).join("\n");
  const plain = JSON.parse((await analyze(table, "--scale", "nominal", "--json")).stdout);
  expect(plain.krippendorffAlpha).toBeLessThan(0);
  const isWarning = (text: string) => text.includes("share no category");
  expect(plain.warnings.filter(isWarning)).toHaveLength(1);
  const words = ["--scale", "nominal", "--json", "--values", "left=a,right=b"];
  const found = JSON.parse((await analyze(table, ...words)).stdout);
  expect(found.krippendorffAlpha).toBe(1);
  expect(found.warnings.filter(isWarning)).toEqual([]);
  const wrong = await analyze(table, "--scale", "nominal", "--values", "left");
  expect(wrong.code).toBe(2);
});

test("one table gives the same bytes in every format, booleans and ragged lists, too", async () => {
  const items = Array.from({ length: 30 }, (_, at) => ({
    first: (at * 7) % 5 > 1,
    second: at % 6 === 0 ? null : (at * 3) % 5 > 1,
  }));
  const flags = ["--scale", "nominal", "--raters", "first,second", "--json", "--resamples", "100"];
  await put(
    "t.csv",
    `first,second\n${items.map(({ first, second }) => `${first},${second ?? ""}\n`).join("")}`,
  );
  await put(
    "spaced.csv",
    `first,second\n${items.map(({ first, second }) => `\n${first ? "TRUE" : "False"},${second ?? "NA"}\n`).join("")}`,
  );
  await put("t.json", JSON.stringify(items));
  const lines = items.map(({ first, second }) =>
    JSON.stringify(second === null ? { first } : { first, second }),
  );
  await put("t.jsonl", lines.join("\n"));
  await put(
    "lists.jsonl",
    items
      .map(({ first, second }) =>
        JSON.stringify({ of: second === null ? [first] : [first, second] }),
      )
      .join("\n"),
  );
  const of = async (file: string, ...words: readonly string[]) =>
    (await run(["analyze", "agreement", file, ...flags, ...words])).stdout;
  const expected = await of("t.csv");
  expect(JSON.parse(expected)).toMatchObject({ items: 30, unscored: 5 });
  for (const file of ["spaced.csv", "t.json", "t.jsonl"])
    expect(await of(file), file).toBe(expected);
  const lists = await run([
    "analyze",
    "agreement",
    "lists.jsonl",
    ...flags.map((flag) => (flag === "first,second" ? "of.0,of.1" : flag)),
  ]);
  expect(lists.stdout.replaceAll("of.0", "first").replaceAll("of.1", "second")).toBe(expected);
});
