import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { styleFor } from "../../cli/terminal/style.js";
import { conclusionText } from "../../cli/terminal/terminal-table.js";
import { displayWidth } from "../../cli/terminal/wrap.js";
import { stereotypesView } from "./view.js";

const { put, read, names, run } = commandLines();
const analyze = (stdin: string, ...flags: readonly string[]) =>
  run(["analyze", "stereotypes", "-", "--resamples", "100", ...flags], stdin);
const sample = async () => (await run(["example", "stereotypes"])).stdout;

test("--json holds the promised keys", async () => {
  const { code, stdout } = await analyze(await sample(), "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ n: 35, unscored: 1, verdict: expect.any(String) });
  expect(found.intervals).toMatchObject({ clusteredBy: "query", clusters: 3, seed: 0 });
  expect(Object.keys(found.categories)).toEqual(["occupational", "adjectival"]);
  const { occupational } = found.categories;
  expect(occupational).toMatchObject({
    initial: expect.closeTo(17 / 24, 12),
    refined: 0.25,
    models: { "painter-a": { refined: 1 / 3 }, "painter-b": { refined: 1 / 6 } },
    test: { df: 3, t: expect.any(Number), p: expect.any(Number) },
    items: { clothing: { initial: 0.75, refined: 0.5, shareInitial: 3 / 8, shareRefined: 2 / 3 } },
  });
  expect(Object.keys(occupational.test)).toEqual(
    expect.arrayContaining(["meanDifference", "low", "high", "cohensDz"]),
  );
  expect(found.overall.difference).toMatchObject({ low: expect.any(Number) });
  expect(found.judge).toHaveLength(4);
  expect(found.judge[0]).toMatchObject({
    category: "occupational",
    model: "painter-a",
    phase: "initial",
    n: 3,
    accuracy: 1,
    kappa: 1,
    intervalsOf: { accuracy: { value: 1 } },
  });
});

test("text begins with the verdict", async () => {
  const { stdout } = await analyze(await sample());
  expect(stdout).toMatch(/^Whether refined prompts show fewer stereotypes is inconclusive: /);
  expect(stdout).toContain("resamples of 3 queries, seed 0");
});

test("--out writes each format", async () => {
  for (const [ending, content] of [
    ["json", '"cohensDz"'],
    ["csv", "overall model,,painter-b,3,0,"],
    ["md", "| all categories | all models | 6 | 0.750 | 0.278 | 0 |"],
    ["html", "Social Stereotype Index"],
  ] as const) {
    const { code } = await analyze(await sample(), "--out", `out.${ending}`);
    expect(code).toBe(0);
    expect(await read(`out.${ending}`)).toContain(content);
  }
});

test("wrong cells end with 2 and one message, and nothing is written", async () => {
  const header = "query,category,model,phase,imageSet,item,present";
  for (const [row, message] of [
    ["q,c,m,initial,1,age,2", 'Expected 0, 1 or nothing for present but received "2"'],
    ["q,c,m,initial,1,age,maybe", 'Expected 0, 1 or nothing for present but received "maybe"'],
    ["q,c,m,initial,1,age,1\nq,c,m,initial,1,age,0", "stands in line 2 already"],
  ] as const) {
    await put("t.csv", `${header}\n${row}\n`);
    const { code, stdout, stderr } = await run([
      ...["analyze", "stereotypes", "t.csv", "--out", "out.json"],
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replace(/\s+/g, " ")).toContain(message);
    expect(await names()).toEqual(["t.csv"]);
  }
});

test("rows of which none is a pair conclude nothing", async () => {
  const { code, stdout } = await analyze(
    "query,category,model,phase,imageSet,item,present\nq,c,m,initial,1,age,1\n",
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Nothing can be concluded/);
});

/** Sets of two queries judged with one error in each, by two experts who differ once. */
const labelled = [
  "query,category,model,phase,imageSet,item,present,anna,ben",
  ...["q1", "q2", "q3"].flatMap((query) => [
    ...["a,1,1,1", "b,0,0,0", "c,1,0,0", "d,0,1,1", "e,1,1,1", "f,0,0,0"].map(
      (cells) => `${query},work,m,initial,0,${cells}`,
    ),
    ...["a,0,0,0", "b,0,0,1", "c,1,1,1", "d,0,0,", "e,0,0,0", "f,0,0,0"].map(
      (cells) => `${query},work,m,refined,0,${cells}`,
    ),
  ]),
  "",
].join("\n");

test("--experts makes one reference of several, and corrects what the judge finds", async () => {
  const { code, stdout } = await analyze(labelled, "--experts", "anna,ben", "--json");
  expect(code).toBe(0);
  const { experts, corrected, judge } = JSON.parse(stdout);
  expect(experts).toMatchObject({ names: ["anna", "ben"], answers: [36, 33], n: 36, disputed: 3 });
  expect(experts.agreement.pairwise.n[0][1]).toBe(33);
  expect(judge[0]).toMatchObject({ phase: "initial", n: 18, accuracy: expect.closeTo(4 / 6, 12) });
  const initial = corrected.shares.find(
    ({ category, phase }: { category: string; phase: string }) =>
      category === "work" && phase === "initial",
  );
  // Everything is labelled: the correction finds the experts' own share.
  expect(initial).toMatchObject({ apparent: 0.5, corrected: { value: expect.closeTo(0.5, 12) } });
  // All three queries are alike, so that no resample differs.
  expect(corrected.falls[0].corrected).toMatchObject({
    low: null,
    reason: expect.stringContaining("it would have no width"),
  });
  const { stdout: text } = await analyze(labelled, "--experts", "anna,ben", "--details");
  expect(text).toContain("Flagged items, corrected by the experts' labels");
  expect(text).toContain("Krippendorff's alpha: 0.");
  expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(100);
});

test("--experts names columns that are there, each once", async () => {
  const wrong = async (experts: string) => {
    const { code, stderr } = await analyze(labelled, "--experts", experts);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await wrong("anna,anna")).toContain("Expected different columns for --experts");
  expect(await wrong("anna,item")).toContain('but received "item"');
  expect(await wrong("anna,cleo")).toContain("cleo");
});

test("what a table is made for stands in 80 columns", async () => {
  const { stdout } = await analyze(await sample(), "--json");
  const conclusion = JSON.parse(stdout);
  const sink = { isTerminal: false, columns: 80, write: () => undefined };
  const text = conclusionText(stereotypesView(conclusion, conclusion), {
    style: styleFor(sink, {}),
  });
  expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
  const titles = text.split("\n").filter((line) => /^model /.test(line));
  expect(titles.filter((line) => line.endsWith("fall, %"))).toHaveLength(1);
  expect(titles.filter((line) => line.endsWith("corrected, %"))).toHaveLength(1);
});
