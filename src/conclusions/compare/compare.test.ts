import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { randomFrom } from "../../core/random.js";

const { put, read, names, run } = commandLines();
const few = ["--resamples", "100", "--permutations", "100"];
const compare = (...words: readonly string[]) => run(["compare", ...words, ...few]);
const sample = async () => (await run(["example", "compare"])).stdout;

/** Forty prompts; b is `ahead` of a, more on some than on others. */
function scores(ahead: number, { human = [] as readonly number[], shift = 0 } = {}): string {
  const rows = Array.from({ length: 40 }, (_, at) => {
    const a = shift + ((at * 17) % 40) / 40;
    const b = a + ahead * ((at % 4) - 0.5);
    const rated = human.includes(at);
    return [
      { model: "a", prompt: `prompt ${at}`, score: a, human: rated ? 1 + 3 * a : null },
      {
        model: "b",
        prompt: `prompt ${at}`,
        score: b,
        human: rated ? 1 + 3 * a + ((at % 3) - 0.9) : null,
      },
    ];
  });
  return rows
    .flat()
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
}

test("--json holds an estimate of each model and pair", async () => {
  const csv = await run(["compare", "-", ...few, "--json"], await sample());
  expect(csv.code).toBe(0);
  const found = JSON.parse(csv.stdout);
  const estimate = { value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) };
  expect(found).toMatchObject({
    n: 89,
    unscored: 1,
    metric: "score",
    warnings: expect.any(Array),
    intervals: { method: "percentile", clusteredBy: "prompt", clusters: 30, resamples: 100 },
    verdict: expect.stringMatching(/^painter-b beats every other model on score/),
  });
  expect(Object.keys(found.models)).toEqual(["painter-a", "painter-b", "painter-c"]);
  expect(found.models["painter-c"]).toMatchObject({ n: 29, unscored: 1, mean: estimate });
  expect(found.pairs).toHaveLength(3);
  for (const pair of found.pairs) {
    expect(pair).toMatchObject({
      a: expect.any(String),
      b: expect.any(String),
      difference: estimate,
      winRate: estimate,
      p: expect.any(Number),
      pAdjusted: expect.any(Number),
    });
  }
  expect(found.humanCorrected.pairs[0]).toMatchObject({ n: 12, winRate: estimate });
});

test("text begins with the verdict and ends with a command of the same flags", async () => {
  const { code, stdout } = await run(["compare", "-", ...few], await sample());
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^painter-b beats every other model on score: it wins \d/);
  expect(lines.at(-1)).toMatch(
    /compare - --permutations 100 --resamples 100 --out comparison.html$/,
  );
});

test("--tie-tolerance says which scores are half a win", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `a,${at},0.5\nb,${at},0.500000001`);
  await put("near.csv", `model,prompt,score\n${rows.join("\n")}\n`);
  const found = async (...words: readonly string[]) =>
    JSON.parse((await compare("near.csv", "--json", ...words)).stdout);
  expect(await found()).toMatchObject({ tieTolerance: 1e-6, pairs: [{ ties: 1 }] });
  expect(await found("--tie-tolerance", "0")).toMatchObject({
    tieRule: "a tie is half a win; only equal scores tie",
    pairs: [{ ties: 0, winRate: { value: 0 } }],
  });
  const { stdout } = await compare("near.csv", "--tie-tolerance", "0", "--details");
  expect(stdout).toContain("(there are none); only equal scores tie;");
  expect(stdout).toContain("compare near.csv --permutations 100 --tie-tolerance 0 --resamples 100");
});

