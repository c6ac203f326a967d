import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { read, run } = commandLines();
const analyze = (stdin: string, ...words: readonly string[]) =>
  run(["analyze", "calibration", "-", "--resamples", "100", ...words], stdin);
const sample = async () => (await run(["example", "calibration"])).stdout;

test("--json holds every statistic with its interval", async () => {
  const { code, stdout } = await analyze(await sample(), "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ n: 39, unscored: 1, ties: 1 });
  for (const name of [
    ...["accuracy", "accuracyHalfCredit", "f1", "kappa", "rocAuc", "averagePrecision"],
    ...["brier", "nll", "ece", "mce"],
  ]) {
    expect(found[name]).toEqual(expect.any(Number));
    expect(found.intervalsOf[name].value).toBe(found[name]);
    expect(found.intervalsOf[name].low).toBeLessThan(found.intervalsOf[name].high);
  }
  expect(found.bins).toHaveLength(10);
  expect(Object.keys(found.bins[9])).toEqual(["low", "high", "n", "accuracy", "confidence"]);
  expect(found.coverage.at(-1).coverage).toBe(1);
});

test("text begins with the verdict", async () => {
  const { code, stdout } = await analyze(await sample());
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^The answers are right in [\d.]+ % of 39 rows and /);
  expect(stdout).toContain("1 of 39 rows has a probability of 0.5");
});

test("a finding says from which confidence on answers may stand, or what it takes", async () => {
  expect((await analyze(await sample())).stdout.replace(/\s+/g, " ")).toContain(
    "- No confidence threshold is certified: 39 labels are too few. An error of at most 5 % takes at least 59, all answered right, and further labels to choose the threshold by.",
  );
  const row = (at: number) => `${at},${at % 4 === 0 ? 1 : 0},${at % 2 === 0 ? 0.6 : 0.18}`;
  const table = ["id,label,probability", ...Array.from({ length: 400 }, (_, at) => row(at))].join(
    "\n",
  );
  const { stdout } = await analyze(table, "--target-error", "0.1");
  expect(stdout.replace(/\s+/g, " ")).toMatch(
    /- The judge may decide alone at confidence 0\.\d{3} or more: that accepts \d+ of 350 held-out labels \([\d.]+ %\), 0 of them wrong\. At most 10 % of what it accepts is wrong,/,
  );
  expect((await analyze(table, "--target-error", "1")).stderr).toContain(
    'Expected a number from 0.001 to 0.999 for --target-error but received "1"',
  );
  const weighted = table.replace(/\d$/gm, (last) => `${last},${last === "8" ? 2 : 1}`);
  const { stdout: drawn } = await analyze(weighted.replace("probability", "probability,weight"));
  expect(drawn).toContain("- No threshold is certified: the bound is for rows drawn with equal");
});

test("rows of one prompt are resampled together where a column names it", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, at) => `${at},${Math.floor(at / 6)},${at % 3 === 0 ? 1 : 0},0.${(at % 7) + 2}`,
  );
  const table = (column: string) => [`id,${column},label,probability`, ...rows].join("\n");
  const clusters = async (column: string, ...words: readonly string[]) => {
    const { code, stdout } = await analyze(table(column), ...words, "--json");
    expect(code).toBe(0);
    return JSON.parse(stdout).intervals;
  };
  expect(await clusters("prompt")).toMatchObject({ clusters: 10, clusteredBy: "prompt" });
  expect(await clusters("caption", "--map", "prompt=caption")).toMatchObject({ clusters: 10 });
  expect(await clusters("caption")).toMatchObject({ clusters: 60, clusteredBy: "row" });
  const { stdout } = await analyze(table("prompt"));
  expect(stdout).toContain("100 resamples of 10 prompts");
});

test("--bins and --bin-count sort confidence otherwise, and are in the next command", async () => {
  const flags = ["--bins", "equal-mass", "--bin-count", "5", "--interval", "bca"];
  const found = JSON.parse((await analyze(await sample(), ...flags, "--json")).stdout);
  expect(found.binning).toBe("equal-mass");
  const sizes = found.bins.map(({ n }: { n: number }) => n);
  expect(sizes).toHaveLength(5);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  for (const name of ["classwiseEce", "classwiseMce", "f1Macro", "errorCoverageArea"]) {
    expect(found[name]).toBeGreaterThan(0);
  }
  const { stdout } = await analyze(await sample(), ...flags, "--details");
  expect(stdout.replace(/\s+/g, " ")).toContain("of 5 bins of as many rows each of top-label");
  expect(stdout).toContain("--bins equal-mass --bin-count 5 --interval bca --resamples 100 --out");
});

test("--out writes each form", async () => {
  const written = async (name: string) => {
    expect((await analyze(await sample(), "--out", name)).code).toBe(0);
    return read(name);
  };
  expect(JSON.parse(await written("a.json")).n).toBe(39);
  expect(await written("a.csv")).toMatch(/^statistic,n,unscored,value,low,high\naccuracy,39,1,0\./);
  expect(await written("a.md")).toContain("| Brier score |");
  expect(await written("a.html")).toContain("The answers are right in");
});

test("wrong input ends with 2 and says where", async () => {
  const cases = [
    ["id,label,probability\na,2,0.2\n", "Expected 0, 1 or nothing for label"],
    ["id,label,probability\na,1,0.2\na,1,0.3\n", "line 3"],
    ["id,label,p\na,1,0.2\n", "--map probability=p"],
  ] as const;
  for (const [csv, message] of cases) {
    const { code, stdout, stderr } = await analyze(csv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  }
});
