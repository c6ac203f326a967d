import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLines } from "../../../../test/support/command-lines.js";
import { generatedRun } from "../../../../test/support/generated-run.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";

const { names, put, run } = commandLines();

test("a run becomes files whose texts can end no script, with small images or whole ones", async () => {
  const root = await temporaryDirectory();
  const made = await generatedRun(join(root, "made"), { images: 12, side: 16 });
  const written = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await run([
      ...["studio", "export", made.directory, "--out", `out-${words.length}`, "--json"],
      ...words,
    ]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const whole = await written();
  const small = await written("--images", "thumbnails");
  expect(whole.files).toBeGreaterThan(small.files);
  expect(await names()).toEqual(["out-0", "out-2"]);
});

test.each([
  [["studio", "export", "--out", "x"], "Expected RUN for studio export"],
  [
    ["studio", "export", "r", "--analyse-only", "--out", "x"],
    "Expected no run with --analyse-only",
  ],
  [["studio", "export", "nowhere", "--out", "x"], "nowhere"],
  [
    ["studio", "export", "postgres://me:secret@db/runs/demo", "--out", "x"],
    "postgres://me@db/runs/demo",
  ],
  [["studio", "export", "--analyse-only", "--out", "full.txt"], "full.txt"],
  [["studio", "export", "--analyse-only"], "Expected --out for studio export"],
])("%j is refused and leaves nothing", async (words, message) => {
  await put("full.txt", "mine");
  const { code, stderr } = await run(words);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(await names()).toEqual(["full.txt"]);
});