test("a winner is named only where test and interval carry it; else what would settle it", async () => {
  await put("clear.jsonl", scores(0.2));
  const clear = await compare("clear.jsonl", "--map", "score=score");
  expect(clear.inOneLine).toMatch(
    /^b beats a on score: wins 75\.0 % \[\d+\.\d, \d+\.\d\] of 40 prompts\. /,
  );
  // Ahead by as much on each prompt, in turns: no difference at all.
  const even = (at: number) => (at % 2 === 0 ? 0.1 : -0.09);
  const rows = Array.from({ length: 40 }, (_, at) => `a,${at},0.5\nb,${at},${0.5 + even(at)}`);
  await put("even.csv", `model,prompt,score\n${rows.join("\n")}\n`);
  const unclear = await compare("even.csv");
  expect(unclear.inOneLine).toMatch(
    /^Inconclusive: b wins 50\.0 % .* against a on score, adjusted p .*; about 1,400 more would settle it\./,
  );
});

test.each([
  ["t", 2],
  ["t", 5],
  ["wilcoxon", 4],
  ["sign-flip", 5],
])("no test claims anything of fewer than six prompts: %s of %i", async (name, prompts) => {
  const table = (count: number) =>
    Array.from({ length: count }, (_, at) => `a,${at},${1 + at / 1e6}\nb,${at},0\n`).join("");
  await put("few.csv", `model,prompt,score\n${table(prompts)}`);
  const { inOneLine } = await compare("few.csv", "--test", name);
  expect(inOneLine).toMatch(
    /^Inconclusive: a wins all \d prompts against b on score; \d prompts are too few; it takes 6\./,
  );
  await put("more.csv", `model,prompt,score\n${table(20)}`);
  expect((await compare("more.csv", "--test", name)).inOneLine).toMatch(/^a beats b/);
});

test("more than a hundred models look like ids, and are compared where asked", async () => {
  const rows = Array.from({ length: 404 }, (_, at) => `x${at % 101},${at % 4},${at % 7}`);
  await put("ids.csv", `model,prompt,score\n${rows.join("\n")}\n`);
  const { code, stdout, stderr } = await compare("ids.csv");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("looks like an id");
  expect(stderr).toContain("5,050 pairs");
  const asked = await compare("ids.csv", "--many-models", "--json");
  expect(JSON.parse(asked.stdout).pairs).toHaveLength(5050);
});

test("people's few labels stand beside the metric, and what more of them would do", async () => {
  const human = [1, 4, 6, 9, 13, 14, 18, 21, 22, 27, 31, 35, 38];
  await put("rated.jsonl", scores(0.2, { human }));
  const { inOneLine } = await compare("rated.jsonl");
  expect(inOneLine).toMatch(
    /People preferred b on \d+ of 13 labelled prompts \(\d+\.\d %\)\. Estimated for all 40 from labels and scores \(prediction-powered inference\): b wins \d+\.\d % \[\d+\.\d, \d+\.\d\]; (about \d+ more labelled prompts would settle it|labels of all 40 would hardly settle it|people prefer)/,
  );
  const chosen = await compare("rated.jsonl", "--labels", "chosen");
  expect(chosen.inOneLine).toContain(
    "People's labels are not used: the labels are said to be chosen",
  );
});

/** 200 prompts, of which every fifth has labels of 0 and 1 that mostly follow the scores. */
function labelledRows(): string {
  const random = randomFrom(1, "labels");
  const rows = Array.from({ length: 200 }, (_, at) => {
    const ahead = random.next() - 0.3;
    const isBetter = random.next() < 0.5 + 0.35 * Math.sign(ahead);
    const score = random.next();
    const rated = (human: number) => (at % 5 === 2 ? { human } : {});
    return [
      { model: "a", prompt: `prompt ${at}`, score, ...rated(isBetter ? 0 : 1) },
      { model: "b", prompt: `prompt ${at}`, score: score + ahead ** 3, ...rated(isBetter ? 1 : 0) },
    ];
  });
  return rows
    .flat()
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
}

