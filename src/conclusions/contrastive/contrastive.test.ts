import { beforeEach, describe, expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { displayWidth } from "../../cli/terminal/wrap.js";

const { put, read, names, run } = commandLines();
const analyze = (...words: readonly string[]) =>
  run(["analyze", "contrastive", ...words, "--resamples", "100"]);

/** Three domains of ten prompts with two pairs each, for two metrics. */
function sampleRows() {
  return ["clip-score", "vqa-score | <b>"].flatMap((metric, which) =>
    Array.from({ length: 60 }, (_, at) => ({
      id: `pair ${at}`,
      metric,
      domain: ["animals", "objects", "demography"][at % 3] ?? "",
      prompt: `prompt ${Math.floor(at / 2)}`,
      correct: 0.5,
      adversarial: at === 7 ? null : 0.5 + (((at * 7) % 10) - 3 - 4 * which) / 20,
    })),
  );
}
const jsonl = () =>
  sampleRows()
    .map((row) => JSON.stringify(row))
    .join("\n");

test("--json holds the promised keys", async () => {
  await put("scores.jsonl", jsonl());
  const { code, stdout } = await analyze("scores.jsonl", "--json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({
    tieRule:
      "a tie is a failure: adversarial >= correct; " +
      "scores within 1e-6 (relative) count as ties",
    tieTolerance: 1e-6,
    n: 118,
    unscored: 2,
    intervals: { method: "percentile", clusteredBy: "prompt", resamples: 100, seed: 0 },
  });
  expect(found.warnings.length).toBeGreaterThan(0);
  const { overall, macro, domains } = found.metrics["clip-score"];
  expect(Object.keys(domains)).toEqual(["animals", "objects", "demography"]);
  for (const summary of [overall, macro, ...Object.values(domains)]) {
    expect(Object.keys(summary)).toEqual([
      "n",
      "unscored",
      "ties",
      "failureRate",
      "strictFailureRate",
      "meanCorrect",
      "meanAdversarial",
      "difference",
      "correctMargin",
      "incorrectMargin",
      "bounds",
    ]);
    expect(summary.failureRate).toEqual({
      value: expect.any(Number),
      low: expect.any(Number),
      high: expect.any(Number),
    });
  }
  expect(overall.failureRate.value).toBe(41 / 59);
  expect(overall.bounds).toEqual({ low: 41 / 60, high: 42 / 60 });
});

test("--tie-tolerance says which scores tie, and everything that follows from ties goes with it", async () => {
  const rows = Array.from({ length: 40 }, (_, at) =>
    ["bag of words", "constant"].map((metric) => ({
      id: String(at),
      metric,
      domain: "outfits",
      correct: 0.27,
      adversarial: metric === "constant" ? 0.27 : 0.27 + (at % 2 === 0 ? 1e-8 : -1e-8),
    })),
  ).flat();
  await put("s.json", JSON.stringify(rows));
  const found = async (...words: readonly string[]) =>
    JSON.parse((await analyze("s.json", "--json", ...words)).stdout);

  const near = await found();
  expect(near.metrics["bag of words"].overall).toEqual({
    ...near.metrics.constant.overall,
    meanAdversarial: expect.anything(),
    difference: expect.anything(),
  });
  expect(near.metrics.constant.overall).toMatchObject({ ties: 40, failureRate: { value: 1 } });
  expect(near.verdict).toContain("indistinguishable from constant (100.0 %)");
  expect(near.findings).toEqual([
    "More often wrong than a coin: bag of words (40 of 40 rows fail, 40 of them ties) and " +
      "constant (40 of 40 rows fail, 40 of them ties).",
  ]);

  const exact = await found("--tie-tolerance", "0");
  expect(exact).toMatchObject({ tieTolerance: 0, tieRule: expect.stringContaining("only equal") });
  const { overall } = exact.metrics["bag of words"];
  expect(overall).toMatchObject({ ties: 0, failureRate: { value: 0.5 } });
  expect(exact.verdict).toContain("less often");

  const { stdout } = await analyze("s.json", "--tie-tolerance", "0.001", "--details");
  const lines = stdout.trimEnd().split("\n");
  expect(stdout).toContain("(scores within 0.001 (relative) count as ties)");
  expect(Math.max(...lines.slice(0, -1).map(displayWidth))).toBeLessThanOrEqual(100);
  expect(lines.at(-1)).toContain("--tie-tolerance 0.001");
});

