import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { displayWidth } from "touchstone-t2i/internal/cli/terminal/wrap.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../../test/support/touchstone-here.js";

/** Two prompts, each right on one of two kinds of images, which an embedding tells apart. */
function answers(count: number): object[] {
  const random = randomFrom("grouping table");
  return Array.from({ length: count }, (_, at) => {
    const [kind, label] = [random.chance(0.5), random.chance(0.5)];
    const said = (isRight: boolean) => {
      const sure = random.between(0.6, 0.9);
      return isRight === label ? sure : 1 - sure;
    };
    return {
      id: String(at),
      prompt: `caption ${at}`,
      label: Number(label),
      kind: kind ? "one" : "other",
      probabilities: [said(kind), said(!kind)],
      embedding: [1, kind ? 1 : -1],
    };
  });
}

async function experiment(rows: readonly object[], ...words: readonly string[]) {
  const workingDirectory = await temporaryDirectory();
  const table = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(join(workingDirectory, "answers.jsonl"), table);
  return touchstoneHere(["lab", "experiment", "grouping", ...words], { workingDirectory });
}

test("a table says what groups are worth: those of images as much as true ones, dealt at random nothing", async () => {
  const rows = answers(52);
  const { code, stdout } = await experiment(rows, "answers.jsonl");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^all: 3\d pairs of 3\d captions .* labels drawn from 2\d; 2\s+true kinds/,
  );
  expect(stdout).toMatch(/groups by the truth +−0\.\d{3} \[−0\.\d{3}, −0\.\d{3}\]/);
  expect(Math.max(...stdout.trimEnd().split("\n").map(displayWidth))).toBeLessThanOrEqual(100);

  const json = JSON.parse((await experiment(rows, "answers.jsonl", "--json")).stdout);
  expect(json.design.labels).toEqual([20, 50, 200]);
  const { n, pool, kinds, byLabels } = json.worlds.all;
  expect([n + pool, kinds, byLabels.length]).toEqual([52, 2, 1]);
  const worth = (arm: string, than: string) =>
    byLabels[0].contrasts.find(
      (one: { arm: string; than: string }) => one.arm === arm && one.than === than,
    ).metrics.nll;
  expect(worth("mmb", "bpe").high).toBeLessThan(-0.2);
  expect(worth("mmb", "bpe").value).toBeCloseTo(worth("oracle", "bpe").value, 2);
  expect(worth("placebo", "bpe").low).toBeGreaterThan(-0.2);
});

test("without kinds there is no oracle", async () => {
  const rows = answers(52).map(({ kind, ...row }: { kind?: unknown }) => row);
  const { stdout } = await experiment(rows, "answers.jsonl");
  expect(stdout).toContain("no true kinds known");
  expect(stdout).not.toContain("groups by the truth");
});

test.each([
  ["a row without an embedding", [...answers(51), { ...answers(52)[51], embedding: null }]],
  ["too few pairs to fit on", answers(30)],
])("%s is refused, and what writes such a table named", async (_, rows) => {
  const { code, stderr } = await experiment(rows, "answers.jsonl");
  expect(code).toBe(2);
  expect(stderr).toContain("an embedding in every row");
  expect(stderr).toContain("--answers-out FILE");
});

test.each([[[]], [["--lab"]], [["answers.jsonl", "--lab", "--run", "lab"]]])(
  "%j says not which answers: refused",
  async (words) => {
    const { code, stderr } = await experiment(answers(1), ...words);
    expect(code).toBe(2);
    expect(stderr).toContain("Expected a table of answers, --from RUN, or --lab and --run DIR");
  },
);