test("what people said is counted first, then estimated, everywhere, and a contradiction claims nothing", async () => {
  await put("rated.jsonl", labelledRows());
  // 23 of 40; the estimate is 65.3 % and excludes a half, that of the difference does not exclude 0.
  const counted = "People preferred b on 23 of 40 labelled prompts (57.5 %).";
  const estimated =
    /People preferred b .* Estimated for all 200 from labels and scores \(prediction-powered inference\): b wins 65\.3 % \[52\.5, 78\.1\]; neither this nor the difference of the same labels counts as significant, since only one of them is significant\./;
  const { inOneLine } = await compare("rated.jsonl", "--details");
  const { verdict, humanCorrected } = JSON.parse((await compare("rated.jsonl", "--json")).stdout);
  const texts = [inOneLine, verdict];
  for (const out of ["out.md", "out.html"]) {
    expect((await compare("rated.jsonl", "--out", out)).code).toBe(0);
    texts.push((await read(out)).replace(/<\/li><li>|\\|\s+/g, " "));
  }
  for (const text of texts) {
    expect(text).toContain(counted);
    expect(text).toMatch(estimated);
    expect(text).not.toContain("people prefer");
  }
  for (const text of [texts[0], ...texts.slice(2)]) {
    expect(text).toMatch(/labels, counted.*choice, estimated for all prompts/);
    expect(text).toContain("disputed");
    expect(text).not.toContain("settled");
  }
  expect(humanCorrected.pairs[0]).toMatchObject({
    counted: { wins: 17, ties: 0, losses: 23, winRate: 0.425, difference: -0.15 },
    preferred: null,
    contradiction: "only one of them is significant",
    n: 40,
    prompts: 200,
    labelsNeeded: { difference: null, winRate: null },
  });
  expect(humanCorrected.pairs[0].winRate.high).toBeLessThan(0.5);
  expect(humanCorrected.models).toMatchObject({ a: { counted: 0.425 }, b: { counted: 0.575 } });
  await compare("rated.jsonl", "--out", "out.csv");
  const csv = await read("out.csv");
  expect(csv).toMatch(/\nlabels,a,b,40,,,,,-0\.15,,,0\.425,,,,,\n[\s\S]*\npeople,a,b,40,/);
});

test("people's labels may be numbers as text, as `score` keeps them of a CSV table", async () => {
  const human = [1, 5, 9, 13, 17, 21, 25, 29];
  await put("t.jsonl", scores(0.2, { human }));
  const asText = scores(0.2, { human }).replace(/"human":([-\d.e]+)/g, '"human":"$1"');
  expect(asText).toContain('"human":"');
  await put("text.jsonl", asText);
  const { code, stdout } = await compare("text.jsonl", "--json");
  expect(code).toBe(0);
  expect(stdout).toBe((await compare("t.jsonl", "--json")).stdout);
});

test("where less is better, and by a column that says so, the other one wins", async () => {
  await put("t.jsonl", scores(0.2));
  expect((await compare("t.jsonl", "--direction", "lower")).stdout).toMatch(/^a beats b on score/);
  const said = scores(0.2).replaceAll('"score":', '"direction":"lower","score":');
  await put("t.jsonl", said);
  expect((await compare("t.jsonl")).stdout).toMatch(/^a beats b/);
  expect((await compare("t.jsonl", "--direction", "higher")).stdout).toMatch(/^b beats a/);
});

test("one metric asked of two models is two, of which one must be named", async () => {
  const line = (asked: string, at: number, model: string, value: number) =>
    JSON.stringify({
      text: `prompt ${at}`,
      metric: "clip-score",
      metricVersion: 1,
      value,
      model: `lab:${asked}@0123456789ab`,
      input_model: model,
    });
  const rows = Array.from({ length: 12 }, (_, at) => [
    ...[line("one", at, "a", at), line("one", at, "b", at + 1)],
    ...[line("two", at, "a", at), line("two", at, "b", at - 1)],
  ]);
  await put("two.jsonl", rows.flat().join("\n"));
  const words = ["two.jsonl", "--map", "model=input_model", "--map", "prompt=text"];
  const pooled = await compare(...words, "--map", "score=value", "--metric", "clip-score");
  expect(pooled).toMatchObject({ code: 2, stdout: "" });
  expect(pooled.stderr).toContain("It has lab:one clip-score and lab:two clip-score");
  const metric = ["--map", "score=value", "--metric", "lab:two clip-score", "--json"];
  const { code, stdout } = await compare(...words, ...metric);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ metric: "lab:two clip-score" });
});

