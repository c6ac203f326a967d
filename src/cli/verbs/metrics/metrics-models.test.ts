import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { metricCatalogue } from "../../../metrics/catalogue.js";
import { runCommandLine } from "../../main.js";
import { chooseModel } from "../../models/model-choice.js";
import { loadCatalogue } from "./metrics.js";

async function printed(...words: readonly string[]) {
  const environment = fakeEnvironment({
    workingDirectory: await temporaryDirectory(),
    columns: 80,
  });
  expect(await runCommandLine(words, environment)).toBe(0);
  return environment.written.stdout;
}

test("models lists every provider that --model takes, in 80 columns", async () => {
  const refused = String(await chooseModel("nobody:model").catch((error: unknown) => error));
  const known = /providers (.*) for --model/.exec(refused)?.[1]?.split(", ") ?? [];
  expect(known).toContain("openai-compatible");
  const listed = Object.keys(loadCatalogue().models);
  expect(known.filter((name) => !listed.includes(name))).toEqual([]);
  const text = await printed("metrics", "models");
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(text).toContain("None of them was run with published weights here");
  const { models } = JSON.parse(await printed("metrics", "models", "--json"));
  expect(models.map(({ name }: { name: string }) => name)).toContain("lab");
  for (const { publishedWeights } of models) expect(publishedWeights).toBe(false);
});

test("metrics lists every metric with what it gives and costs, in 80 columns", async () => {
  const text = await printed("metrics");
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  const { metrics } = JSON.parse(await printed("metrics", "--json"));
  expect(metrics.map(({ name }: { name: string }) => name)).toEqual(
    metricCatalogue.map(({ name }) => name),
  );
  for (const { name, gives, costs } of metrics) expect([gives, costs], name).not.toContain("");
});
