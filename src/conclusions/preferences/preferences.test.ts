import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { read, run } = commandLines();
const analyze = async (stdin: string, ...words: readonly string[]) =>
  run(["analyze", "preferences", "-", "--resamples", "100", ...words], stdin);
const sample = async () => (await run(["example", "preferences"])).stdout;

test("--json holds strength, rank and counts of each model", async () => {
  const found = JSON.parse((await analyze(await sample(), "--json")).stdout);
  expect(found).toMatchObject({ n: 71, unscored: 1, tieModel: "half", prior: 0 });
  expect(Object.keys(found.models)).toEqual(["painter-a", "painter-b", "painter-c", "painter-d"]);
  expect(found.models["painter-a"]).toMatchObject({
    n: 36,
    wins: 28,
    ties: 2,
    losses: 6,
    strength: { value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) },
    rank: { best: 1, worst: expect.any(Number) },
  });
  expect(found.pairs).toHaveLength(6);
  expect(found.intervals).toMatchObject({ clusteredBy: "annotator", clusters: 12 });
});

test("the verdict names the strongest model in 25 words at most, or says what is missing", async () => {
  const words = (verdict: string) => verdict.split(/\s+/).length;
  const verdictOf = async (table: string, ...flags: readonly string[]) =>
    JSON.parse((await analyze(table, "--json", ...flags)).stdout).verdict;
  const verdict = await verdictOf(await sample());
  expect(verdict).toMatch(/^painter-a has the highest strength, 1\.10 \[.*\] log odds; whether it/);
  const rows = Array.from({ length: 40 }, (_, at) => `x,y,${at % 8 === 0 ? "B" : "A"}`);
  const clear = ["a,b,preferred", ...rows].join("\n");
  expect(await verdictOf(clear)).toMatch(
    /^x is preferred most: strength 0\.97 \[.*\] log odds, significantly above every other model \(40 comparisons\)\.$/,
  );
  const never = clear.replaceAll(",B", ",A");
  expect(await verdictOf(never)).toBe(
    "Strengths are undefined: the graph of wins is not strongly connected. --prior 0.1 keeps them finite.",
  );
  expect((await analyze(never, "--details")).inOneLine).toContain(
    "not strongly connected: x never lost to",
  );
  expect(await verdictOf(never, "--prior", "0.1")).toContain("x is preferred most");
  const equal = ["a,b,preferred", ...rows.map((_, at) => `x,y,${at % 2 === 0 ? "A" : "B"}`)];
  expect(await verdictOf(equal.join("\n"))).toMatch(
    /^x and y share the highest strength, −?0\.0+ /,
  );
  for (const each of [verdict, await verdictOf(clear), await verdictOf(never)]) {
    expect(words(each)).toBeLessThanOrEqual(25);
  }
});

test("ties are an outcome of their own by Davidson, and the next command keeps the flags", async () => {
  const { stdout, inOneLine } = await analyze(
    await sample(),
    "--ties",
    "davidson",
    "--prior",
    "1",
    "--details",
  );
  expect(inOneLine).toContain("Davidson: log odds of being preferred, mean 0");
  expect(inOneLine).toContain("1 win each way added between any two models");
  expect(stdout.trimEnd()).toMatch(
    /- --ties davidson --prior 1 --resamples 100 --out preferences\.html$/,
  );
});

test("--out writes a row for each model and pair", async () => {
  await analyze(await sample(), "--out", "a.csv", "--plot", "a.svg");
  const lines = (await read("a.csv")).trimEnd().split("\n");
  expect(lines[0]).toBe(
    "model,against,n,wins,ties,losses,strength,strengthLow,strengthHigh,best,worst,winRate,winRateLow,winRateHigh",
  );
  expect(lines).toHaveLength(1 + 4 + 6);
  expect(await read("a.svg")).toContain("Strength of models by people");
});

test("a table of votes is read as the error says, and NA is no answer", async () => {
  const votes = "prompt,model_a,model_b,winner\np,x,y,A\np,x,y,NA\nq,x,y,B\nr,x,y,tie\n";
  const { code, stderr } = await analyze(votes);
  const flags = /map it: (.*)$/.exec(stderr.replace(/\s+/g, " ").trim())?.[1]?.split(" ") ?? [];
  expect({ code, flags: flags.filter((flag) => flag !== "--map") }).toEqual({
    code: 2,
    flags: ["a=model_a", "b=model_b", "preferred=winner"],
  });
  const found = JSON.parse((await analyze(votes, ...flags, "--json")).stdout);
  expect(found).toMatchObject({ n: 3, unscored: 1 });
});

test("rows that set a model against itself are listed with their lines", async () => {
  const { code, stderr } = await analyze("a,b,preferred\nx,x,a\nx,y,c\ny,y,tie\n");
  expect(code).toBe(2);
  const said = stderr.replace(/\s+/g, " ");
  expect(said).toContain(
    'two models in each row but received "x" twice (in standard input, line 2)',
  );
  expect(said).toContain('received "c" (in standard input, line 3)');
  expect(said).toContain('received "y" twice (in standard input, line 4)');
});

test("the winner may be named as in published data, or by --values", async () => {
  const plain = Array.from({ length: 36 }, (_, at) => ["a", "b", "tie"][((at * 5) % 7) % 3] ?? "a");
  const table = (said: (word: string, first: string, second: string) => string) =>
    ["a,b,preferred"]
      .concat(
        plain.map((word, at) => {
          const [first, second] = at % 2 === 0 ? ["flux", "sdxl"] : ["sdxl", "flux"];
          return `${first},${second},${said(word, first ?? "", second ?? "")}`;
        }),
      )
      .join("\n");
  const expected = (
    await analyze(
      table((word) => word),
      "--json",
    )
  ).stdout;
  const from = (words: readonly [string, string, string]) => (word: string) =>
    words[["a", "b", "tie"].indexOf(word)] ?? "";
  for (const said of [
    (word: string, first: string, second: string) =>
      word === "a" ? first : word === "b" ? second : "Tie",
    from(["model_a", "model_b", "tie (bothbad)"]),
    from(["Left", "Right", "both"]),
    from(["A>>B", "B>A", "A=B"]),
    from(["image_a", "image_b", "both_bad"]),
    from(["Option A", "Option B", "No preference"]),
  ]) {
    expect((await analyze(table(said), "--json")).stdout).toBe(expected);
  }
  const coded = table(from(["1", "2", "True"]));
  expect((await analyze(coded, "--json", "--values", "1=a,2=b,true=tie")).stdout).toBe(expected);
  const { code, stderr } = await analyze(coded);
  expect(code).toBe(2);
  expect(stderr).toContain("the preferred model's name");
  for (const word of ["1=…", "2=…", "True=…"]) expect(stderr.split("--values")[1]).toContain(word);
});