test("of a file of score one metric is taken", async () => {
  const line = (metric: string, at: number, model: string, value: number) =>
    JSON.stringify({ text: `prompt ${at}`, metric, value, model: "vqa", input_model: model });
  const rows = Array.from({ length: 12 }, (_, at) => [
    ...[line("m1", at, "a", at), line("m1", at, "b", at + 1)],
    ...[line("m2", at, "a", at), line("m2", at, "b", at - 1)],
  ]);
  await put("scores.jsonl", rows.flat().join("\n"));
  const words = ["scores.jsonl", "--map", "model=input_model", "--map", "prompt=text"];
  const several = await compare(...words, "--map", "score=value");
  expect(several).toMatchObject({ code: 2, stdout: "" });
  expect(several.stderr).toContain("its column metric has m1 and m2");
  expect(several.stderr).toContain("--metric m1");
  const one = await compare(...words, "--map", "score=value", "--metric", "m2");
  expect(one.inOneLine).toMatch(/^a beats b on m2: wins all of 12 prompts/);
});

test("--out writes each format", async () => {
  await put("t.csv", await sample());
  for (const [ending, content] of [
    ["json", '"pAdjusted"'],
    ["csv", "\nmetric,painter-a,painter-b,30,,,,,-0.09996"],
    ["md", "| score, higher is better | painter-b | 30 | 0 | 0.712 ["],
    ["html", "painter-b beats every other model on score"],
  ] as const) {
    expect((await compare("t.csv", "--out", `out.${ending}`)).code).toBe(0);
    expect(await read(`out.${ending}`)).toContain(content);
  }
});

test("a gate on the mean", async () => {
  await put("t.jsonl", scores(0.2));
  const passed = await compare("t.jsonl", "--fail-under", "0.4");
  expect(passed.code).toBe(0);
  expect(passed.inOneLine).toContain("Gate passed: every mean is at least 0.4 (2 models).");
  const missed = await compare("t.jsonl", "--fail-under", "0.55", "--json");
  expect(missed.code).toBe(4);
  expect(JSON.parse(missed.stdout).gate).toMatchObject({ passed: false, failUnder: 0.55 });
  expect(JSON.parse(missed.stderr).error).toMatchObject({
    code: "gate",
    message: expect.stringMatching(
      /^Gate missed: a's mean is 0\.\d+ \[.*\], below 0\.55, but not significantly\.$/,
    ),
  });
});

test("a gate sees as much by the JSON of an earlier comparison as by its table", async () => {
  await put("old.jsonl", scores(0.2));
  await put("new.jsonl", scores(0.2, { shift: -0.03 }));
  expect((await compare("old.jsonl", "--out", "old.json")).code).toBe(0);
  const gates = [];
  for (const baseline of ["old.json", "old.jsonl"]) {
    const found = await compare("new.jsonl", "--baseline", baseline, "--out", "summary.md");
    expect(found.code).toBe(4);
    expect(found.inOneLine).toMatch(
      /Gate missed: a's mean became worse by 0\.0300 since old\.jsonl?, significantly; b's/,
    );
    // What the verdict says is not said again.
    expect(found.stderr).toMatch(
      /^Wrote summary\.md\nError: The gate was missed: the verdict says why\nLook closer: touchstone compare .* --details\n$/,
    );
    const summary = await read("summary.md");
    expect(summary).toContain("Gate missed: a's mean");
    expect(summary).toContain("| metric | model | images | unscored | mean | change |");
    const { stdout } = await compare("new.jsonl", "--baseline", baseline, "--json");
    gates.push({ ...JSON.parse(stdout).gate, against: "" });
  }
  expect(gates[0]).toEqual(gates[1]);
  for (const baseline of ["old.json", "old.jsonl"]) {
    const allowed = ["--baseline", baseline, "--fail-under", "-0.04"];
    expect((await compare("new.jsonl", ...allowed)).code).toBe(0);
  }
});

