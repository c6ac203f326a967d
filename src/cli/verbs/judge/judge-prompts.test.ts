import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

async function touchstone(words: readonly string[], workingDirectory?: string) {
  return touchstoneHere(
    ["judge", "prompts", ...words],
    workingDirectory === undefined ? {} : { workingDirectory },
  );
}

const own = `kind: pairwise
version: 7
personas: {judge: You compare images and you do it with patience and an even hand.}
templates:
  bare: {task: 'Caption: "{caption}". {criterion}', question: Which image fits the caption better?}
criteria: {meaning: Better means nearer to what the words mean.}
glyphs:
  XY: {answers: [X, Y], labels: [X, Y], ask: "Answer with one letter, {answers}."}
orders: {straight: [a, b], flipped: [b, a]}
`;
async function withOwn(text = own) {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, "mine.yaml"), text);
  return folder;
}

describe("judge prompts list", () => {
  it("prints names, a count and the next command, and cuts long lists", async () => {
    const { code, stdout, stderr } = await touchstone(["list"]);
    expect(code).toBe(0);
    const lines = stdout.trim().split("\n");
    expect(lines.slice(0, 2)).toEqual([
      "plain/short/fidelity/AB/straight",
      "plain/short/fidelity/AB/flipped",
    ]);
    expect(lines.filter((line) => line.split("/").length === 5)).toHaveLength(41);
    expect(lines.at(-1)).toBe(
      "Next: touchstone judge prompts show plain/short/fidelity/AB/straight",
    );
    expect(stderr).toContain("1,960 more");
    expect(stderr).toContain("8 personas x 5 templates x 5 criteria x 5 sets of glyphs x 2 orders");
  });

  it("takes a judge's task for the kind of its prompts", async () => {
    const listed = async (kind: string) =>
      JSON.parse((await touchstone(["list", "--kind", kind, "--json"])).stdout).pool;
    expect(await listed("rating")).toBe(await listed("ordinal"));
    expect(await listed("pair")).toBe("pairwise@1");
  });

  it("prints each in full as JSON", async () => {
    const { stdout } = await touchstone(["list", "--json"]);
    const { n, pool, prompts } = JSON.parse(stdout);
    expect({ n, pool }).toEqual({ n: 2000, pool: "pairwise@1" });
    expect(prompts[1]).toMatchObject({
      id: "plain/short/fidelity/AB/flipped",
      order: ["b", "a"],
      answers: ["A", "B"],
    });
  });
});

describe("judge prompts show", () => {
  it("shows every message in its order", async () => {
    const folder = await withOwn();
    const name = "judge/bare/meaning/XY/flipped";
    const { code, stdout } = await touchstone(["show", name, "--pool", "mine.yaml"], folder);
    expect(code).toBe(0);
    expect(stdout).toBe(`system:
  You compare images and you do it with patience and an even hand.
user:
  Caption: "{caption}". Better means nearer to what the words mean.
  X
  <image b>
  Y
  <image a>
  Which image fits the caption better? Answer with one letter, X or Y.

Next: touchstone judge prompts sample 10 --pool mine.yaml
`);
  });

  it("refuses an unknown name with the nearest", async () => {
    const { code, stderr } = await touchstone(["show", "critic/short/fidelity/AB/straigt"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean critic/short/fidelity/AB/straight?");
  });
});

describe("judge prompts sample", () => {
  it("draws by the seed", async () => {
    const sample = async (...words: string[]) =>
      JSON.parse((await touchstone(["sample", "8", "--json", ...words])).stdout);
    const first = await sample("--seed", "1");
    expect(first).toMatchObject({ n: 8, of: 2000, seed: 1 });
    expect(
      new Set(first.prompts.map(({ parts }: { parts: { persona: string } }) => parts.persona)).size,
    ).toBe(8);
    expect(await sample("--seed", "1")).toEqual(first);
    expect((await sample("--seed", "2")).prompts).not.toEqual(first.prompts);
  });

  it.each(["0", "many", "97"])("refuses %s of 96", async (count) => {
    const { code, stderr } = await touchstone(["sample", count, "--kind", "yes-no"]);
    expect(code).toBe(2);
    expect(stderr).toContain("from 1 to 96");
  });
});

describe("judge prompts lint", () => {
  it("finds nothing wrong with the pools that come along", async () => {
    const { code, stdout } = await touchstone(["lint"]);
    expect(code).toBe(0);
    expect(stdout).toContain("data/prompts/pairwise.yaml: no problem in 2,000 prompts");
    expect(stdout).toContain("data/prompts/ordinal.yaml: no problem in 144 prompts");
  });

  it("names file, line and member of all that is wrong, and exits with 2", async () => {
    const wrong = own.replace("better?", "better and probably X?").replace("[b, a]", "[a, b]");
    const { code, stdout, stderr } = await touchstone(["lint", "mine.yaml"], await withOwn(wrong));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const said = stderr.replace(/\s+/g, " ");
    expect(said).toContain("2 things keep them from it");
    expect(said).toContain('mine.yaml, line 5: templates.bare.question: Expected no "probably"');
    expect(said).toContain("mine.yaml, line 9: orders.flipped: Expected an order that shows");
  });

  it("says so of a file that is not there or no pool", async () => {
    const folder = await withOwn("kind: pairwise\n");
    const missing = await touchstone(["lint", "other.yaml"], folder);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("other.yaml") });
    const empty = await touchstone(["lint", "mine.yaml"], folder);
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining("mine.yaml, line 1") });
  });
});
