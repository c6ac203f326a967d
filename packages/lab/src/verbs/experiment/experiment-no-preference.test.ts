import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommandLine } from "touchstone-t2i/internal/cli/main.js";
import { displayWidth } from "touchstone-t2i/internal/cli/terminal/wrap.js";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";

const captions = 12;

/** Five prompts, all of which are right on blurred copies and surely wrong on those with noise. */
const answers = Array.from({ length: captions }, (_, at) => {
  const label = at % 2;
  const about = { prompt: `caption ${at}`, embedding: [1, at] };
  const said = (p: number) => Array.from({ length: 5 }, () => (label === 1 ? p : 1 - p));
  return [
    { id: `${at} equal`, ...about, label: null, probabilities: said(0.6) },
    { id: `${at} blur`, ...about, label, degradation: "blur", probabilities: said(0.8) },
    { id: `${at} noise`, ...about, label, degradation: "noise", probabilities: said(0.05) },
  ];
}).flat();

test("answers on degraded copies stand by kind in text, JSON, CSV and page", async () => {
  const workingDirectory = await temporaryDirectory();
  const table = answers.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(join(workingDirectory, "answers.jsonl"), table);
  const experiment = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({ workingDirectory });
    const quick = ["--seeds", "1", "--clusters", "1", "--objectives", "mixture"];
    const line = ["lab", "experiment", "no-preference", "answers.jsonl", ...quick, ...words];
    expect(await runCommandLine(line, environment)).toBe(0);
    return environment.written.stdout;
  };
  const text = await experiment("--out", "table4.html");
  const [, right = "", sure = ""] = text.split("on degraded copies, by kind");
  expect(right).toMatch(/method +blur +noise\n.*\n5 prompts, 20 labels\n/);
  expect(right).toMatch(/n, pairs +12 +12/);
  expect(right).toMatch(/Average +1\.000 +0\.000/);
  expect(sure).toMatch(/Average +0\.800 +0\.950/);
  // All but the command that comes last.
  const lines = text.trimEnd().split("\n").slice(0, -1);
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(100);
  const page = await readFile(join(workingDirectory, "table4.html"), "utf8");
  expect(page).toContain("Right on degraded copies, by kind");
  expect(page).toContain("Mean confidence on degraded copies, by kind");

  const { cells } = JSON.parse(await experiment("--json", "--out", "table4.csv"));
  const near = (value: number) => ({ value: expect.closeTo(value, 9) });
  for (const { copies } of cells) {
    expect(copies).toMatchObject([
      { degradation: "blur", n: 12, accuracy: near(1), confidence: near(0.8) },
      { degradation: "noise", n: 12, accuracy: near(0), confidence: near(0.95) },
    ]);
  }
  const csv = (await readFile(join(workingDirectory, "table4.csv"), "utf8")).trimEnd().split("\n");
  expect(csv).toHaveLength(1 + 3 * cells.length);
  expect(csv[0]).toMatch(/,degradation,n$/);
  expect(
    csv.filter((line) => /^average,5,20,0\.95.*,0,0,0,,,noise,12\r?$/.test(line)),
  ).toHaveLength(1);
});