test("a baseline of an earlier version, which holds means alone, passes only with a word", async () => {
  await put("old.jsonl", scores(0.2));
  await put("new.jsonl", scores(0.2, { shift: -0.03 }));
  const { scores: _, ...means } = JSON.parse((await compare("old.jsonl", "--json")).stdout);
  await put("old.json", JSON.stringify(means));
  const independent = await compare("new.jsonl", "--baseline", "old.json");
  expect(independent.code).toBe(0);
  expect(independent.inOneLine).toContain(
    "no mean is shown to be worse than in old.json (it could be worse by up to ",
  );
  expect(independent.inOneLine).toContain(
    "Caveat: the baseline holds no scores of single prompts, so small changes stay unseen",
  );
  expect(independent.inOneLine).toContain("−0.030 [");
  const demanded = await compare("new.jsonl", "--baseline", "old.json", "--fail-under", "-0.02");
  expect(demanded.code).toBe(4);
  expect(demanded.inOneLine).toContain(
    "worse by 0.02 is allowed, and it falls short of that, but not significantly",
  );
});

test("what a baseline lacks stands in the verdict and in JSON", async () => {
  const of = (model: string) => (line: string) => line.includes(`"model":"${model}"`);
  const lines = scores(0.2).trimEnd().split("\n");
  await put("one.jsonl", lines.filter(of("a")).join("\n"));
  await put("both.jsonl", lines.join("\n"));
  expect((await compare("one.jsonl", "--out", "one.json")).code).toBe(0);
  for (const baseline of ["one.json", "one.jsonl"]) {
    const { code, stdout } = await compare("both.jsonl", "--baseline", baseline, "--json");
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found.gate).toMatchObject({ added: ["b"], gone: [], models: [{ model: "a" }] });
    expect(found.verdict).toContain(`Not judged, since ${baseline} lacks it: b.`);
  }
  await compare("both.jsonl", "--out", "both.json");
  const gone = await compare("one.jsonl", "--baseline", "both.json");
  expect(gone.inOneLine).toContain("Not judged, since the table now lacks it: b.");
  await put("few.jsonl", [...lines.slice(0, 8), ...lines.slice(40)].join("\n"));
  const few = await compare("few.jsonl", "--baseline", "both.json");
  expect(few.inOneLine).toContain("a and b: 16 of 40 prompts of the baseline have no score now");
});

test("a baseline of another version of the metric is refused", async () => {
  const line = (at: number, metricVersion: number) =>
    JSON.stringify({
      text: `prompt ${at}`,
      metric: "m",
      value: at,
      model: "lab:vqa@0123456789ab",
      input_model: "a",
      metricVersion,
      low: 0,
      high: 100,
    });
  const put12 = (name: string, version: number) =>
    put(name, Array.from({ length: 12 }, (_, at) => line(at, version)).join("\n"));
  await put12("one.jsonl", 1);
  await put12("two.jsonl", 2);
  const map = ["--map", "model=input_model", "--map", "prompt=text", "--map", "score=value"];
  expect((await compare("one.jsonl", ...map, "--out", "one.json")).code).toBe(0);
  expect(JSON.parse(await read("one.json"))).toMatchObject({
    measure: { model: "lab:vqa@0123456789ab", metricVersion: "1", range: [0, 100] },
    scores: { version: 1, prompts: expect.any(Array), models: { a: expect.any(Array) } },
  });
  for (const baseline of ["one.json", "one.jsonl"]) {
    expect((await compare("one.jsonl", ...map, "--baseline", baseline)).code).toBe(0);
    const { code, stderr } = await compare("two.jsonl", ...map, "--baseline", baseline);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, " ")).toContain("the version of the metric (1 before, 2 now)");
  }
  const odd = JSON.parse(await read("one.json"));
  await put("odd.json", JSON.stringify({ ...odd, scores: { ...odd.scores, prompts: [] } }));
  const { code, stderr } = await compare("one.jsonl", ...map, "--baseline", "odd.json");
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain("scores of more or fewer prompts");
});

