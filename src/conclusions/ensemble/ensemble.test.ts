import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { displayWidth } from "../../cli/terminal/wrap.js";

const { read, run } = commandLines();
const few = ["--resamples", "100", "--permutations", "100"];
const analyze = (stdin: string, ...words: readonly string[]) =>
  run(["analyze", "ensemble", "-", ...few, ...words], stdin);
const sample = async (...words: readonly string[]) =>
  (await run(["example", "ensemble", ...words])).stdout;

test("--json holds every method with its weights and statistics", async () => {
  const { code, stdout } = await analyze(await sample(), "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ n: 79, unscored: 1, validation: { n: 24 } });
  for (const method of ["standard", "best", "average", "bpe", "mmb"]) {
    const its = found.methods[method];
    for (const metric of [
      ...["ece", "mce", "nll", "brier", "accuracy", "f1", "kappa", "rocAuc", "averagePrecision"],
    ]) {
      expect(its.metrics[metric]).toEqual(expect.any(Number));
      expect(its.intervalsOf[metric].value).toBe(its.metrics[metric]);
      expect(its.intervalsOf[metric].low).toBeLessThanOrEqual(its.intervalsOf[metric].high);
    }
    for (const key of ["weights", "objective", "lambda", "objectiveValue", "dualityGap"]) {
      expect(its).toHaveProperty(key);
    }
  }
  expect(found.methods.mmb.weights).toHaveLength(found.chosen.clusters);
  expect(Object.keys(found.tests[0])).toEqual(
    expect.arrayContaining(["metric", "method", "against", "difference", "p", "pAdjusted"]),
  );
});

test("text begins with the verdict, fits 100 columns and ends with a command", async () => {
  const { code, stdout } = await analyze(await sample());
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^(No method is significantly better than|The best method is not significantly)/,
  );
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "No method is significantly better than the mixture of Bayesian ensembles (MMB) or the Bayesian ensemble (BPE) by expected calibration error or by accuracy. - BPE: a Bayesian ensemble of judge prompts,",
  );
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(100);
  expect(lines.at(-1)).toContain("touchstone analyze ensemble -");
});

test("flags decide instead of left-out labels, and are in the next command", async () => {
  const flags = [
    ...["--objective", "mixture", "--lambda", "0.5", "--clusters", "2", "--temperature", "0.2"],
    ...["--restarts", "2", "--seed", "7"],
  ];
  const found = JSON.parse((await analyze(await sample(), ...flags, "--json")).stdout);
  expect(found.candidates).toHaveLength(1);
  expect(found.chosen).toMatchObject({
    objective: "mixture",
    lambda: 0.5,
    clusters: 2,
    temperature: 0.2,
  });
  expect(found.methods.bpe).toMatchObject({ objective: "mixture", lambda: 0.5 });
  expect(found.methods.bpeEquation5).toMatchObject({ objective: "global-entropy", lambda: 1 });
  expect(found.seed).toBe(7);
  const { stdout } = await analyze(await sample(), ...flags);
  expect(stdout).toContain(
    "--objective mixture --lambda 0.5 --clusters 2 --temperature 0.2 --restarts 2 " +
      "--resamples 100 --permutations 100 --seed 7 --out",
  );
});

test("a membership that is given takes the place of groups", async () => {
  const rows = (await sample("--format", "jsonl"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ split }) => split !== "support")
    .map(({ embedding: [first, second, third], ...row }) => {
      const sum = Math.abs(first) + Math.abs(second) + Math.abs(third);
      return { ...row, membership: [first, second, third].map((one) => Math.abs(one) / sum) };
    });
  const table = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const flags = ["--objective", "global-entropy"];
  const found = JSON.parse((await analyze(table, ...flags, "--json")).stdout);
  expect(found.chosen).toMatchObject({ clusters: 3, temperature: null, lambda: 1 });
  const { code, stderr } = await analyze(table, "--clusters", "3");
  expect(code).toBe(2);
  expect(stderr).toContain("Expected no --clusters where the rows hold their membership");
});

test("--out writes each form, --plot the figure", async () => {
  const written = async (name: string, flag = "--out") => {
    const flags = ["--objective", "global-entropy", flag, name];
    expect((await analyze(await sample(), ...flags)).code).toBe(0);
    return read(name);
  };
  expect(JSON.parse(await written("a.json")).n).toBe(79);
  expect(await written("a.csv")).toMatch(
    /^method,statistic,n,unscored,value,low,high\nstandard,accuracy,78,1,0\./,
  );
  expect(await written("a.md")).toContain("| a random judge prompt |");
  expect(await written("a.html")).toContain("Weights of the prompts");
  expect(await written("a.svg", "--plot")).toContain("MMB, group 1");
});

test("too few rows are not told apart", async () => {
  const some = (await sample())
    .split("\n")
    .filter((line) => !line.startsWith("test-") || /^test-0[1-4],/.test(line));
  const { stdout } = await analyze(some.join("\n"), "--objective", "global-entropy");
  expect(stdout).toMatch(/^Nothing can be concluded: test rows of 2 prompts are too few/);
});

test("wrong input ends with 2 and says where", async () => {
  const head = "id,split,label,probabilities,embedding\n";
  const good = 'a,test,1,"[0.5, 0.6]","[1, 0]"\n';
  const cases = [
    [`${head}a,test,1,"[1.5]",\n`, "Expected a list of numbers from 0 to 1"],
    [`${head}a,test,1,0.5,\n`, "such as [0.8, null] for probabilities"],
    [`${head}${good}b,test,0,"[0.5]",\n`, "Expected 2 numbers for probabilities, as above"],
    [`${head}${good}b,test,0,,\n`, "Expected a list for probabilities of split test"],
    [`${head}${good}b,test,0,"[0.1, 0.2]","[1]"\n`, "Expected 2 numbers for embedding"],
    [`${head}${good}a,test,1,"[0.5, 0.6]",\n`, "line 3"],
    [`${head}a,validation,1,"[0.5]",\n`, "Expected rows of split test with a label"],
    [
      'id,split,label,probabilities,membership\na,test,1,"[0.5]","[0.5, 0.1]"\n',
      "Expected numbers that add up to 1 for membership",
    ],
  ] as const;
  for (const [csv, message] of cases) {
    const { code, stdout, stderr } = await analyze(csv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replace(/\s+/g, " ")).toContain(message);
  }
  const { code, stderr } = await analyze(`${head}${good}`, "--clusters", "4");
  expect(code).toBe(2);
  expect(stderr).toContain("Expected at least 4 embeddings for --clusters 4 but found 0");
});