test.each(["-1e-6", "2", "few", ""])("refuses a tie tolerance of %j", async (given) => {
  const { code, stderr } = await analyze("scores.jsonl", `--tie-tolerance=${given}`);
  expect(code).toBe(2);
  expect(stderr).toContain(
    `Expected a number from 0 to 1 for --tie-tolerance but received "${given}"`,
  );
});

test("text begins with the verdict and names the file as a shell reads it", async () => {
  await put("my scores.jsonl", jsonl());
  const { code, stdout } = await analyze("my scores.jsonl", "--details");
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^clip-score prefers the wrong image or ties in 69.5 %/);
  expect(stdout).toContain(
    "- More often wrong than a coin: clip-score (41 of 59 rows fail, 6 of them ties).",
  );
  expect(lines.at(-1)).toContain("touchstone analyze contrastive 'my scores.jsonl'");
  expect(stdout).toContain("1 of 60 rows is unscored");
  expect(stdout).toContain("95 % percentile bootstrap: 100 resamples of 30 prompts, seed 0");
});

test("the rate of none carries a bound, and the table says how it is made", async () => {
  const passing = sampleRows().map((row) => ({ ...row, adversarial: 0.1 }));
  await put("scores.jsonl", passing.map((row) => JSON.stringify(row)).join("\n"));
  const { stdout } = await analyze("scores.jsonl", "--details");
  expect(stdout).toContain("0.0 (up to 9.5)");
  expect(stdout.replaceAll("\n", " ")).toContain("1 − 0.05^(1/n) from the end for n prompts");
  expect(stdout).not.toContain("0.0 [0.0, 0.0]");
});

test("a mapped CSV on standard input gives what JSONL gives", async () => {
  await put("scores.jsonl", jsonl());
  const expected = await analyze("scores.jsonl", "--json");
  const lines = sampleRows().map(({ id, metric, domain, prompt, correct, adversarial }) =>
    [id, metric, domain, prompt, correct, adversarial ?? ""].join(";"),
  );
  const csv = `id;metric;domain;prompt;right;adversarial\n${lines.join("\n")}\n`;
  const flags = ["--map", "correct=right", "--resamples", "100", "--json"];
  const { code, stdout } = await run(["analyze", "contrastive", "-", ...flags], csv);
  expect(code).toBe(0);
  expect(stdout).toBe(expected.stdout);
});

test("direction, scale, range, interval and seed reach the conclusion", async () => {
  await put("scores.jsonl", jsonl());
  const lower = JSON.parse(
    (await analyze("scores.jsonl", "--json", "--direction", "lower")).stdout,
  );
  expect(lower.direction).toBe("lower");
  expect(lower.metrics["clip-score"].overall.strictFailureRate.value).toBe(18 / 59);
  const flags = ["--scale", "range", "--range", "0,2", "--interval", "delta"];
  const scaled = JSON.parse((await analyze("scores.jsonl", "--json", ...flags)).stdout);
  expect(scaled.metrics["clip-score"].overall.meanCorrect.value).toBeCloseTo(0.25, 12);
  expect(scaled.intervals.method).toBe("delta");
  const seeded = JSON.parse((await analyze("scores.jsonl", "--json", "--seed", "3")).stdout);
  expect(seeded.intervals.seed).toBe(3);
});