test("--json alone is a baseline, too", async () => {
  await put("t.jsonl", scores(0.2));
  await put("old.json", (await compare("t.jsonl", "--json")).stdout);
  expect((await compare("t.jsonl", "--baseline", "old.json")).code).toBe(0);
});

test.each([
  ["model,prompt,score,human\na,1,1,good\n", [], "nothing for human"],
  ["model,prompt,score\na,1,1\n", ["--metric", "m"], "It has no column metric"],
  ["model,prompt,score\na,1,1\n", ["--baseline", "no.json"], "Could not read no.json"],
  ["model,prompt,score\na,1,1\n", ["--baseline", "bad.json"], "bad.json models is something else"],
  ["model,prompt,score\na,1,1\n", ["--baseline", "t.json"], "t.json is not JSON"],
  ["model,prompt,score\na,1,1\n", ["--range", "1"], "Expected LOW,HIGH"],
  ["model,prompt,score\na,1,1\n", ["--fail-under", "0", "--direction", "lower"], "--baseline"],
])("wrong input ends with 2 and nothing written: %s %j", async (content, flags, message) => {
  await put("t.csv", content);
  await put("bad.json", '{"metric": "score", "direction": "higher"}');
  await put("t.json", "model,prompt");
  const { code, stdout, stderr } = await compare("t.csv", ...flags, "--out", "out.md");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
  expect(await names()).toEqual(["bad.json", "t.csv", "t.json"]);
});

test("one model alone has nothing to beat, and the baseline is not overwritten", async () => {
  await put("t.csv", "model,prompt,score\na,1,1\na,2,0\n");
  const alone = await compare("t.csv");
  expect(alone.code).toBe(0);
  expect(alone.inOneLine).toMatch(
    /^Only a has scores: mean score 0\.50 .* over 2 images; there is nothing/,
  );
  await compare("t.csv", "--out", "old.json");
  const over = await compare("t.csv", "--baseline", "old.json", "--out", "old.json");
  expect(over.code).toBe(2);
});

test("--scores reads a column for each model, the same as a row for each", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({ prompt: `p${at}`, a: at % 5, b: at % 3 }));
  const long = rows.flatMap(({ prompt, a, b }, at) => [
    { model: "A", prompt, score: a, human: at < 8 ? a + 1 : null },
    { model: "B", prompt, score: b, human: at < 8 ? b : null },
  ]);
  const header = "prompt,score_a,score_b,said_a,said_b";
  const wide = rows.map(({ prompt, a, b }, at) =>
    [prompt, a, b, ...(at < 8 ? [a + 1, b] : ["", ""])].join(),
  );
  await put("long.jsonl", long.map((row) => JSON.stringify(row)).join("\n"));
  await put("wide.csv", [header, ...wide].join("\n"));
  const flags = ["--scores", "A=score_a,B=score_b", "--humans", "A=said_a,B=said_b"];
  const expected = await compare("long.jsonl", "--json");
  const found = await compare("wide.csv", ...flags, "--json");
  expect(found.code, found.stderr).toBe(0);
  expect(JSON.parse(found.stdout)).toEqual(JSON.parse(expected.stdout));
  const { stdout } = await compare("wide.csv", ...flags);
  expect(stdout).toContain(`touchstone compare wide.csv ${flags.join(" ")}`);
});

test("--scores averages lists of ratings, and says so", async () => {
  const rows = [1, 2, 3, 4, 5, 6, 7].map((at) => ({
    prompt: `p${at}`,
    models: { A: [at, at + 2, null], B: [at] },
  }));
  await put("t.json", JSON.stringify(rows));
  const words = ["t.json", "--scores", "A=models.A,B=models.B", "--json"];
  const { models, warnings } = JSON.parse((await compare(...words)).stdout);
  expect(models.A.mean.value).toBe(5);
  expect(models.B.mean.value).toBe(4);
  expect(warnings[0]).toBe("lists of numbers were averaged: models.A and models.B");
});

