import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { openLabels } from "./judged-table.js";

async function labelsOf(lines: readonly string[], isReviewed = false) {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "labels.csv"), `${lines.join("\n")}\n`);
  const environment = fakeEnvironment({ workingDirectory: directory });
  const source = { file: "labels.csv", map: [], environment };
  const { task, read } = await openLabels(source, { task: undefined, isReviewed });
  return { task, labels: (await read(undefined)).map(({ label }) => label) };
}

test("what people type is read as they mean it", async () => {
  const questions = ["image,question,answer", "1.png,Is it?,Yes", "2.png,Is it?, NO "];
  expect(await labelsOf(questions)).toEqual({ task: "yes-no", labels: [1, 0] });
  const pairs = [
    "id,caption,image_a,image_b,preferred",
    "1,c,a.png,b.png,A",
    "2,c,a.png,b.png,Tie",
  ];
  expect(await labelsOf(pairs)).toEqual({ task: "pair", labels: [1, null] });
});

test("a probability of yes counts as the likelier answer, and one half as none", async () => {
  const rows = ["0.83", "0.2", "0.5", "1", "0"].map((answer, at) => `${at}.png,Is it?,${answer}`);
  const { labels } = await labelsOf(["image,question,answer", ...rows], true);
  expect(labels).toEqual([1, 0, 1, 0]);
});

test("a row without an answer is left out of a review, and an error elsewhere", async () => {
  const lines = ["image,question,answer", "1.png,Is it?,yes", "2.png,Is it?,"];
  expect((await labelsOf(lines, true)).labels).toEqual([1]);
  await expect(labelsOf(lines)).rejects.toThrow("1 of 2 rows have nothing");
});

test("labels of a folder whose images go with the rows of a table", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "draw"));
  for (const name of ["0.png", "1.png"]) await writeFile(join(directory, "draw", name), "");
  await writeFile(join(directory, "draw/table.csv"), "words,stars\na cat,2\na dog,5\n");
  const notes: string[] = [];
  const source = {
    file: "draw",
    map: ["text=words", "rating=stars"],
    texts: "order",
    environment: fakeEnvironment({ workingDirectory: directory }),
    tell: (note: string) => notes.push(note),
  } as const;
  const { task, read } = await openLabels(source, { task: undefined, isReviewed: false });
  const labels = await read(5);
  expect(task).toBe("rating");
  expect(labels.map(({ text, images, label }) => [text, images[0]?.path, label])).toEqual([
    ["a cat", join(directory, "draw/0.png"), 2],
    ["a dog", join(directory, "draw/1.png"), 5],
  ]);
  expect(notes).toEqual([expect.stringContaining("by their numbers")]);
});