describe("--out", () => {
  beforeEach(() => put("scores.jsonl", jsonl()));
  const written = async (name: string) => {
    const { code } = await analyze("scores.jsonl", "--out", name);
    expect(code).toBe(0);
    return read(name);
  };

  test(".csv has a row for each metric and scope, unrounded", async () => {
    const [header, overall, ...rest] = (await written("a.csv")).trimEnd().split("\n");
    expect(header).toMatch(/^metric,scope,domain,n,unscored,ties,failureRate,failureRateLow,/);
    expect(overall).toMatch(new RegExp(`^clip-score,overall,,59,1,6,${41 / 59},`));
    expect(rest).toHaveLength(9);
  });

  test(".md keeps names from becoming markup or cells", async () => {
    const markdown = await written("a.md");
    expect(markdown).toContain("| vqa-score \\| \\<b\\> | all domains | 59 |");
    expect(markdown).toContain("\n- More often wrong than a coin: clip-score (41 of 59");
  });

  test(".html is one safe page with the verdict and the plot", async () => {
    const html = await written("a.html");
    expect(html).toContain("<svg");
    expect(html).toContain("vqa-score | &lt;b&gt;");
    expect(html).not.toContain("vqa-score | <b>");
    expect(html).toContain("clip-score prefers the wrong image");
    expect(html).toContain("<li>More often wrong than a coin: clip-score (41 of 59");
    expect(html.match(/\.\/bin\/touchstone/g)).toHaveLength(1);
  });
});

describe("wrong input ends with 2, one message and nothing written", () => {
  const cases = {
    "a column that is missing": [
      "id,metric,domain,good,adversarial\n1,m,d,1,2\n",
      "--map correct=good",
    ],
    "an infinity": [
      "id,metric,domain,correct,adversarial\n1,m,d,inf,2\n",
      'received "inf" (in t.csv, line 2)',
    ],
    "an id twice": [
      "id,metric,domain,correct,adversarial\n1,m,d,1,2\n1,m,d,1,2\n",
      'id "1" of metric "m" stands in line 2 already (in t.csv, line 3)',
    ],
    "bytes that are not UTF-8": [
      Buffer.from("id,metric,domain,correct,adversarial\n1,caf\xe9,d,1,2\n", "latin1"),
      "0xE9 at offset 42 (in t.csv, line 2)",
    ],
    "no row at all": ["id,metric,domain,correct,adversarial\n", "it has none"],
  } as const;
  for (const [what, [content, message]] of Object.entries(cases)) {
    test(what, async () => {
      await put("t.csv", content);
      const { code, stdout, stderr } = await analyze("t.csv", "--out", "out.json");
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toContain(message);
      expect(await names()).toEqual(["t.csv"]);
    });
  }

  test("a range of another form, or scores beyond it", async () => {
    await put("scores.jsonl", jsonl());
    for (const [range, message] of [
      ["5", "Expected LOW,HIGH or METRIC=LOW,HIGH"],
      ["1,0", "Expected LOW,HIGH or METRIC=LOW,HIGH"],
      ["clip-score=0,0.4", "Expected scores of clip-score in [0, 0.4]"],
    ] as const) {
      const flags = ["--scale", "range", "--range", range];
      const { code, stderr } = await analyze("scores.jsonl", ...flags);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });
});

test("a column's name can't colour a terminal or turn its writing", async () => {
  await put("wrong.csv", "id,met\u001b[31mric\u202e\n1,2\n");
  const { code, stderr } = await analyze("wrong.csv");
  expect(code).toBe(2);
  expect(stderr).toContain("\\u001b");
  for (const hidden of ["\u001b", "\u202e"]) expect(stderr).not.toContain(hidden);
});

test("--wide reads two columns for each metric, and a long table's message names it", async () => {
  const wide = [
    "id,domain,clip_correct,clip_adversarial,vqa_correct,vqa_adversarial",
    ...["1,x,1,2,3,1", "2,x,1,0,3,", "3,y,2,2,3,4"],
  ].join("\n");
  const long = [
    "id,metric,domain,correct,adversarial",
    ...["1,clip,x,1,2", "2,clip,x,1,0", "3,clip,y,2,2"],
    ...["1,vqa,x,3,1", "2,vqa,x,3,", "3,vqa,y,3,4"],
  ].join("\n");
  const words = ["analyze", "contrastive", "-", "--resamples", "100"];
  const found = await run([...words, "--wide", "--json"], wide);
  expect(found.code).toBe(0);
  const { metrics } = JSON.parse((await run([...words, "--json"], long)).stdout);
  expect(JSON.parse(found.stdout).metrics).toEqual(metrics);
  expect((await run([...words, "--wide"], wide)).stdout).toContain("contrastive - --wide --resam");
  const untold = await run(words, wide);
  expect(untold.code).toBe(2);
  expect(untold.stderr).toContain("Here a metric is two columns (clip and vqa): --wide reads them");
});