test("the flag for a wide table names the columns of scores alone", async () => {
  await put("wide.csv", "prompt,score_a,score_b,h_a,h_b\np,1,2,0,1\nq,2,3,1,1\n");
  const { stderr } = await compare("wide.csv");
  expect(stderr.replace(/\s+/g, " ").trim()).toMatch(/--scores a=score_a,b=score_b$/);

  await put("scores.csv", "prompt,score_a,score_b\np,1,2\nq,2,3\n");
  const scored = await compare("scores.csv");
  expect(scored.stderr.replace(/\s+/g, " ").trim()).toMatch(/--scores a=score_a,b=score_b$/);

  await put("two.csv", "prompt,file_a,file_b,clip_a,clip_b,vqa_a,vqa_b\np,x,y,1,2,0,1\n");
  const two = await compare("two.csv");
  expect(two.stderr.replace(/\s+/g, " ").trim()).toMatch(/--scores a=clip_a,b=clip_b$/);
});

test.each([
  [["--scores", "A=a,A=b"], 'Expected MODEL=COLUMN,… for --scores but received "A=a,A=b"'],
  [["--scores", "A=a,B=c"], "Expected the column c in wide.csv"],
  [["--humans", "A=a"], "Expected --scores for --humans"],
  [["--scores", "A=a,B=b", "--humans", "C=a"], "Expected a model of --scores for --humans"],
  [[], "With a column of scores for each model: --scores a,b"],
])("a wide table read wrong ends with 2 and says how to go on: %j", async (flags, message) => {
  await put("wide.csv", "prompt,a,b\np,1,2\nq,2,3\n");
  const { code, stdout, stderr } = await compare("wide.csv", ...flags);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
});

test("where no column has a known name, none is guessed to hold a model's scores", async () => {
  await put("odd.csv", "Bild,Satz,Wert,Netz\n1,p,0.5,a\n2,p,0.7,b\n");
  const { code, stderr } = await compare("odd.csv");
  expect(code).toBe(2);
  expect(stderr).toContain("--map prompt=COLUMN --map model=COLUMN --map score=COLUMN");
  expect(stderr).not.toContain("--scores Bild");
});

test.each([
  ["prompt,correct,tag\np,true,x\nq,false,y\n", "--map score=correct --map model=filename"],
  ["prompt,value,filename\np,1,x\nq,0,y\n", "--map score=value --map model=_filename"],
])(
  "a table with one score and no model says where models may be named: %j",
  async (table, flags) => {
    await put("one.csv", table);
    const { code, stderr } = await compare("one.csv");
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, " ")).toContain(flags);
  },
);

test("sixty models are compared in one table, each pair once and from the better one's side", async () => {
  const rows = Array.from(
    { length: 60 * 7 },
    (_, at) => `m${at % 60},${Math.floor(at / 60)},${at % 60}`,
  );
  await put("many.csv", `model,prompt,score\n${rows.join("\n")}\n`);
  const words = ["compare", "many.csv", "--test", "t", "--resamples", "100", "--out", "out.csv"];
  expect((await run(words)).code).toBe(0);
  const lines = (await read("out.csv")).trimEnd().split("\n");
  expect(lines).toHaveLength(1 + 60 + (60 * 59) / 2);
  const { stdout } = await run([...words, "--details"]);
  const pairs = stdout.slice(stdout.indexOf("Pairs"));
  expect(pairs.indexOf("m59\n")).toBeLessThan(pairs.indexOf("m1\n"));
});

test("nothing follows the method of one model, which is tested against none", async () => {
  const rows = [1, 2, 3].map((at) => `m,p${at},${at / 10}\n`).join("");
  const { stdout } = await run(["compare", "-", "--details"], `model,prompt,score\n${rows}`);
  expect(stdout).toContain("Brackets hold intervals");
  expect(stdout).not.toMatch(/ $/m);
});

