import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommandLine } from "touchstone-t2i/internal/cli/main.js";
import { displayWidth } from "touchstone-t2i/internal/cli/terminal/wrap.js";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";

interface Times {
  readonly name: string;
  readonly callsPerPair: number;
}

test("the lab's table comes from its weights, is kept, and is told in text, JSON, CSV and page", async () => {
  const workingDirectory = await temporaryDirectory();
  const experiment = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({ workingDirectory });
    const small = ["--lab", "--run", "run", "--seed", "7", "--prompts", "4", "--scenes", "2"];
    expect(
      await runCommandLine(["lab", "experiment", "proto-score", ...small, ...words], environment),
    ).toBe(0);
    return environment.written.stdout;
  };
  const text = await experiment("--out", "page.html");
  expect(text).toMatch(/^lab:proto-score fails .+ of 4 triplets, its start/);
  expect(text.replace(/\s+/g, " ")).toContain(
    "Whether a large judge is slower, as the paper says, is undecided: the lab has none.",
  );
  const lines = text.trimEnd().split("\n").slice(0, -1);
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(100);
  const page = await readFile(join(workingDirectory, "page.html"), "utf8");
  expect(page).toContain("Prejudice against alignment");
  expect(page).toContain("This is a world of clip art.");

  const kept = async () =>
    (await readdir(join(workingDirectory, "run"))).filter((name) => name.startsWith("ordinary-"));
  const [before = ""] = await kept();
  const { methods, design, times } = JSON.parse(
    await experiment("--json", "--out", "table.csv", "--plot", "plot.svg"),
  );
  expect(await kept()).toEqual([before]);
  expect(times.map(({ name, callsPerPair }: Times) => [name, callsPerPair])).toEqual([
    ["lab:proto-score", 2],
    ["lab:dual-encoder-skewed", 4],
    ["lab:vqa", 2],
    ["lab:rater", 2],
    ["lab:judge", 20],
  ]);
  for (const { pairs, milliseconds } of times) {
    expect(pairs).toBe(3);
    expect(milliseconds.value).toBeGreaterThan(0);
  }
  expect(design.test).toEqual({ seed: 7, prompts: { animals: 2, objects: 2 }, scenes: 2 });
  for (const { triplets, controls, reversed, alignment, calibrationError } of methods) {
    expect([triplets.n, controls.n, reversed.n, calibrationError.n]).toEqual([4, 8, 4, 16]);
    expect(alignment.n).toBe(12);
  }
  const plot = await readFile(join(workingDirectory, "plot.svg"), "utf8");
  expect(plot).toContain("Prejudice against alignment");
  const csv = (await readFile(join(workingDirectory, "table.csv"), "utf8")).trimEnd().split("\n");
  expect(csv).toHaveLength(1 + 6 * methods.length);
});

test.each([
  [["--run", "run"], /Expected --lab and --run DIR but received no --lab/],
  [["--lab"], /Expected --lab and --run DIR but received no --run/],
])("%j is refused with the command that works", async (words, message) => {
  const environment = fakeEnvironment();
  expect(await runCommandLine(["lab", "experiment", "proto-score", ...words], environment)).toBe(2);
  expect(environment.written.stderr).toMatch(message);
  expect(environment.written.stderr).toContain("lab experiment proto-score --lab --run lab-proto");
});
