import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { generatedRun } from "../../../test/support/generated-run.js";
import { randomFrom } from "../../core/random.js";

const { place, put, read, run } = commandLines();
const few = ["--resamples", "100", "--permutations", "100"];

/** Prompts with scores of two models; a third column that no verb asks for. */
function scores(count: number): string {
  const random = randomFrom("label plan test");
  const rows = Array.from({ length: count }, (_, at) =>
    ["a", "b"].map((model) => {
      const score = random.between(0, 1) + (model === "b" ? 0.1 : 0);
      return `${model},prompt ${at},${score.toFixed(3)},"x, ${at}"`;
    }),
  );
  return ["model,prompt,score,note", ...rows.flat(), ""].join("\n");
}

/** People who rate as the score says. */
function answered(table: string): string {
  const [header = "", ...lines] = table.trimEnd().split("\n");
  const human = (line: string) => Math.round(5 * Number(line.split(",")[2]));
  return [`${header},human`, ...lines.map((line) => `${line},${human(line)}`), ""].join("\n");
}

test("the chosen prompts are written with all columns and all models, and compare takes the answers as they are", async () => {
  await put("scores.csv", scores(80));
  const plan = await run([
    "label",
    "plan",
    "scores.csv",
    "--budget",
    "30",
    "--out",
    "next.csv",
    "--json",
  ]);
  expect(plan.code).toBe(0);
  const found = JSON.parse(plan.stdout);
  expect(found).toMatchObject({
    chosen: 30,
    round: 1,
    useful: null,
    expected: { uniform: { width: expect.any(Number) }, planned: { width: expect.any(Number) } },
    labelsSaved: expect.any(Number),
    verdict: expect.stringContaining("30 of 80 prompts"),
  });
  const next = await read("next.csv");
  const [header, first = ""] = next.split("\n");
  expect(header).toBe("model,prompt,score,note,probability,weight,stratum,round");
  expect(next.trimEnd().split("\n")).toHaveLength(61);
  const [probability = 0, weight = 0] = first.split(",").slice(-4, -2).map(Number);
  expect(probability * weight).toBeCloseTo(1, 12);

  await put("answered.csv", answered(next));
  const alone = JSON.parse((await run(["compare", "answered.csv", ...few, "--json"])).stdout);
  expect(alone.humanCorrected).toMatchObject({
    sampling: "planned",
    pairs: [{ n: 30, prompts: 80 }],
  });
  const whole = await run([
    "compare",
    "scores.csv",
    "--answered",
    "answered.csv",
    ...few,
    "--json",
  ]);
  const corrected = JSON.parse(whole.stdout).humanCorrected;
  expect(corrected).toMatchObject({ sampling: "planned", pairs: [{ n: 30, prompts: 80 }] });
  const widthOf = ({ low, high }: { low: number; high: number }) => high - low;
  expect(widthOf(corrected.models.a.mean)).toBeLessThan(
    widthOf(alone.humanCorrected.models.a.mean),
  );
});

test("a second round draws from the rest, and both rounds are compared together", async () => {
  await put("scores.csv", scores(80));
  await run(["label", "plan", "scores.csv", "--budget", "20", "--out", "one.csv"]);
  await put("one-answered.csv", answered(await read("one.csv")));
  const more = ["--answered", "one-answered.csv"];
  const plan = await run([
    "label",
    "plan",
    "scores.csv",
    ...more,
    "--budget",
    "20",
    "--out",
    "two.csv",
    "--json",
  ]);
  expect(JSON.parse(plan.stdout)).toMatchObject({ round: 2, labels: 20, chosen: 20, useful: true });
  const promptsOf = (text: string) =>
    new Set(
      text
        .split("\n")
        .slice(1)
        .map((line) => line.split(",")[1]),
    );
  const [one, two] = [promptsOf(await read("one.csv")), promptsOf(await read("two.csv"))];
  two.delete(undefined);
  for (const prompt of two) expect(one.has(prompt)).toBe(false);
  const [header = "", ...lines] = (await read("two.csv")).trimEnd().split("\n");
  const human = header.split(",").indexOf("human") - header.split(",").length;
  const filled = lines.map((line) => {
    const cells = line.split(",");
    cells[cells.length + human] = String(Math.round(5 * Number(cells[2])));
    return cells.join(",");
  });
  await put("two-answered.csv", [header, ...filled, ""].join("\n"));
  const both = [...more, "--answered", "two-answered.csv"];
  const found = JSON.parse(
    (await run(["compare", "scores.csv", ...both, ...few, "--json"])).stdout,
  );
  expect(found.humanCorrected.pairs[0]).toMatchObject({ n: 40, prompts: 80 });
});