test("a margin is passed by proof alone, and --json says what is lacking", async () => {
  const table = (offset: number, wave: number) =>
    [
      "model,prompt,skill,score",
      ...Array.from({ length: 40 }, (_, at) => {
        const score = 0.5 + ((at * 37) % 101) / 1000 + offset + wave * Math.sin(at * 12.9898);
        return `m,${at},${at % 2 === 0 ? "text" : "count"},${score}`;
      }),
    ].join("\n");
  await put("old.csv", table(0, 0));
  await put("near.csv", table(0, 0.01));
  await put("far.csv", table(-0.01, 0.2));
  const judged = (file: string, ...words: readonly string[]) =>
    compare(file, "--baseline", "old.csv", "--not-worse", "0.02", "--json", ...words);
  const passed = await judged("near.csv", "--by", "skill");
  expect(passed.code).toBe(0);
  expect(JSON.parse(passed.stdout).gate).toMatchObject({
    passed: true,
    notWorse: 0.02,
    floor: null,
    models: [
      {
        model: "m",
        state: "as-good",
        change: { value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) },
        prompts: { shared: 40, needed: null },
      },
    ],
    groups: [{ state: "as-good" }, { state: "as-good" }],
  });
  const missed = await judged("far.csv");
  expect(missed.code).toBe(4);
  const { models } = JSON.parse(missed.stdout).gate;
  expect(models).toMatchObject([{ state: "undecided", prompts: { needed: expect.any(Number) } }]);
  // The same change passes a gate that asks for proof of harm.
  const without = await compare("far.csv", "--baseline", "old.csv");
  expect(without.code).toBe(0);
  expect(without.inOneLine).toMatch(/no mean is shown to be worse .*could be worse by up to 0\.0/);

  const refused = await judged("near.csv", "--self", "far.csv");
  expect(refused.code).toBe(2);
  const plan = await compare("old.csv", "--not-worse", "0.02", "--power", "0.8", "--json");
  expect(plan.code).toBe(0);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    margin: 0.02,
    power: 0.8,
    samples: 1,
    prompts: expect.any(Number),
    perModel: { m: { prompts: expect.any(Number) } },
  });
});

test.each([
  [["--not-worse", "0.02"]],
  [["--not-worse", "0", "--baseline", "t.csv"]],
  [["--not-worse", "0.02", "--same", "0.02", "--baseline", "t.csv"]],
  [["--not-worse", "0.02", "--power", "0.8", "--baseline", "t.csv"]],
  [["--not-worse", "0.02", "--fail-under", "0", "--baseline", "t.csv"]],
  [["--not-worse", "0.02", "--interval", "bca", "--baseline", "t.csv"]],
  [["--not-worse", "0.02", "--by", "none", "--baseline", "t.csv"]],
  [["--power", "0.8"]],
  [["--by", "skill", "--baseline", "t.csv"]],
])("refuses %j", async (words) => {
  await put("t.csv", "model,prompt,score\nm,1,0.5\nm,2,0.6\n");
  expect(await compare("t.csv", ...words)).toMatchObject({ code: 2, stdout: "" });
});

test.each([
  ["lpips", "lower"],
  ["FID_10k", "lower"],
  ["rank", "lower"],
  ["neg_lpips", "higher"],
  ["frank", "higher"],
  ["ranking_score", "higher"],
])("%s counts as better when %s, and a guess is said", async (name, direction) => {
  const table = scores(0.2).replaceAll('"score":', `"${name}":`);
  const asked = ["-", "--format", "jsonl", "--map", `score=${name}`, "--json"];
  const found = JSON.parse((await run(["compare", ...asked, ...few], table)).stdout);
  const guess = expect.stringContaining("counts as better when lower, by its name");
  expect(found.direction).toBe(direction);
  expect(found.warnings).toEqual(
    direction === "lower" ? expect.arrayContaining([guess]) : expect.not.arrayContaining([guess]),
  );
  const forced = JSON.parse(
    (await run(["compare", ...asked, "--direction", "higher", ...few], table)).stdout,
  );
  expect(forced.direction).toBe("higher");
  expect(forced.warnings).toEqual(expect.not.arrayContaining([guess]));
});
