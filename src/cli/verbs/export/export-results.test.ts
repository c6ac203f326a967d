import { expect, test } from "vitest";
import { parse } from "yaml";
import { commandLines } from "../../../../test/support/command-lines.js";
import { hashOf } from "../../../core/keys.js";

const { put, read, run } = commandLines();

const scores = [
  "model,prompt,score",
  ...Array.from({ length: 12 }, (_, at) => `org/a,prompt ${at},${0.5 + (at % 4) / 10}`),
  ...Array.from(
    { length: 12 },
    (_, at) => `org/b,prompt ${at},${at === 3 ? "" : 0.4 + (at % 5) / 10}`,
  ),
].join("\n");

async function exported(as: string, ...more: readonly string[]) {
  await put("scores.csv", scores);
  const compared = await run(["compare", "scores.csv", "--json", ...more]);
  await put("found.json", compared.stdout);
  const { code, stdout, stderr } = await run([
    "export",
    "results",
    "found.json",
    "--as",
    as,
    "--out",
    "out",
    "--json",
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { files, ...told } = JSON.parse(stdout);
  return { files: files as string[], told, found: JSON.parse(compared.stdout) };
}

test("every-eval-ever: a file for each model, with interval, n and samples", async () => {
  const { files, found } = await exported("every-eval-ever");
  const of = (name: string) =>
    files.find((file) => file.includes(`/org/${name}/`) && file.endsWith(".json")) ?? "";
  const evaluation = JSON.parse(await read(`out/${of("b")}`));
  const { value, low, high } = found.models["org/b"].mean;
  expect(evaluation).toMatchObject({ schema_version: "0.3.0", model_info: { id: "org/b" } });
  expect(evaluation.evaluation_results).toHaveLength(1);
  expect(evaluation.evaluation_results[0]).toMatchObject({
    evaluation_result_id: "mean",
    metric_config: { lower_is_better: false },
    score_details: {
      score: value,
      uncertainty: {
        confidence_interval: { lower: low, upper: high, confidence_level: 0.95 },
        num_samples: 11,
      },
    },
  });
  const { file_path, total_rows, additional_details } = evaluation.detailed_evaluation_results;
  expect({ total_rows, additional_details }).toEqual({
    total_rows: 11,
    additional_details: { unscored_rows: "1" },
  });
  const lines = (await read(`out/${file_path}`))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(11);
  const [first] = lines;
  expect(first).toMatchObject({
    evaluation_id: evaluation.evaluation_id,
    input: { raw: "prompt 0" },
    evaluation: { score: 0.4 },
  });
});

test("hub: the figures of each model in both forms, and what the Hub lacks", async () => {
  const { found, told } = await exported("hub");
  const results = parse(await read("out/org-a/.eval_results/touchstone.yaml"));
  expect(results).toMatchObject([
    { dataset: { id: "OWNER/found", task_id: "mean" }, value: found.models["org/a"].mean.value },
  ]);
  const [, front] = (await read("out/org-a/README.md")).split("---\n");
  const [index] = parse(front ?? "")["model-index"];
  expect(index.results[0].metrics[0].value).toBe(found.models["org/a"].mean.value);
  expect(told.notes.join(" ")).toContain("dataset/eval.yaml");
});

test("hub: a README of one's own is not replaced", async () => {
  await put("out/org-a/README.md", "my model");
  await put("scores.csv", scores);
  await put("found.json", (await run(["compare", "scores.csv", "--json"])).stdout);
  const { code } = await run(["export", "results", "found.json", "--as", "hub", "--out", "out"]);
  expect(code).toBe(2);
  expect(await read("out/org-a/README.md")).toBe("my model");
});

test("mlflow: a run for each model, whose metrics are the JSON's numbers", async () => {
  const { files, found } = await exported("mlflow");
  const names = files.filter((file) => file.endsWith("tags/mlflow.runName"));
  for (const name of names) {
    const model = await read(`out/${name}`);
    const mean = found.models[model]?.mean;
    if (mean === undefined) continue;
    for (const [metric, value] of [
      ["mean", mean.value],
      ["mean.low", mean.low],
    ]) {
      const file = name.replace("tags/mlflow.runName", `metrics/${metric}`);
      expect(Number((await read(`out/${file}`)).split(" ")[1])).toBe(value);
    }
  }
  expect(names).toHaveLength(3);
});

test("junit and sarif: a missed gate fails by name; figures without a value are skipped", async () => {
  const gate = ["--fail-under", "0.62"];
  await exported("junit", ...gate);
  const junit = await read("out/junit.xml");
  expect(junit).toMatch(/<testsuites name="found" tests="2" failures="1" errors="0" skipped="0">/);
  expect(junit).toMatch(/<testcase classname="org\/b" name="gate"><failure message="/);
  await exported("sarif", ...gate);
  const [only] = JSON.parse(await read("out/results.sarif")).runs;
  expect(only.results).toMatchObject([{ ruleId: "gate", level: "error", kind: "fail" }]);
  expect(await read("out/annotations.txt")).toMatch(
    /^::error file=found.json,title=org\/b\/gate::/,
  );
});

test("croissant: tables with their hashes, an empty cell where nothing was scored", async () => {
  const { found } = await exported("croissant");
  const described = JSON.parse(await read("out/croissant.json"));
  for (const { contentUrl, sha256 } of described.distribution) {
    const bytes = new TextEncoder().encode(await read(`out/${contentUrl}`));
    expect(hashOf(bytes)).toBe(sha256);
  }
  expect(described["rai:dataCollectionMissingData"]).toMatch(/^1 of 24 scores/);
  const figures = await read("out/figures.csv");
  expect(figures).toContain(`mean,model=org/a,${found.models["org/a"].mean.value},`);
  expect(await read("out/samples.csv")).toMatch(/^6,org\/b,prompt 3,score,,,no score/m);
});

test("an undefined statistic is named with its reason and never 0", async () => {
  await put(
    "pairs.csv",
    ["id,metric,domain,correct,adversarial", "1,m,d,0.9,0.1", "2,m,d,,0.1"].join("\n"),
  );
  await put("found.json", (await run(["analyze", "contrastive", "pairs.csv", "--json"])).stdout);
  const words = ["export", "results", "found.json", "--out", "out", "--json", "--as"];
  const { unscored } = JSON.parse((await run([...words, "junit"])).stdout);
  expect(unscored).toBeGreaterThan(0);
  expect(await read("out/junit.xml")).toMatch(
    /name="overall\.incorrectMargin"><skipped message="[^"]+"\/>/,
  );
  const { files } = JSON.parse((await run([...words, "mlflow"])).stdout);
  expect(files.some((file: string) => file.endsWith("metrics/overall.incorrectMargin"))).toBe(
    false,
  );
  expect(files.some((file: string) => file.endsWith("tags/unscored.overall.incorrectMargin"))).toBe(
    true,
  );
});

test.each(["stereotypes", "significance"])(
  "each figure of %s is told from the others",
  async (what) => {
    await put("rows.csv", (await run(["example", what])).stdout);
    await put("found.json", (await run(["analyze", what, "rows.csv", "--json"])).stdout);
    await run(["export", "results", "found.json", "--out", "out", "--as", "croissant"]);
    const named = (await read("out/figures.csv"))
      .trim()
      .split("\n")
      .map((line) => line.split(",", 2).join(","));
    expect(named.length).toBeGreaterThan(8);
    expect(named).toHaveLength(new Set(named).size);
  },
);

test("refuses what no verb printed", async () => {
  await put("found.json", "[1]");
  await put("none.json", "{}");
  const words = ["--as", "junit", "--out", "out"];
  expect((await run(["export", "results", "found.json", ...words])).code).toBe(2);
  expect((await run(["export", "results", "none.json", ...words])).stderr).toContain("figures");
});

test("models whose names make one file's name are refused, none is written over another", async () => {
  await put("alike.csv", "model,prompt,score\nsd 3,p,1\nsd-3,p,0\n");
  await put("alike.json", (await run(["compare", "alike.csv", "--json"])).stdout);
  const { code } = await run(["export", "results", "alike.json", "--as", "hub", "--out", "hub"]);
  expect(code).toBe(2);
});
