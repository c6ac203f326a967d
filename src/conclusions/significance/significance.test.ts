import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { displayWidth } from "../../cli/terminal/wrap.js";

const { read, run } = commandLines();
const analyze = (stdin: string, ...flags: readonly string[]) =>
  run(["analyze", "significance", "-", "--permutations", "200", ...flags], stdin);
const sample = async () => (await run(["example", "significance"])).stdout;

test("--json holds a test of each metric and method against the best", async () => {
  const { code, stdout } = await analyze(await sample(), "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ n: 71, unscored: 1, unit: "item", permutations: 200, seed: 0 });
  expect(found.warnings).toHaveLength(2);
  expect(found.tests).toHaveLength(8);
  for (const each of found.tests) {
    expect(each).toMatchObject({
      metric: expect.any(String),
      method: expect.any(String),
      against: "calibrated-judge",
      difference: expect.any(Number),
      p: expect.any(Number),
      pAdjusted: expect.any(Number),
    });
  }
});

test("text begins with the verdict; one metric is enough", async () => {
  const { stdout } = await analyze(await sample(), "--metric", "accuracy");
  expect(stdout).toMatch(
    /^By accuracy calibrated-judge is best, but not significantly better than single-prompt/,
  );
  expect(stdout).not.toContain("Brier");
});

test("says on which rows the best is so where another is better on more of them", async () => {
  const told = (await analyze(await sample())).stdout.replace(/\s+/g, " ");
  expect(told).toMatch(
    /^On the rows that all answered, calibrated-judge is best by all 4 metrics; significantly better than every other method by none\. /,
  );
  expect(told).toContain(
    "- on the 24 rows that both answered, coin has a better expected calibration error than calibrated-judge",
  );
});

test("unscored rows are counted with bounds, and p-values adjusted as asked", async () => {
  const { stdout } = await analyze(
    await sample(),
    "--metric",
    "accuracy",
    "--adjust",
    "holm",
    "--details",
  );
  expect(stdout).toContain("What is unscored");
  expect(stdout.replace(/\s+/g, " ")).toMatch(/single-prompt 23 1 0\.\d+ 0\.\d+ to 0\.\d+/);
  expect(stdout.replace(/\s+/g, " ")).toContain("over the tests of a metric by Holm;");
  // The command stands in one line, however long.
  const lines = stdout.trimEnd().split("\n");
  expect(lines.at(-1)).toContain("--metric accuracy --adjust holm --permutations 200 --out");
  expect(Math.max(...lines.slice(0, -1).map(displayWidth))).toBeLessThanOrEqual(100);
  const found = JSON.parse((await analyze(await sample(), "--adjust", "none", "--json")).stdout);
  expect(found.adjust).toBe("none");
  for (const { p, pAdjusted } of found.tests) expect(pAdjusted).toBe(p);
  expect(found.scores).toHaveLength(12);
});

test("--out writes each format", async () => {
  for (const [ending, content] of [
    ["json", '"pAdjusted"'],
    ["csv", "accuracy,coin,calibrated-judge,24,"],
    ["md", "| accuracy, best: calibrated-judge |"],
    ["html", "Every method against the best"],
  ] as const) {
    expect((await analyze(await sample(), "--out", `out.${ending}`)).code).toBe(0);
    expect(await read(`out.${ending}`)).toContain(content);
  }
});

test("wrong input ends with 2 and one message", async () => {
  const header = "id,method,label,probability\n";
  for (const [rows, message, ...flags] of [
    ["1,a,1,1.2\n", 'Expected a number from 0 to 1 or nothing for probability but received "1.2"'],
    ["1,a,1,0.5\n1,a,1,0.4\n", "stands in line 2 already"],
    ["1,a,1,0.5\n1,b,0,0.5\n", 'one label for id "1"'],
    ["1,a,1,0.5\n1,b,0,0.5\n", "both 0 and 1 (in standard input, line 3)"],
    ["1,a,1,0.5\n", "two methods or more"],
    ["1,a,1,0.5\n1,b,1,0.5\n", "--unit item needs none", "--unit", "run"],
  ] as const) {
    const { code, stdout, stderr } = await analyze(header + rows, ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  }
});

test("--methods reads a column of probabilities for each method, as rows of them are read", async () => {
  const items = Array.from({ length: 12 }, (_, at) => [
    at,
    at % 2,
    (at % 5) / 5,
    at === 3 ? "" : (at % 7) / 7,
  ]);
  const wide = ["id,label,p_a,p_b", ...items.map((row) => row.join(","))].join("\n");
  const long = items.flatMap(([id, label, a, b]) => [
    `${id},${label},a,${a}`,
    `${id},${label},b,${b}`,
  ]);
  const expected = await analyze(["id,label,method,probability", ...long].join("\n"), "--json");
  const found = await analyze(wide, "--methods", "a=p_a,b=p_b", "--json");
  expect(found.code, found.stderr).toBe(0);
  expect(JSON.parse(found.stdout)).toEqual(JSON.parse(expected.stdout));
  const absent = await analyze(wide, "--methods", "a=p_a,b=p_c");
  expect(absent.code).toBe(2);
  expect(absent.stderr).toContain("Expected the column p_c");
  const { code, stderr } = await analyze(wide);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain("for each method: --methods a=p_a,b=p_b");
});
