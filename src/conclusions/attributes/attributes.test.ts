import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { read, run } = commandLines();
const analyze = (stdin: string, ...words: readonly string[]) =>
  run(["analyze", "attributes", "-", "--resamples", "100", ...words], stdin);
const sample = async () => (await run(["example", "attributes"])).stdout;

test("--json holds counts and shares of both kinds of question", async () => {
  const { code, stdout } = await analyze(await sample(), "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ threshold: 0.5, n: 30, unscored: 1, leftOut: 3 });
  expect(Object.keys(found.pooled).sort()).toEqual(
    ["f1", "fn", "fp", "precision", "recall", "tn", "tp", "unscored"].sort(),
  );
  const { tp, fp, fn } = found.pooled;
  expect(found.pooled.f1).toBeCloseTo((2 * tp) / (2 * tp + fp + fn), 12);
  expect(found.imageMean.f1).toEqual(expect.any(Number));
  expect(found.images).toHaveLength(6);
  expect(found.intervals).toMatchObject({ clusteredBy: "prompt", clusters: 3, resamples: 100 });
  expect(found.warnings).toHaveLength(2);
});

test("the threshold decides what is a yes, and is in the next command", async () => {
  const strict = await analyze(await sample(), "--threshold", "0.95", "--json");
  const loose = await analyze(await sample(), "--threshold", "0", "--json");
  const [few, all] = [JSON.parse(strict.stdout), JSON.parse(loose.stdout)];
  expect(few.pooled.tp + few.pooled.fp).toBeLessThan(all.pooled.tp + all.pooled.fp);
  expect(all.pooled).toMatchObject({ fn: 0, tn: 0, recall: 1 });
  const text = await analyze(await sample(), "--threshold", "0.95");
  expect(text.stdout.trimEnd()).toMatch(/--threshold 0\.95 --resamples 100 --out attributes.html$/);
});

test("text begins with the verdict", async () => {
  const { stdout } = await analyze(await sample());
  expect(stdout).toMatch(/^F1 0\.\d+ \[0\.\d+, 1\.00\] over 5 images: /);
  expect(stdout).toContain("1 of 6 images is excluded");
  const silent = "image,entity,attribute,kind,probability\na,x,p,leakage,0.1\n";
  expect((await analyze(silent)).stdout).toMatch(/^Nothing can be concluded: there is no reflect/);
});

test("of one attribute the verdict speaks as of one", async () => {
  const header = "image,entity,attribute,kind,probability\n";
  const own = (probability: number) => `a,x,p,reflection,${probability}\n`;
  const of = async (rows: string) => (await analyze(header + rows)).stdout.replace(/\s+/g, " ");
  expect(await of(own(0.9))).toContain(
    "over 1 image: the one attribute shows on its own entity, and none leaks to another.",
  );
  expect(await of(`${own(0.1)}a,x,q,leakage,0.9\n`)).toContain(
    "the one attribute does not show on its own entity, and 1 leaks to another.",
  );
});

test("a bound says of how many prompts it is, not of how many questions", async () => {
  const { stdout } = await analyze(await sample(), "--details");
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "from the end for n prompts, not questions (images,",
  );
});

test("--out writes each form", async () => {
  const table = await sample();
  for (const [ending, content] of [
    ["json", '"imageMean"'],
    ["csv", "image,outfit-1.png,"],
    ["md", "| all questions together | precision | 13 attributes seen |"],
    ["html", "Where to look first"],
  ] as const) {
    expect((await analyze(table, "--out", `out.${ending}`)).code).toBe(0);
    expect(await read(`out.${ending}`)).toContain(content);
  }
});

test("wrong input ends with 2 and says where", async () => {
  const header = "image,entity,attribute,kind,probability,prompt\n";
  for (const [rows, message] of [
    ["a,x,p,leak,0.2,\n", 'Expected reflection or leakage for kind but received "leak"'],
    ["a,x,p,leakage,1.2,\n", "Expected a number from 0 to 1 or nothing for probability"],
    ["a,x,p,leakage,1,one\na,x,q,leakage,1,two\n", 'one prompt for image "a"'],
  ] as const) {
    const { code, stdout, stderr } = await analyze(header + rows);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replace(/\s+/g, " ")).toContain(message);
  }
});

test("an image that two people answered about is one image", async () => {
  const rows = ["a", "b"].flatMap((image) =>
    ["p", "q"].map((annotator) => `${image},x,dots,reflection,0.9,${annotator}\n`),
  );
  const header = "image,entity,attribute,kind,probability,annotator\n";
  expect((await analyze(header + rows.join(""))).stdout).toMatch(/^F1 .* over 2 images: /);
  const unscored = await analyze(`${header}${rows.join("")}c,x,dots,reflection,,p\n`);
  expect(unscored.stdout).toMatch(/^F1 .* over 2 images: /);
  expect(unscored.stdout).toContain("1 of 5 pairs of image and annotator is excluded");
});
