import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

async function touchstone(workingDirectory: string, ...words: readonly string[]) {
  return touchstoneHere(words, { workingDirectory });
}

const build = (workingDirectory: string, ...words: readonly string[]) =>
  touchstone(workingDirectory, "build", "--run", "run", ...words);

test("more prompts than there are leave nothing behind that blocks the corrected command", async () => {
  const directory = await temporaryDirectory();
  const { code, stdout } = await build(directory, "--prompts", "999999");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(await readdir(directory)).toEqual([]);
  expect(await build(directory, "--prompts", "12")).toMatchObject({ code: 0 });
});

test("a sample is even over the domains, unless the domains' own numbers are given", async () => {
  const directory = await temporaryDirectory();
  const even = await build(directory, "--prompts", "10", "--json");
  expect(JSON.parse(even.stdout).byDomain).toEqual({ animals: 4, objects: 3, demography: 3 });
  const own = ["--domain", "animals=5", "--domain", "objects=2"];
  const asked = await touchstone(directory, "build", "--run", "own", ...own, "--json");
  expect(JSON.parse(asked.stdout)).toMatchObject({
    prompts: 7,
    byDomain: { animals: 5, objects: 2 },
  });
  for (const wrong of [
    ["--domain", "animals=5", "--domain", "objects"],
    ["--domain", "animals=0"],
    ["--domain", "animals=5", "--domain", "animals=6"],
    ["--domain", "animals=5", "--prompts", "5"],
  ]) {
    const refused = await touchstone(directory, "build", "--run", "wrong", ...wrong);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("Expected a whole number above 0 for every --domain");
  }
});

test("a domain that has too few prompts is named", async () => {
  const directory = await temporaryDirectory();
  const built = await build(
    directory,
    "--prompts",
    "700",
    "--split",
    "human",
    "--domain",
    "objects",
    "--domain",
    "animals",
  );
  expect(built.code).toBe(0);
  expect(built.stdout).toMatch(
    /Not balanced over domains: objects \(\d+\) had no more prompts; the others/,
  );
});

test("splits may have a seed of their own, one whole number", async () => {
  const directory = await temporaryDirectory();
  const words = ["--prompts", "6", "--split-seed", "21"];
  expect((await build(directory, ...words)).code).toBe(0);
  const recipe = JSON.parse(await readFile(join(directory, "run/run.json"), "utf8"));
  expect(recipe.steps[0].parameters).toMatchObject({ splitSeed: 21 });
  const other = await temporaryDirectory();
  const wrong = await build(other, "--prompts", "6", "--split-seed", "1.5");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("Expected one whole number from 0 for --split-seed");
});

test("pairs with truth: a table of those of which one is better, resumed and repeatable", async () => {
  const directory = await temporaryDirectory();
  const words = ["--benchmark", "preference", "--prompts", "9", "--style", "noto"];
  const first = await build(directory, ...words);
  expect(first.code).toBe(0);
  const rows = async () => {
    const text = await readFile(join(directory, "run/pairs.jsonl"), "utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const before = await rows();
  expect(before.length).toBeGreaterThan(1);
  expect(first.stdout).toContain(`${before.length} pairs of which one picture is better`);
  for (const row of before) {
    expect(row.preferred).toBe(row.wrong_a < row.wrong_b ? "a" : "b");
    expect(row.wrong_a).not.toBe(row.wrong_b);
    expect(row.style).toBe("noto");
    for (const image of [row.image_a, row.image_b]) {
      expect((await readFile(join(directory, "run", image))).length).toBeGreaterThan(1000);
    }
  }
  expect((await build(directory, ...words)).code).toBe(0);
  expect(await rows()).toEqual(before);

  const other = await build(directory, "--prompts", "12");
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("received one of preference");
  // It is neither scored nor reported as if it were another benchmark.
  for (const verb of [
    ["report", "run"],
    ["score", "run", "--model", "lab:vqa"],
    ["generate", "--run", "run", "--model", "lab:painter"],
  ]) {
    const refused = await touchstone(directory, ...verb);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr.replace(/\s+/g, " ")).toContain("received one of preference");
    expect(refused.stderr).toContain("touchstone calibrate");
  }
  const idle = await build(directory, "--benchmark", "preference", "--set", "outfits");
  expect(idle.stderr).toContain("Expected no --set for preference");
});