test("the column direction says which models are best, and --direction overrules it", async () => {
  const rows = ["a,1,0.1", "b,1,0.2", "c,1,0.9", "a,2,0.2", "b,2,0.3", "c,2,0.8"];
  const lines = ["model,prompt,score,direction", ...rows.map((row) => `${row},lower`)];
  await put("lower.csv", [...lines, ""].join("\n"));
  const planned = async (...more: readonly string[]) =>
    JSON.parse((await run(["label", "plan", "lower.csv", ...more, "--json"])).stdout);
  expect(await planned()).toMatchObject({ direction: "lower", pair: ["a", "b"] });
  expect(await planned("--direction", "higher")).toMatchObject({ pair: ["c", "b"] });
});

test("a metric whose name says that less is better is planned so, and a guess is said", async () => {
  const rows = ["a,1,0.1", "b,1,0.2", "c,1,0.9", "a,2,0.2", "b,2,0.3", "c,2,0.8"];
  await put("lpips.csv", `${["model,prompt,lpips", ...rows].join("\n")}\n`);
  const planned = async (...more: readonly string[]) => {
    const words = ["label", "plan", "lpips.csv", "--map", "score=lpips", ...more, "--json"];
    return JSON.parse((await run(words)).stdout);
  };
  const guess = expect.stringContaining("lpips counts as better when lower, by its name");
  expect(await planned()).toMatchObject({
    direction: "lower",
    pair: ["a", "b"],
    warnings: expect.arrayContaining([guess]),
  });
  const forced = await planned("--direction", "higher");
  expect(forced).toMatchObject({ direction: "higher", pair: ["c", "b"] });
  expect(forced.warnings).not.toContainEqual(guess);
});

test("where all that is left is asked no rounds are advised, and nobody where every item has a label", async () => {
  await put("scores.csv", scores(60));
  const [header, ...lines] = answered(scores(60)).trimEnd().split("\n");
  const few = lines.map((line, at) => (at < 8 ? line : line.replace(/[^,]*$/, "")));
  await put("few.csv", [header, ...few, ""].join("\n"));
  await put("all.csv", [header, ...lines, ""].join("\n"));
  const advice = async (budget: string) =>
    (await run(["label", "plan", "few.csv", "--budget", budget])).stdout.includes("--budget");
  expect([await advice("55"), await advice("100")]).toEqual([true, false]);
  const { stdout } = await run(["label", "plan", "all.csv", "--json"]);
  const { verdict, warnings } = JSON.parse(stdout);
  expect({ verdict, warnings }).toEqual({
    verdict: expect.stringMatching(/^Ask nobody/),
    warnings: [],
  });
});

test("rows of another table are refused", async () => {
  await put("scores.csv", scores(20));
  await put("other.csv", "model,prompt,score,human,weight\na,nobody's,0.5,3,2\n");
  const { code, stderr } = await run(["label", "plan", "scores.csv", "--answered", "other.csv"]);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain("row 1 (model");
});

test("of a judge's answers the least certain are asked about, and probability stays the judge's", async () => {
  const rows = Array.from({ length: 100 }, (_, at) => `q${at},${(at % 50) / 49}`);
  await put("judged.csv", ["id,probability", ...rows, ""].join("\n"));
  const words = [
    "label",
    "plan",
    "judged.csv",
    "--for",
    "threshold",
    "--budget",
    "30",
    "--out",
    "next.csv",
  ];
  const { code, stdout } = await run([...words, "--json"]);
  expect(code).toBe(0);
  const { strata } = JSON.parse(stdout);
  const [first, middle] = [strata[0], strata[4]].map(({ probability }) => probability);
  expect(middle).toBeGreaterThan(1.3 * first);
  const [header] = (await read("next.csv")).split("\n");
  expect(header).toBe("id,probability,weight,stratum,round");
});

test("of a run its scores are read by metric, with domains, images and people's ratings", async () => {
  await generatedRun(place("run"), { images: 80, side: 8, metrics: 2, people: true });
  const several = await run(["label", "plan", "run", "--for", "rate"]);
  expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining("--where metric=") });
  const words = ["label", "plan", "run", "--for", "rate", "--where", "metric=vqa-score"];
  const plan = await run([...words, "--budget", "10", "--out", "next.csv", "--json"]);
  expect(plan).toMatchObject({ code: 0 });
  const { labels, chosen, n } = JSON.parse(plan.stdout);
  expect(chosen).toBe(10);
  expect(labels).toBeGreaterThan(20);
  expect(n).toBeGreaterThan(60);
  const [header] = (await read("next.csv")).split("\n");
  expect(header).toBe(
    "model,prompt,score,metric,direction,image,domain,human,probability,weight,stratum,round",
  );
});

test("where drawing at random is as good it says so, and what to do next", async () => {
  const { stdout: table } = await run(["example", "label-plan"]);
  await put("sample.csv", table);
  const { stdout } = await run(["label", "plan", "sample.csv", "--budget", "20"]);
  expect(stdout.replace(/\s+/g, " ")).toMatch(
    /^Label 20 of 60 prompts: .* 20 drawn at random do as well \(.* points\)\. .* what --out next\.csv writes, .* then: touchstone compare sample\.csv --answered next\.csv /,
  );
});
