import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { runCommandLine } from "../../command-line/run-command-line.js";

async function run(words: readonly string[], stdin = "") {
  const environment = fakeEnvironment({ stdin });
  const code = await runCommandLine(words, environment);
  return { code, ...environment.written };
}

test("lists the verbs that have a sample", async () => {
  const { code, stdout } = await run(["example"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^contrastive /m);
});

test("the sample of contrastive is read by contrastive, in either format alike", async () => {
  const flags = ["--resamples", "100", "--json"];
  const conclusions = [];
  for (const format of ["csv", "jsonl"]) {
    const sample = await run(["example", "contrastive", "--format", format]);
    expect(sample.code).toBe(0);
    const { code, stdout } = await run(["analyze", "contrastive", "-", ...flags], sample.stdout);
    expect(code).toBe(0);
    conclusions.push(JSON.parse(stdout));
  }
  expect(conclusions[0]).toEqual(conclusions[1]);
  expect(conclusions[0]).toMatchObject({ n: 15, unscored: 1 });
  expect(Object.keys(conclusions[0].metrics)).toEqual(["clip-score", "vqa-score"]);
});

test("--json gives the rows, null where unscored", async () => {
  const { rows } = JSON.parse((await run(["example", "contrastive", "--json"])).stdout);
  expect(rows).toHaveLength(16);
  expect(rows.filter((row: { adversarial: unknown }) => row.adversarial === null)).toHaveLength(1);
});

test("a verb without one is named with those that have one", async () => {
  const { code, stderr } = await run(["example", "contrasive"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean contrastive?");
});
