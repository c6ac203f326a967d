import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { put, read, run } = commandLines();
const analyze = (stdin: string, ...words: readonly string[]) =>
  run(["analyze", "swap", "-", "--resamples", "100", ...words], stdin);
const sample = async () => (await run(["example", "swap"])).stdout;

test("--json holds rates and bounds of each metric", async () => {
  const { code, stdout } = await analyze(await sample(), "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ n: 23, unscored: 1, warnings: expect.any(Array) });
  expect(found.metrics["clip-score"]).toMatchObject({ n: 12, unscored: 0 });
  const { bounds, ...vqa } = found.metrics["vqa-score"];
  expect(vqa).toMatchObject({
    n: 11,
    unscored: 1,
    tieRate: { value: 0 },
    failureRate: { value: 2 / 11 },
    failuresAndHalfTies: { value: 2 / 11 },
  });
  expect(bounds).toEqual({ low: 2 / 12, high: 3 / 12 });
  expect(found.intervals).toMatchObject({ clusteredBy: "prompt", clusters: 6 });
});

test("text begins with a short verdict", async () => {
  const { stdout } = await analyze(await sample(), "--details");
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^clip-score prefers the swapped description in 41\.7 % \[/);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "Less often wrong than a coin: vqa-score (2 of 11 rows fail, none ties).",
  );
  expect(stdout.replace(/\s+/g, " ")).toContain("clip-score (5 of 12 rows fail, 1 ties).");
  expect(stdout).not.toContain("…");
});

test("--out and --plot write each form", async () => {
  const written = async (name: string, flag = "--out") => {
    expect((await analyze(await sample(), flag, name)).code).toBe(0);
    return read(name);
  };
  expect(JSON.parse(await written("a.json")).metrics).toHaveProperty("clip-score");
  const [header, clip] = (await written("a.csv")).split("\n");
  expect(header).toBe(
    "metric,n,unscored,failures,ties,failureRate,failureRateLow,failureRateHigh,tieRate,tieRateLow," +
      "tieRateHigh,failuresAndHalfTies,failuresAndHalfTiesLow,failuresAndHalfTiesHigh,difference," +
      "differenceLow,differenceHigh,boundsLow,boundsHigh",
  );
  expect(clip).toMatch(/^clip-score,12,0,5,1,0\.41666/);
  expect(await written("a.md")).toContain("| vqa-score | 11 | 1 |");
  expect(await written("a.html")).toContain("Swap test by metric");
  expect(await written("a.svg", "--plot")).toContain("both score the same");
});

test("--wide reads two columns for each metric, the same as a row for each", async () => {
  const long = "id,metric,original,swapped\n1,a,1,2\n2,a,2,\n1,b,3,3\n2,b,2,1\n";
  const flags = ["--json"];
  const expected = JSON.parse((await analyze(long, ...flags)).stdout);
  for (const header of [
    "id,a_original,a_swapped,b_original,b_swapped",
    "id,original_a,swapped_a,original.b,swapped.b",
    "id,aOriginal,aSwapped,b original,b swapped",
  ]) {
    const wide = await analyze(`${header}\n1,1,2,3,3\n2,2,,2,1\n`, "--wide", ...flags);
    expect(wide.code, wide.stderr).toBe(0);
    expect(JSON.parse(wide.stdout)).toEqual(expected);
  }
  const nested = [
    { id: 1, a: { right: 1, swapped: 2 }, b: { right: 3, swapped: 3 } },
    { id: 2, a: { right: 2, swapped: null }, b: { right: 2, swapped: 1 } },
  ];
  const words = ["--wide", "--map", "original=right", ...flags];
  const { stdout } = await analyze(JSON.stringify(nested), ...words);
  expect(JSON.parse(stdout)).toEqual(expected);
  const text = await analyze("id,a_original,a_swapped\n1,1,2\n", "--wide");
  expect(text.stdout).toContain("touchstone analyze swap - --wide --resamples 100 --out");
});

test.each([
  ["id,a_original\n1,2\n", ["--wide"], "Expected a column of a for swapped beside a_original"],
  ["id,a\n1,2\n", ["--wide"], "Expected two columns for each metric, such as clip_original and"],
  [
    "id,a_original,original_a,a_swapped\n1,2,1,1\n",
    ["--wide"],
    "Expected one column of a for each side but found a_original and original_a",
  ],
  ["id,a_original,a_swapped\n1,2,x\n", ["--wide"], 'for a_swapped but received "x"'],
  ["id,a_original,a_swapped\n1,2,1\n", [], "Here a metric is two columns (a): --wide reads them"],
])("wrong input ends with 2 and says how to go on: %j %j", async (table, flags, message) => {
  await put("t.csv", table);
  const { code, stdout, stderr } = await run(["analyze", "swap", "t.csv", ...flags]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
});

test("images that are swapped are no failures of a metric, and without a reference it has no verdict", async () => {
  // Of ten images the last four show the swapped description, and a perfect metric prefers it there.
  const rows = Array.from({ length: 10 }, (_, at) => (at < 6 ? [0.9, 0.1, 1] : [0.1, 0.9, 0]));
  const table = (columns: number) =>
    [
      ["id,metric,original,swapped", ...(columns > 2 ? ["asDescribed"] : [])].join(","),
      ...rows.map((row, at) => [at, "m", ...row.slice(0, columns)].join(",")),
    ].join("\n");
  const known = JSON.parse((await analyze(table(3), "--json")).stdout);
  expect(known).toMatchObject({ n: 6, excluded: 4 });
  expect(known.metrics.m.failureRate.value).toBe(0);
  const { stdout } = await analyze(table(2));
  expect(stdout).toMatch(/^No verdict on metrics/);
  expect(stdout).not.toMatch(/coin/);
});
