import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { runCommandLine } from "../../main.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-plan-"));
  await writeFile(
    join(folder, "study.yaml"),
    `title: Which is better?
consent: You may stop at any time.
payPerHour: 12
participants: 5
blocks:
  - {protocol: mental-image, from: not-there.csv}
  - {protocol: pairwise, from: not-there.csv, ratingsPerItem: 3, itemsPerParticipant: 10}
  - {protocol: pairwise, from: not-there.csv, tie: none}
`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function plan(...words: string[]) {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const all = ["study", "plan", "study.yaml", "--simulations", "100", ...words];
  const code = await runCommandLine(all, environment);
  return { code, ...environment.written };
}

test("says how many items a win rate needs and what they cost, before there are any", async () => {
  const { code, stdout, stderr } = await plan("--difference", "0.2", "--currency", "EUR");
  expect(code, stderr).toBe(0);
  const [verdict = ""] = stdout.split("\n");
  expect(verdict).toMatch(
    /^\d+ items with 3 ratings each \(\d+ labels\) show a win rate of 0\.700/,
  );
  expect(verdict.split(" ").length).toBeLessThanOrEqual(25);
  expect(stdout).toMatch(/hours at 10 seconds an answer: [\d.]+ EUR\./);
  expect(stdout).toContain("study create study.yaml --run studies/first");
  expect(stderr).toContain("the study lets in 5");
});

test("gives the same as JSON, whatever it was asked before", async () => {
  const { stdout } = await plan("--difference", "0.2", "--json");
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({
    ratersPerItem: 3,
    labels: 3 * found.items,
    block: "pairwise",
    protocol: "pairwise",
    participants: Math.ceil((3 * found.items) / 10),
  });
  expect(found.power.value).toBeGreaterThanOrEqual(0.8);
  expect(found.hours).toBeCloseTo((found.labels * 10) / 3600, 10);
  expect(found.cost).toBeCloseTo(found.hours * 12, 10);
  expect(found.curve.at(-1).items).toBeGreaterThanOrEqual(found.items);
  expect((await plan("--difference", "0.2", "--json")).stdout).toBe(stdout);
});

test("what can't be reached is said, and is no error", async () => {
  const { code, stdout } = await plan("--kappa", "0.9", "--block", "pairwise-2");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^No number of items shows Fleiss' kappa above 0\.9: raters/);
  expect(stdout).toContain("--error 0.05");
  const json = JSON.parse((await plan("--kappa", "0.9", "--json")).stdout);
  expect(json).toMatchObject({ items: null, cost: null, power: null, curve: [] });
});

test.each([
  [
    ["--difference", "0.1", "--block", "rating"],
    "Expected one of mental-image, pairwise, pairwise-2",
  ],
  [["--difference", "0.1", "--block", "mental-image"], "of mental-image"],
  [
    ["--difference", "0.1", "--kappa", "0.4"],
    "Expected --difference D or --kappa K but received both",
  ],
  [["--difference", "0"], "Expected a number above 0 for --difference"],
  [[], "Expected --difference D or --kappa K but received neither"],
])("refuses %j", async (words, message) => {
  const { code, stderr } = await plan(...words);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
